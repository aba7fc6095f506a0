// SPDX-License-Identifier: MIT
#include <sstream>

#include "cli_test.hpp"

#include <knotwork/activation.hpp>

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::SizeIs;
using ::testing::StartsWith;

class Train : public CliTest {};

TEST_F(Train, PrintsOneJsonDocumentWithScoresAndTheCourseOfTraining) {
  const Json json = document({"train", "builtin:sinc", "--iterations", "40", "--seed", "3"});
  for (const char* part : {"train", "test"}) {
    for (const char* score : {"nrmse", "rmse", "mae", "r2"}) {
      EXPECT_TRUE(json.at(part).at(score).is_number()) << part << ' ' << score;
    }
    const double nrmse = json[part]["nrmse"];
    EXPECT_NEAR(json[part]["r2"].get<double>(), 1 - nrmse * nrmse, 1e-12);
    EXPECT_LT(nrmse, 0.5);
  }
  EXPECT_EQ(json.at("train").at("rows"), 350);
  EXPECT_EQ(json.at("test").at("rows"), 150);
  EXPECT_GT(json.at("seconds").get<double>(), 0);
  EXPECT_EQ(json.at("iterations"), 40);
  EXPECT_GE(json.at("evaluations").get<int>(), 40);
  EXPECT_GT(json.at("objective").get<double>(), 0);
  EXPECT_EQ(json.at("seed"), 3);
  EXPECT_EQ(json.at("interrupted"), false);
  EXPECT_THAT(json.at("parameters_sha256").get<std::string>(), MatchesRegex("[0-9a-f]{64}"));
  EXPECT_EQ(record_of(folder_.read("model.safetensors")).at("training").at("test"), json["test"]);
}

