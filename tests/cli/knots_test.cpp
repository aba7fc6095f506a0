// SPDX-License-Identifier: MIT
// Tests knots that follow the data, their use, and the preset of sample-by-sample training.
#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class KnotsCli : public CliTest {
 protected:
  KnotsCli() { folder_.write("t.csv", small_table(80)); }

  Words train(Words more) const {
    Words words = {"train", "t.csv", "--hidden", "3", "--iterations", "24"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(KnotsCli, AreFittedAndRefinedOnTheWay) {
  const Json json = document(train({"--fit-range", "neuron", "--refit-range", "1", "--halve-step",
                                    "2", "--knots", "9", "--out", "fine.safetensors"}));
  ASSERT_THAT(json["stages"], SizeIs(4));  // divided at a third, a half and two thirds
  EXPECT_EQ(json["stages"][0]["range_fitted"], true);
  EXPECT_EQ(json["stages"][1]["step_halved"], true);
  EXPECT_EQ(json["stages"][2]["range_fitted"], true);
  EXPECT_FALSE(json["stages"][2].contains("step_halved"));
  EXPECT_EQ(json["options"]["fit-range"], "neuron");
  const Json record = record_of(folder_.read("fine.safetensors"));
  EXPECT_EQ(record["layers"][0]["activation"]["knots"], 27);
  EXPECT_EQ(knotwork({"evaluate", "fine.safetensors", "t.csv"}).code, 0);
}

TEST_F(KnotsCli, GoOnBecomingFinerFromAModel) {
  document(train({"--out", "a.st"}));
  document({"train", "t.csv", "--start-from", "a.st", "--iterations", "4", "--halve-step", "1",
            "--fit-range", "layer", "--out", "b.st"});
  EXPECT_EQ(record_of(folder_.read("b.st"))["layers"][0]["activation"]["knots"], 39);
}

TEST_F(KnotsCli, OptionsWithoutEffectAreRefused) {
  EXPECT_THAT(refusal(train({"--refit-range", "2"})),
              HasSubstr("refit-range is 2, but fit-range is none"));
  EXPECT_THAT(refusal(train({"--fit-range", "neurons"})), HasSubstr("did you mean 'neuron'?"));
  EXPECT_THAT(refusal(train({"--activation", "tanh", "--halve-step", "1"})),
              HasSubstr("--halve-step would have no effect: no layer has splines"));
  EXPECT_THAT(refusal(train({"--halve-step", "24"})), HasSubstr("iterations is 24"));
}

TEST_F(KnotsCli, TheirUseIsShownByInspectAndTrain) {
  const Json trained = document(train({"--range", "0.2", "--out", "narrow.st"}));
  ASSERT_THAT(trained["layers"], SizeIs(2));
  const Json& layer = trained["layers"][0];
  EXPECT_THAT(layer["neurons"], SizeIs(3));
  EXPECT_GT(layer["left_tail"].get<double>() + layer["right_tail"].get<double>(), 0.3);
  EXPECT_EQ(layer["control_points"], 63);
  EXPECT_GT(layer["spread"].get<double>(), 0);
  EXPECT_THAT(knotwork(train({"--range", "0.2"})).out, HasSubstr("are beyond its knots"));
  EXPECT_THAT(knotwork(train({"--fit-range", "neuron", "--refit-range", "6"})).out,
              Not(HasSubstr("are beyond its knots")));

  const Json seen = document({"inspect", "narrow.st", "--data", "t.csv"});
  ASSERT_THAT(seen["layers"], SizeIs(2));
  EXPECT_EQ(seen["layers"][0]["control_points"], 63);
  const Outcome text = knotwork({"inspect", "narrow.st", "--data", "t.csv"});
  EXPECT_THAT(text.out, AllOf(HasSubstr("knots      layer 1: spread "), HasSubstr("untouched")));
  EXPECT_FALSE(document({"inspect", "narrow.st"}).contains("layers"));
  EXPECT_THAT(refusal({"inspect", "narrow.st", "--delimiter", "tab"}),
              HasSubstr("--delimiter would have no effect: it applies to --data"));
  EXPECT_THAT(refusal({"inspect", "narrow.st", "--data", "none.csv"}), HasSubstr("none.csv"));
}

TEST_F(KnotsCli, TheHistoricalPresetTrainsSampleBySample) {
  const Json json = document({"train", "t.csv", "--preset", "historical", "--iterations", "5"});
  EXPECT_EQ(json["options"]["optimizer"], "sgd");
  EXPECT_EQ(json["options"]["batch"], "1");
  EXPECT_EQ(json["evaluations"], 1 + 5 * 56);  // one for each training row and epoch
  EXPECT_THAT(refusal({"train", "t.csv", "--preset", "historic"}),
              HasSubstr("did you mean 'historical'?"));
  EXPECT_THAT(refusal({"train", "t.csv", "--preset", "historical", "--optimizer", "lbfgs"}),
              HasSubstr("batch is 1, but 'lbfgs' needs all rows at once"));
}

}  // namespace
}  // namespace knotwork::testing
