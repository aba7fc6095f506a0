// SPDX-License-Identifier: MIT
// Tests classes and quantiles in the program.
#include <fmt/format.h>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// Three classes that differ in both columns.
std::string kinds(const Words& labels, int rows = 90) {
  std::string text = "x,z,kind\n";
  for (int r = 0; r < rows; ++r) {
    const int kind = r % static_cast<int>(labels.size());
    text += fmt::format("{},{},{}\n", 2.0 * kind + 0.1 * (r % 9), 0.3 * (r % 7) - 1.5 * kind,
                        labels[static_cast<std::size_t>(kind)]);
  }
  return text;
}

class Classes : public CliTest {
 protected:
  Classes() { folder_.write("t.csv", kinds({"oak", "ash", "elm"})); }
};

TEST_F(Classes, AreTrainedScoredAndPredicted) {
  const Json trained = document({"train", "t.csv", "--iterations", "40"});
  EXPECT_EQ(trained["task"], "classification");
  EXPECT_EQ(trained["classes"], Json({"ash", "elm", "oak"}));
  EXPECT_EQ(trained["network"]["sizes"].back(), 3);
  EXPECT_EQ(trained["test"]["accuracy"], 1);
  EXPECT_LT(trained["test"]["log_loss"], 0.3);
  EXPECT_EQ(trained["test"]["auc"], 1);
  EXPECT_EQ(trained["test"]["confusion"], Json({{9, 0, 0}, {0, 9, 0}, {0, 0, 9}}));
  EXPECT_FALSE(trained["test"].contains("nrmse"));

  const Json evaluated = document({"evaluate", "model.safetensors", "t.csv"});
  EXPECT_EQ(evaluated["test"]["accuracy"], 1);
  const Outcome predicted =
      knotwork({"predict", "model.safetensors", "-"}, "z,x\n0.5,0.2\n-2.5,4.4\n");
  const Words lines = lines_of(predicted.out);
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_EQ(lines[0], "probability_ash,probability_elm,probability_oak,prediction");
  EXPECT_TRUE(lines[1].ends_with(",oak")) << lines[1];
  EXPECT_TRUE(lines[2].ends_with(",elm")) << lines[2];
}

TEST_F(Classes, AreShownInWords) {
  const Outcome trained = knotwork({"train", "t.csv", "--iterations", "40"});
  EXPECT_THAT(trained.out, HasSubstr("train accuracy"));
  EXPECT_THAT(trained.out, HasSubstr("test log loss"));
  EXPECT_THAT(trained.out, HasSubstr("true \\ predicted"));
  const Outcome evaluated = knotwork({"evaluate", "model.safetensors", "t.csv"});
  EXPECT_THAT(evaluated.out, HasSubstr("accuracy 1.0000   log loss"));
  EXPECT_THAT(evaluated.out, HasSubstr("oak"));
}

TEST_F(Classes, OfNumbersAreGuessedUnlessTheTaskIsGiven) {
  folder_.write("n.csv", kinds({"1", "2", "10"}));
  const Outcome guessed = knotwork({"train", "n.csv", "--iterations", "30"});
  EXPECT_THAT(guessed.err, HasSubstr("3 different whole numbers, so it is treated as classes"));
  const Words lines =
      lines_of(knotwork({"predict", "model.safetensors", "-"}, "x,z\n0.2,0.5\n").out);
  EXPECT_EQ(lines[0], "probability_1,probability_2,probability_10,prediction");
  EXPECT_TRUE(lines[1].ends_with(",1")) << lines[1];
  const Json regression = document({"train", "n.csv", "--iterations", "5", "--task", "regression"});
  EXPECT_EQ(regression["task"], "regression");
  EXPECT_TRUE(regression["test"].contains("nrmse"));
  EXPECT_THAT(refusal({"train", "n.csv", "--task", "clasification"}),
              HasSubstr("did you mean 'classification'?"));
}

TEST_F(Classes, AreTunedByTheLogLoss) {
  const Json tuned = document({"tune", "t.csv", "--study", "s.db", "--vary", "lambda-w=0.001|0.1",
                               "--hidden", "4", "--iterations", "20", "--folds", "3"});
  EXPECT_EQ(tuned["trials"].size(), 2u);
  EXPECT_LT(tuned["winner"]["mean"], 0.7);
  EXPECT_THAT(knotwork({"tune", "--show", "s.db"}).out, HasSubstr("log loss"));
}

TEST_F(Classes, UnknownToTheModelAreRefused) {
  ASSERT_EQ(knotwork({"train", "t.csv", "--iterations", "5"}).code, 0);
  folder_.write("other.csv", kinds({"oak", "fir"}, 20));
  EXPECT_THAT(refusal({"evaluate", "model.safetensors", "other.csv"}),
              HasSubstr("other.csv, line 3, column 3 ('kind'): the class 'fir' is not a class of "
                        "the model; its classes are 'ash', 'elm', 'oak'."));
  EXPECT_THAT(
      refusal({"train", "t.csv", "--loss", "squared"}),
      HasSubstr(
          "The loss 'squared' does not suit 3 classes; use --loss softmax or --task regression"));
  EXPECT_THAT(refusal({"train", "t.csv", "--class-weights", "oka=2"}), HasSubstr("'oak'"));
  EXPECT_THAT(refusal({"train", "t.csv", "--class-weights", "oak=2,oak=3"}),
              HasSubstr("two weights for 'oak'"));
  EXPECT_THAT(refusal({"train", "t.csv", "--class-weights", "oak="}),
              HasSubstr("The weight of class 'oak' must be a number"));
}

