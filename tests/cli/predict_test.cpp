// SPDX-License-Identifier: MIT
#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class Predict : public CliTest {
 protected:
  Predict() {
    folder_.write("t.csv", small_table());
    EXPECT_EQ(knotwork({"train", "t.csv", "--iterations", "60"}).code, 0);
  }
  std::string predictions(const std::string& table, const Words& options = {}) const {
    Words words = {"predict", "model.safetensors", "-"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = knotwork(words, table);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
};

TEST_F(Predict, WritesAHeaderAndOneRowForEachRow) {
  const Words lines = lines_of(predictions("x,z\n1,2\n3,4\n9,12\n"));
  ASSERT_THAT(lines, SizeIs(4));
  EXPECT_EQ(lines[0], "prediction");
  EXPECT_NEAR(std::stod(lines[1]), 0.5 * 1 - 2 + 0.01 * 2, 0.7);
  EXPECT_NEAR(std::stod(lines[2]), 0.5 * 3 - 4 + 0.01 * 12, 0.7);
}

TEST_F(Predict, WithoutRowsWritesAHeader) {
  EXPECT_EQ(predictions("x,z\n"), "prediction\n");
  EXPECT_EQ(predictions("id,z,x\n", {"--keep", "id"}), "id,prediction\n");
  EXPECT_EQ(document({"predict", "model.safetensors", "-", "--json"}, "x,z\n")["predictions"],
            Json::parse(R"({"prediction": []})"));
  EXPECT_THAT(refusal({"predict", "model.safetensors", "-"}, "x\n"), HasSubstr("'z'"));
  EXPECT_THAT(refusal({"evaluate", "model.safetensors", "-"}, "x,z,y\n"), HasSubstr("no rows"));
}

TEST_F(Predict, SpreadOfAnEnsembleStandsBeforeThePrediction) {
  EXPECT_THAT(refusal({"predict", "model.safetensors", "-", "--spread"}, "x,z\n1,2\n"),
              HasSubstr("--spread needs an ensemble, but model.safetensors is a single network"));
  ASSERT_EQ(knotwork({"train", "t.csv", "--iterations", "20", "--ensemble", "3"}).code, 0);
  const Words lines = lines_of(predictions("x,z\n1,2\n3,4\n", {"--spread"}));
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_EQ(lines[0], "spread,prediction");
  EXPECT_GT(std::stod(lines[1]), 0);
  const std::string mean = lines_of(predictions("x,z\n1,2\n"))[1];
  EXPECT_TRUE(lines[1].ends_with("," + mean)) << lines[1];
}

TEST_F(Predict, MatchesColumnsByNameInAnyOrderAmongOthers) {
  const std::string usual = predictions("x,z\n1,2\n3,4\n");
  EXPECT_EQ(predictions("z,x\n2,1\n4,3\n"), usual);
  EXPECT_EQ(predictions("z,more,x,y\n2,0,1,9\n4,0,3,9\n"), usual);
}

TEST_F(Predict, GivesARowTheSameBitsAloneAndAmongOthersOnAnyNumberOfThreads) {
  const Words all = lines_of(predictions(small_table(3000)));
  ASSERT_THAT(all, SizeIs(3001));
  EXPECT_EQ(lines_of(predictions(small_table(3000), {"--threads", "7"})), all);
  EXPECT_EQ(lines_of(predictions(small_table(1))).at(1), all[1]);
}

TEST_F(Predict, KeepsColumnsAsTheyStandBeforeThePredictions) {
  const std::string table = "id,x,note,z\n007,1,\"a, b\",2\n1.50,3,,4\n";
  const Words plain = lines_of(predictions(table));
  const Words kept =
      lines_of(predictions(table, {"--keep", "note", "--keep", "id", "--keep", "x"}));
  ASSERT_THAT(kept, SizeIs(3));
  EXPECT_EQ(kept[0], "note,id,x,prediction");
  EXPECT_EQ(kept[1], "\"a, b\",007,1," + plain[1]);
  EXPECT_EQ(kept[2], ",1.50,3," + plain[2]);
  const Json json = document({"predict", "model.safetensors", "-", "--keep", "id"}, table);
  EXPECT_EQ(json["kept"]["id"], Json({"007", "1.50"}));
  EXPECT_THAT(json["predictions"]["prediction"], SizeIs(2));
  EXPECT_THAT(refusal({"predict", "model.safetensors", "-", "--keep", "ids"}, table),
              HasSubstr("did you mean 'id'?"));
  EXPECT_THAT(refusal({"predict", "model.safetensors", "-", "--keep", "prediction"},
                      "x,z,prediction\n1,2,3\n"),
              HasSubstr("the name of a prediction column"));
}

TEST_F(Predict, OtherColumnsMayHoldAnything) {
  EXPECT_EQ(predictions("x,other,z\n1,what,2\n3,12 %,4\n"), predictions("x,z\n1,2\n3,4\n"));
}

TEST_F(Predict, WhatTrainingNeverSawIsRemarked) {
  const Outcome far = knotwork({"predict", "model.safetensors", "-"}, "x,z\n1,2\n1e6,NA\n");
  EXPECT_EQ(far.code, 0);
  EXPECT_THAT(lines_of(far.err), SizeIs(2));
  EXPECT_THAT(
      far.err,
      HasSubstr("knotwork: Values are outside the range of the training data in 'x' (1 of 2)"));
  EXPECT_THAT(far.err, HasSubstr("knotwork: Cells are missing in 'z' (1 of 2)"));
  const Json json = document({"predict", "model.safetensors", "-"}, "x,z\n1,2\n1e6,NA\n");
  EXPECT_THAT(json["remarks"], SizeIs(2));

  folder_.write(
      "c.csv", "city,y\nOslo,1\nRome,2\n" + [] {
        std::string rows;
        for (int r = 0; r < 20; ++r) rows += r % 2 ? "Oslo,1\n" : "Rome,2\n";
        return rows;
      }());
  ASSERT_EQ(knotwork({"train", "c.csv", "--out", "c.st"}).code, 0);
  EXPECT_THAT(knotwork({"predict", "c.st", "-"}, "city\nParis\nOslo\n").err,
              HasSubstr("not in the training data are in 'city' (1 of 2), such as 'Paris'"));
  EXPECT_THAT(knotwork({"evaluate", "c.st", "-"}, "city,y\nParis,1\nOslo,2\n").err,
              HasSubstr("'Paris'"));
  EXPECT_EQ(knotwork({"predict", "c.st", "-", "--quiet"}, "city\nParis\n").err, "");
}

TEST_F(Predict, OutDashIsStandardOutput) {
  const std::string usual = predictions("x,z\n1,2\n");
  EXPECT_EQ(predictions("x,z\n1,2\n", {"--out", "-"}), usual);
  EXPECT_EQ(knotwork({"predict", "model.safetensors", "-", "--out", "one.csv"}, "x,z\n1,2\n").out,
            "1 prediction in one.csv\n");
  const Outcome model = knotwork({"train", "t.csv", "--iterations", "60", "--out", "-"});
  EXPECT_EQ(model.code, 0);
  EXPECT_THAT(model.err, HasSubstr("saved in   standard output"));
  EXPECT_EQ(tensors_of(model.out), tensors_of(folder_.read("model.safetensors")));
  EXPECT_THAT(refusal({"train", "t.csv", "--out", "-", "--json"}), HasSubstr("standard output"));
}

TEST_F(Predict, WritesAFileWhenAskedAndSaysSo) {
  const Outcome outcome =
      knotwork({"predict", "model.safetensors", "t.csv", "--out", "predictions.csv"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "60 predictions in predictions.csv\n");
  EXPECT_EQ(folder_.read("predictions.csv"), predictions(small_table()));
  const Json json = document({"predict", "model.safetensors", "t.csv", "--out", "predictions.csv"});
  EXPECT_EQ(json["out"], "predictions.csv");
  EXPECT_EQ(json["data"]["rows"], 60);
}

// Users would take a file with such a name for a file of that kind.
TEST_F(Predict, OtherKindsOfFilesAreRefused) {
  for (const std::string name : {"p.npy", "p.safetensors"}) {
    const Outcome outcome = knotwork({"predict", "model.safetensors", "t.csv", "--out", name});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("knotwork convert can convert"));
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / name));
  }
}