TEST_F(Train, TellsPeopleTheSameInWordsAndKeepsStandardErrorQuiet) {
  const Outcome outcome = knotwork({"train", "builtin:sinc", "--iterations", "20"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* word :
       {"builtin:sinc: 500 rows x 2 columns (350 to train on, 150 to test)",
        "1 input - 20 splines - 1 spline, 502 parameters",
        "20 iterations of lbfgs, stopped after the requested number of iterations", "train NRMSE",
        "test NRMSE", "test RMSE", "test R2", "model.safetensors", "moved farthest", "neuron 1:"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

TEST_F(Train, EveryActivationAndEveryBasisCanBeAskedFor) {
  std::vector<Words> requests;
  for (const std::string& name : builtin_activations().names()) {
    requests.push_back({"--activation", name});
  }
  for (const std::string& name : spline_bases().names()) requests.push_back({"--basis", name});
  requests.push_back({"--basis", "cardinal", "--tension", "0.5"});
  for (const Words& request : requests) {
    Words words = {"train", "builtin:sinc", "--iterations", "5", "--lambda-w", "1e-3"};
    words.insert(words.end(), request.begin(), request.end());
    const Json trained = document(words);
    const Json evaluated = document({"evaluate", "model.safetensors", "builtin:sinc"});
    EXPECT_GT(trained["train"]["rmse"].get<double>(), 0) << request.back();
    EXPECT_GT(evaluated["test"]["rmse"].get<double>(), 0) << request.back();
  }
  EXPECT_THAT(refusal({"train", "builtin:sinc", "--tension", "0.5"}),
              HasSubstr("'catmull-rom' has no tension"));
  EXPECT_THAT(refusal({"train", "builtin:sinc", "--tension", "0"}),
              HasSubstr("--tension would have no effect: only the basis 'cardinal' has a tension"));
}

TEST_F(Train, ShowsProgressLinesOnStandardErrorWhenAsked) {
  const Outcome outcome =
      knotwork({"train", "builtin:sinc", "--iterations", "20", "--progress", "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(Json::accept(outcome.out));
  const Words lines = lines_of(outcome.err);
  EXPECT_GE(lines.size(), 2u);
  EXPECT_THAT(lines, Each(AllOf(StartsWith("training  "), HasSubstr("/20  objective "),
                                HasSubstr(" %  iteration "))));
  EXPECT_THAT(lines.back(), HasSubstr("100.0 %  iteration 20/20"));
}

TEST_F(Train, TakesACsvFileAndItsLastColumnAsTarget) {
  folder_.write("t.csv", small_table());
  const Json json = document({"train", "t.csv", "--iterations", "60", "--out", "m.st"});
  EXPECT_EQ(json["data"], Json({{"source", "t.csv"},
                                {"rows", 60},
                                {"columns", 3},
                                {"header", true},
                                {"text_columns", 0},
                                {"missing_cells", 0},
                                {"without_target", 0}}));
  EXPECT_EQ(json["model"], "m.st");
  EXPECT_LT(json["train"]["nrmse"].get<double>(), 0.1);
  const Json record = record_of(folder_.read("m.st"));
  EXPECT_THAT(record["targets"], SizeIs(1));
  EXPECT_EQ(record["targets"][0]["column"], "y");
  EXPECT_THAT(folder_.names(), ElementsAre("m.st", "t.csv"));
}

TEST_F(Train, TakesATableFromStandardInput) {
  folder_.write("t.csv", small_table());
  const Json file = document({"train", "t.csv", "--iterations", "5"});
  const Json input = document({"train", "-", "--iterations", "5"}, small_table());
  EXPECT_EQ(input["data"]["source"], "standard input");
  EXPECT_EQ(input["parameters_sha256"], file["parameters_sha256"]);
}

TEST_F(Train, TakesTargetsByNameBeforeOrAfterTheTable) {
  folder_.write("t.csv", small_table());
  for (const Words& words :
       {Words{"train", "t.csv", "--target", "x", "--iterations", "2", "--task", "regression"},
        Words{"train", "--target", "x", "t.csv", "--iterations", "2", "--task", "regression"}}) {
    EXPECT_EQ(document(words)["network"]["sizes"], Json({2, 20, 1}));
    const Json record = record_of(folder_.read("model.safetensors"));
    EXPECT_EQ(record["targets"][0]["column"], "x");
    EXPECT_EQ(record["inputs"][0]["column"], "z");
    EXPECT_EQ(record["inputs"][1]["column"], "y");
  }
  const Json two =
      document({"train", "t.csv", "--target", "y", "--target", "x", "--iterations", "2"});
  EXPECT_EQ(two["network"]["sizes"], Json({1, 20, 2}));
}

TEST_F(Train, SeveralTargetsAreScoredOneByOne) {
  folder_.write("t.csv", small_table());
  const Words words = {"train", "t.csv", "--target", "y", "--target", "x", "--iterations", "2"};
  const Json json = document(words);
  ASSERT_THAT(json["target_scores"], SizeIs(2));
  EXPECT_EQ(json["target_scores"][1]["column"], "x");
  EXPECT_EQ(json["target_scores"][1]["test"]["rows"], 18);
  EXPECT_EQ(record_of(folder_.read("model.safetensors"))["training"]["target_scores"],
            json["target_scores"]);
  EXPECT_THAT(knotwork(words).out, AllOf(HasSubstr("\n  of y "), HasSubstr("\n  of x ")));

  const Json scores = document({"evaluate", "model.safetensors", "t.csv"});
  ASSERT_THAT(scores["target_scores"], SizeIs(2));
  EXPECT_EQ(scores["target_scores"][0]["column"], "y");
  EXPECT_NE(scores["target_scores"][0]["test"], scores["test"]);
  EXPECT_THAT(lines_of(knotwork({"evaluate", "model.safetensors", "t.csv"}).out),
              ElementsAre(StartsWith("NRMSE "), StartsWith("y: NRMSE "), StartsWith("x: NRMSE ")));
}

TEST_F(Train, RowsOfWeightZeroAreNotLearnedAndTheWeightIsNoInput) {
  std::ostringstream table;
  table << "x,w,y\n";
  for (int r = 0; r < 60; ++r) {
    const bool bad = r % 2 == 1;
    table << r << ',' << (bad ? 0 : 1) << ',' << (bad ? 1000 : r) << '\n';
  }
  folder_.write("t.csv", table.str());
  const Words words = {"train", "t.csv", "--test-fraction", "0", "--iterations", "100"};
  Words weighted = words;
  weighted.insert(weighted.end(), {"--weight-column", "w"});
  const Json with = document(weighted);
  EXPECT_EQ(with["network"]["sizes"], Json({1, 20, 1}));
  EXPECT_LT(with["train"]["nrmse"].get<double>(), 0.1);
  const Json again = document({"evaluate", "model.safetensors", "t.csv", "--weight-column", "w"});
  EXPECT_EQ(again["test"], with["train"]);
  const Outcome predicted = knotwork({"predict", "model.safetensors", "-"}, "x\n10\n");
  EXPECT_NEAR(std::stod(lines_of(predicted.out).at(1)), 10, 3);
  EXPECT_EQ(document(words)["network"]["sizes"], Json({2, 20, 1}));
}

TEST_F(Train, HoldsOutTheShareOfRowsThatIsAskedFor) {
  const Json some =
      document({"train", "builtin:sinc", "--iterations", "2", "--test-fraction", "0.1"});
  EXPECT_EQ(some["test"]["rows"], 50);
  EXPECT_EQ(some["train"]["rows"], 450);
  const Json none =
      document({"train", "builtin:sinc", "--iterations", "2", "--test-fraction", "0"});
  EXPECT_FALSE(none.contains("test"));
  EXPECT_EQ(none["train"]["rows"], 500);
}

TEST_F(Train, EvaluateGivesTheTestScoresOfTheSameRows) {
  const Words lines = lines_of(small_table());
  folder_.write("t.csv", small_table());
  folder_.write("rows.txt", "3\r\n1\n\n50\n17\n");
  folder_.write("test.csv", lines[0] + "\n" + lines[1 + 1] + "\n" + lines[1 + 3] + "\n" +
                                lines[1 + 17] + "\n" + lines[1 + 50] + "\n");
  const Json trained =
      document({"train", "t.csv", "--test-rows", "rows.txt", "--iterations", "20"});
  EXPECT_EQ(trained["test"]["rows"], 4);
  EXPECT_EQ(trained["train"]["rows"], 56);
  const Json evaluated = document({"evaluate", "model.safetensors", "test.csv"});
  EXPECT_EQ(evaluated["test"], trained["test"]);
  EXPECT_EQ(evaluated["parameters_sha256"], trained["parameters_sha256"]);
  EXPECT_EQ(evaluated["data"]["rows"], 4);
}

TEST_F(Train, PresetPaperIsTheNetworkOfThePaper) {
  Words words = {"train", "builtin:planted", "--preset", "paper", "--iterations", "3"};
  const Json json = document(words);
  EXPECT_EQ(json["network"]["sizes"], Json({6, 5, 1}));
  EXPECT_EQ(json["network"]["activations"], Json({"spline", "spline"}));
  EXPECT_EQ(json["optimizer"], "cg");
  EXPECT_EQ(json["iterations"], 3);  // an explicit option overrides the preset
  EXPECT_EQ(json["test"]["rows"], 600);
  EXPECT_FALSE(json.contains("validation"));
  const Json record = record_of(folder_.read("model.safetensors"));
  EXPECT_EQ(record["inputs"][0]["scaling"], "range");
  EXPECT_EQ(record["targets"][0]["scaling"], "range");
  const Json& settings = record["layers"][0]["activation"];
  EXPECT_EQ(settings["basis"], "catmull-rom");
  EXPECT_EQ(settings["knots"], 21);

  words.insert(words.end(), {"--hidden", "4", "--optimizer", "lbfgs"});
  const Json other = document(words);
  EXPECT_EQ(other["network"]["sizes"], Json({6, 4, 1}));
  EXPECT_EQ(other["optimizer"], "lbfgs");
}

TEST_F(Train, PresetPaperMeans1500LineSearches) {
  const Outcome outcome = knotwork(
      {"train", "builtin:sinc", "--preset", "paper", "--progress", "--time-limit", "0.05"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("/1500  objective"));
}

TEST_F(Train, PresetPaperWithTanhHasTanhAtTheOutputToo) {
  const Words words = {"train", "builtin:sinc", "--iterations", "2", "--activation", "tanh"};
  EXPECT_EQ(document(words)["network"]["activations"], Json({"tanh", "identity"}));
  Words paper = words;
  paper.insert(paper.end(), {"--preset", "paper"});
  EXPECT_EQ(document(paper)["network"]["activations"], Json({"tanh", "tanh"}));
}

TEST_F(Train, AWarmPathHasOneStageForEachValue) {
  const Json json =
      document({"train", "builtin:sinc", "--iterations", "9", "--warm-path", "0.01,0.1,1"});
  ASSERT_THAT(json["stages"], SizeIs(3));
  EXPECT_EQ(json["stages"][0]["lambda_w"], 0.01);
  EXPECT_EQ(json["stages"][1]["lambda_w"], 0.1);
  EXPECT_EQ(json["stages"][2]["lambda_w"], 1.0);
  int iterations = 0;
  for (const Json& stage : json["stages"]) iterations += stage["iterations"].get<int>();
  EXPECT_EQ(iterations, json["iterations"]);
  EXPECT_EQ(json["stages"][0]["iterations"], 3);
}

TEST_F(Train, AValidationPartIsHeldOutOfTheTrainingRowsAndScored) {
  const Json json =
      document({"train", "builtin:sinc", "--iterations", "30", "--validation-fraction", "0.2"});
  EXPECT_EQ(json["test"]["rows"], 150);
  EXPECT_EQ(json["validation"]["rows"], 70);
  EXPECT_EQ(json["train"]["rows"], 280);
  EXPECT_LE(json["stages"][0].at("best_iteration").get<int>(), json["iterations"].get<int>());
}

TEST_F(Train, ATimeLimitEndsTrainingInGoodOrder) {
  const Json json = document({"train", "builtin:planted", "--iterations", "100000000",
                              "--optimizer", "adam", "--time-limit", "0.1"});
  EXPECT_EQ(json["stopped"], "time");
  EXPECT_GE(json["seconds"].get<double>(), 0.1);
}

TEST_F(Train, AFileNameThatIsNoTextStillGivesADocument) {
  const std::string name = "caf\xe9.csv";
  folder_.write(name, small_table());
  EXPECT_EQ(document({"train", name, "--iterations", "1"})["data"]["rows"], 60);
}

}  // namespace
}  // namespace knotwork::testing