TEST_F(Classes, HintsSayWhatNumbersAndWordsCanBe) {
  folder_.write("numbers.csv", small_table(30));
  EXPECT_THAT(refusal({"train", "numbers.csv", "--loss", "softmax"}),
              HasSubstr("use --loss squared or --task classification"));
  folder_.write("words.csv", kinds({"oak", "none"}, 40));
  EXPECT_THAT(refusal({"train", "words.csv"}),
              HasSubstr("to read NA, null, none and similar words as classes, use "
                        "--no-missing-words"));
  EXPECT_EQ(knotwork({"train", "words.csv", "--no-missing-words", "--iterations", "5"}).code, 0);
}

TEST_F(Classes, ThatAreTooManyForAMatrixAreSaidToBe) {
  Words labels;
  for (char letter = 'a'; letter < 'l'; ++letter) labels.emplace_back(1, letter);
  folder_.write("many.csv", kinds(labels, 110));
  EXPECT_THAT(knotwork({"train", "many.csv", "--iterations", "5"}).out,
              HasSubstr("too many to show; --json contains their confusion matrix"));
}

TEST_F(Classes, GoOnFromAModelAndKeepTheirOrder) {
  ASSERT_EQ(knotwork({"train", "t.csv", "--iterations", "5"}).code, 0);
  const Json more = document({"train", "t.csv", "--start-from", "model.safetensors", "--iterations",
                              "20", "--out", "more.safetensors"});
  EXPECT_EQ(more["classes"], Json({"ash", "elm", "oak"}));
}

class Quantiles : public CliTest {};

TEST_F(Quantiles, BecomeColumnsAndTheIntervalIsScored) {
  folder_.write("t.csv", small_table(200));
  const Json trained = document({"train", "t.csv", "--loss", "quantile", "--quantiles",
                                 "0.1,0.5,0.9", "--iterations", "100"});
  EXPECT_DOUBLE_EQ(trained["test"]["interval"]["share"].get<double>(), 0.8);
  EXPECT_GT(trained["test"]["interval"]["coverage"], 0.3);
  EXPECT_THAT(knotwork({"train", "t.csv", "--loss", "quantile", "--iterations", "5", "--out",
                        "short.safetensors"})
                  .out,
              AllOf(HasSubstr("test pinball loss"), HasSubstr("mean width")));
  EXPECT_GT(trained["test"]["pinball"], 0.0);
  EXPECT_LT(trained["test"]["pinball"], trained["test"]["target_deviation"]);
  // The scores are read back from the model file.
  EXPECT_EQ(document({"inspect", "model.safetensors"})["record"]["training"]["test"],
            trained["test"]);
  const Words lines = lines_of(knotwork({"predict", "model.safetensors", "-"}, "x,z\n1,2\n").out);
  EXPECT_EQ(lines[0], "prediction_0.1,prediction_0.5,prediction_0.9");
  EXPECT_THAT(refusal({"train", "t.csv", "--loss", "quantile", "--quantiles", "0.9,0.1"}),
              HasSubstr("ascending"));
  EXPECT_THAT(refusal({"train", "t.csv", "--quantiles", "0.1,0.9"}),
              HasSubstr("the loss is not quantile"));
}

TEST_F(Quantiles, AreComparedByTheirPinballLossAlone) {
  folder_.write("t.csv", small_table(60));
  const Words base = {"--loss", "quantile", "--iterations", "5", "--hidden", "2"};
  Words tune = {"tune", "t.csv", "--study", "s.db", "--folds", "2", "--vary", "lambda-w=0.01|1"};
  tune.insert(tune.end(), base.begin(), base.end());
  document(tune);
  EXPECT_THAT(knotwork({"tune", "--show", "s.db"}).out, HasSubstr("relative pinball loss"));
  EXPECT_THAT(refusal({"tune", "t.csv", "--study", "t.db", "--vary", "loss=squared|quantile"}),
              HasSubstr("search for each"));
  EXPECT_THAT(refusal({"compare", "t.csv", "--variant", "a: --loss squared", "--variant",
                       "b: --loss quantile"}),
              HasSubstr("'a' and 'b' cannot be compared"));
  Words compare = {"compare", "t.csv", "--activations", "tanh,relu", "--folds", "2"};
  compare.insert(compare.end(), base.begin(), base.end());
  compare.insert(compare.end(), {"--budget", "0"});
  EXPECT_EQ(document(compare)["score"], "relative_pinball");
}

}  // namespace
}  // namespace knotwork::testing