TEST_F(Predict, PrintsTheSameNumbersAsJson) {
  const Json json = document({"predict", "model.safetensors", "-"}, "x,z\n1,2\n3,4\n");
  const Words csv = lines_of(predictions("x,z\n1,2\n3,4\n"));
  ASSERT_THAT(json.at("predictions").at("prediction"), SizeIs(2));
  for (std::size_t r : {0u, 1u}) {
    EXPECT_EQ(json["predictions"]["prediction"][r].get<double>(), std::stod(csv[r + 1]));
  }
}

TEST_F(Predict, NamesTheColumnsOfSeveralTargets) {
  ASSERT_EQ(
      knotwork({"train", "t.csv", "--target", "y", "--target", "x", "--iterations", "2"}).code, 0);
  EXPECT_THAT(predictions("z\n1\n"), HasSubstr("prediction_y,prediction_x\n"));
}

TEST_F(Predict, BuiltInTablesFollowTheSeed) {
  ASSERT_EQ(knotwork({"train", "builtin:sinc", "--iterations", "2"}).code, 0);
  const auto scores = [&](const std::string& seed) {
    return document({"evaluate", "model.safetensors", "builtin:sinc", "--seed", seed})["test"];
  };
  EXPECT_EQ(scores("4"), scores("4"));
  EXPECT_NE(scores("4"), scores("5"));
}

TEST_F(Predict, EvaluateTellsPeopleTheScores) {
  const Outcome outcome = knotwork({"evaluate", "model.safetensors", "t.csv"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* word : {"NRMSE", "RMSE", "MAE", "R2", "(60 rows)"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

}  // namespace
}  // namespace knotwork::testing
