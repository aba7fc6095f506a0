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
