// SPDX-License-Identifier: MIT
// Tests invalid requests: exit code 2 and one helpful sentence.
#include <csignal>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Refusals : public CliTest {
 protected:
  Refusals() { folder_.write("t.csv", small_table()); }
  // A request that would train forever if it were not refused.
  std::string refused(Words options) const {
    options.insert(options.begin(), {"train", "t.csv", "--iterations", "1000000000"});
    return refusal(std::move(options));
  }
};

TEST_F(Refusals, SuggestTheClosestName) {
  EXPECT_THAT(refusal({"trian", "t.csv"}),
              HasSubstr("command called 'trian'; did you mean 'train'?"));
  EXPECT_THAT(refusal({"train", "t.csv", "--lamda-w", "1"}),
              HasSubstr("did you mean '--lambda-w'?"));
  EXPECT_THAT(refusal({"train", "t.csv", "--seeed=1"}), HasSubstr("did you mean '--seed'?"));
  EXPECT_THAT(refusal({"train", "--taget", "y", "t.csv"}), HasSubstr("did you mean '--target'?"));
  EXPECT_THAT(refusal({"predict", "--jsn"}), HasSubstr("did you mean '--json'?"));
  EXPECT_THAT(refusal({"--versoin"}), HasSubstr("did you mean '--version'?"));
  EXPECT_THAT(refused({"--preset", "papr"}),
              HasSubstr("preset called 'papr'; did you mean 'paper'?"));
  EXPECT_THAT(refused({"--activation", "tahn"}), HasSubstr("did you mean 'tanh'?"));
  EXPECT_THAT(refused({"--output-activation", "splin"}), HasSubstr("did you mean 'spline'?"));
  EXPECT_THAT(refused({"--optimizer", "adma"}), HasSubstr("did you mean 'adam'?"));
  EXPECT_THAT(refused({"--basis", "b-splin"}), HasSubstr("did you mean 'b-spline'?"));
  EXPECT_THAT(refused({"--scale-inputs", "rang"}), HasSubstr("did you mean 'range'?"));
  EXPECT_THAT(refusal({"train", "builtin:plantd"}), HasSubstr("did you mean 'planted'?"));
}

TEST_F(Refusals, SuggestTheClosestColumn) {
  folder_.write("houses.csv", "rooms,price\n1,2\n2,3\n3,5\n");
  EXPECT_THAT(refusal({"train", "houses.csv", "--target", "prise"}),
              AllOf(HasSubstr("houses.csv"), HasSubstr("'prise'"), HasSubstr("'price'")));
  EXPECT_THAT(refusal({"train", "houses.csv", "--weight-column", "room"}),
              AllOf(HasSubstr("'room'"), HasSubstr("'rooms'")));
}

TEST_F(Refusals, ListWhatThereIsWhenNothingIsClose) {
  EXPECT_THAT(refusal({"-train"}), HasSubstr("'-train'; knotwork --help lists the options"));
  EXPECT_THAT(refused({"--precision", "half"}), HasSubstr("auto, float, double"));
  EXPECT_THAT(refusal({"xyzzy"}),
              AllOf(HasSubstr("train"), HasSubstr("predict"), HasSubstr("evaluate")));
  EXPECT_THAT(refused({"--optimizer", "xyzzy"}), HasSubstr("cg, lbfgs, adam, adamw"));
}

TEST_F(Refusals, OfValuesNameTheOptionAndTheValue) {
  EXPECT_THAT(refused({"--lambda-w", "-1"}), AllOf(HasSubstr("lambda-w"), HasSubstr("-1")));
  EXPECT_THAT(refused({"--lambda-w"}), HasSubstr("--lambda-w"));
  EXPECT_THAT(refused({"--hidden", "4,x"}), AllOf(HasSubstr("hidden"), HasSubstr("'x'")));
  EXPECT_THAT(refused({"--seed", "-1"}), AllOf(HasSubstr("seed"), HasSubstr("-1")));
  EXPECT_THAT(refused({"--batch", "8"}), AllOf(HasSubstr("batch"), HasSubstr("lbfgs")));
  EXPECT_THAT(refused({"--activation", ""}), HasSubstr("activation called ''"));
  EXPECT_THAT(refused({"--test-fraction", "some"}), HasSubstr("some"));
  for (const char* value : {"1", "-0.1", "1.5"}) {
    EXPECT_THAT(refused({"--test-fraction", value}),
                AllOf(HasSubstr("--test-fraction must be at least 0"), HasSubstr(value)));
  }
  EXPECT_THAT(refusal({"train"}), HasSubstr("train needs DATA"));
  EXPECT_THAT(refused({"u.csv"}), HasSubstr("'u.csv' is one argument too many"));
}

TEST_F(Refusals, PredictAndEvaluateCheckThreadsAndSeedAsTrainDoes) {
  for (const char* command : {"predict", "evaluate"}) {
    EXPECT_THAT(refusal({command, "m", "t.csv", "--threads", "-1"}), HasSubstr("'-1'"));
    EXPECT_THAT(refusal({command, "m", "t.csv", "--threads", "5000"}), HasSubstr("5000"));
    EXPECT_THAT(refusal({command, "m", "t.csv", "--seed", "-1"}), HasSubstr("'-1'"));
  }
}

TEST_F(Refusals, OfFilesThatAreNotThereNameThem) {
  EXPECT_THAT(refusal({"train", "none.csv"}), HasSubstr("none.csv"));
  EXPECT_THAT(refused({"--test-rows", "none.txt"}), HasSubstr("none.txt"));
  EXPECT_THAT(refusal({"predict", "none.st", "t.csv"}), HasSubstr("none.st"));
  EXPECT_THAT(refusal({"evaluate", "none.st", "t.csv"}), HasSubstr("none.st"));
  EXPECT_THAT(refusal({"train", "."}), HasSubstr("is a folder"));
}

TEST_F(Refusals, OfATableNameFileLineAndColumn) {
  folder_.write("bad.csv", small_table(40) + "1,1e999,3\n");
  EXPECT_THAT(refusal({"train", "bad.csv"}),
              AllOf(HasSubstr("bad.csv, line 42, column 2"), HasSubstr("1e999")));
  folder_.write("short.csv", "a,b\n1,2\n3\n");
  EXPECT_THAT(refusal({"train", "short.csv"}), HasSubstr("short.csv, line 3"));
  EXPECT_THAT(refusal({"train", "-"}, small_table(40) + "1e999,1,3\n"),
              HasSubstr("standard input, line 42, column 1"));
  EXPECT_THAT(refusal({"train", "-"}, ""), HasSubstr("standard input is empty"));
}

TEST_F(Refusals, OfTestRowsSayWhere) {
  folder_.write("word.txt", "1\nthree\n");
  EXPECT_THAT(refused({"--test-rows", "word.txt"}),
              AllOf(HasSubstr("word.txt, line 2"), HasSubstr("'three'")));
  folder_.write("twice.txt", "1\n3\n1\n");
  EXPECT_THAT(refused({"--test-rows", "twice.txt"}),
              AllOf(HasSubstr("twice.txt, line 3"), HasSubstr("row 1 ")));
  folder_.write("beyond.txt", "59\n60\n");
  EXPECT_THAT(refused({"--test-rows", "beyond.txt"}),
              AllOf(HasSubstr("row 60"), HasSubstr("60 rows")));
  folder_.write("empty.txt", "\n\n");
  EXPECT_THAT(refused({"--test-rows", "empty.txt"}), HasSubstr("empty.txt"));
}

TEST_F(Refusals, OfAPlaceForTheModelComeBeforeTraining) {
  EXPECT_THAT(refused({"--out", "nowhere/m.st"}),
              AllOf(HasSubstr("nowhere/m.st"), HasSubstr("no folder nowhere")));
  EXPECT_THAT(refused({"--out", "."}), HasSubstr("folder"));
  EXPECT_THAT(refused({"--out", "t.csv/m.st"}), HasSubstr("no folder t.csv"));
  EXPECT_THAT(folder_.names(), ElementsAre("t.csv"));
}

TEST_F(Refusals, OfADamagedModelComeFromEveryCommandThatReadsOne) {
  ASSERT_EQ(knotwork({"train", "t.csv", "--iterations", "2"}).code, 0);
  const std::string good = folder_.read("model.safetensors");
  std::string flipped = good;
  flipped[flipped.size() - 5] ^= 1;
  folder_.write("flipped.st", flipped);
  folder_.write("half.st", good.substr(0, good.size() / 2));
  folder_.write("empty.st", "");
  for (const char* command : {"predict", "evaluate"}) {
    EXPECT_THAT(refusal({command, "flipped.st", "t.csv"}),
                AllOf(HasSubstr("flipped.st"), HasSubstr("changed or damaged")));
    EXPECT_THAT(refusal({command, "half.st", "t.csv"}), HasSubstr("not a complete model file"));
    EXPECT_THAT(refusal({command, "empty.st", "t.csv"}), HasSubstr("not a complete model file"));
    EXPECT_THAT(refusal({command, "t.csv", "t.csv"}), HasSubstr("t.csv"));
  }
}

TEST_F(Refusals, ATableThatDoesNotFitTheModelIsToldWhichColumnIsMissing) {
  ASSERT_EQ(knotwork({"train", "t.csv", "--iterations", "2"}).code, 0);
  EXPECT_THAT(refusal({"predict", "model.safetensors", "-"}, "x,q\n1,2\n"), HasSubstr("'z'"));
  EXPECT_THAT(refusal({"evaluate", "model.safetensors", "-"}, "x,z\n1,2\n"), HasSubstr("'y'"));
  EXPECT_THAT(refusal({"predict", "model.safetensors", "t.csv", "--out", "nowhere/p.csv"}),
              HasSubstr("no folder nowhere"));
}

class FailedRuns : public CliTest {
 protected:
  Outcome knotwork_to(Output output, Words arguments) const {
    Launch wanted = launch(std::move(arguments));
    wanted.output = output;
    return run(wanted);
  }
};

TEST_F(FailedRuns, AResultThatCannotBePrintedIsExitCode1AndTheModelIsThere) {
  for (Output output : {Output::full_disk, Output::closed}) {
    const Outcome outcome =
        knotwork_to(output, {"train", "builtin:sinc", "--iterations", "2", "--json"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, AllOf(IsOneSentence(), HasSubstr("standard output")));
    EXPECT_EQ(knotwork({"evaluate", "model.safetensors", "builtin:sinc"}).code, 0);
  }
}

TEST_F(FailedRuns, SoAreHelpAndPredictionsThatCannotBePrinted) {
  ASSERT_EQ(knotwork({"train", "builtin:sinc", "--iterations", "2"}).code, 0);
  for (const Words& words : {Words{"--help"}, Words{"train", "--help"}, Words{"--version"},
                             Words{"predict", "model.safetensors", "builtin:sinc"},
                             Words{"evaluate", "model.safetensors", "builtin:sinc"}}) {
    for (Output output : {Output::full_disk, Output::closed}) {
      const Outcome outcome = knotwork_to(output, words);
      EXPECT_EQ(outcome.code, 1) << words[0];
      EXPECT_THAT(outcome.err, IsOneSentence());
    }
  }
}

TEST_F(FailedRuns, AModelIsNotWrittenToATerminal) {
  const Outcome outcome =
      knotwork_to(Output::terminal, {"train", "builtin:sinc", "--iterations", "2", "--out", "-"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(IsOneSentence(), HasSubstr("terminal")));
}

TEST_F(FailedRuns, APipeThatNobodyReadsEndsQuietlyAfterTheModelWasSaved) {
  for (const Words& words :
       {Words{"train", "builtin:sinc", "--iterations", "2", "--json"}, Words{"--help"},
        Words{"predict", "model.safetensors", "builtin:sinc"}}) {
    const Outcome outcome = knotwork_to(Output::broken_pipe, words);
    EXPECT_EQ(outcome.code, 128 + SIGPIPE) << words[0];
    EXPECT_THAT(outcome.err, Not(HasSubstr("standard output"))) << words[0];
  }
  EXPECT_EQ(knotwork({"evaluate", "model.safetensors", "builtin:sinc"}).code, 0);
}

TEST_F(Refusals, OfAnOutputThatIsAnInputKeepTheInput) {
  const std::string table = small_table(20);
  folder_.write("t.csv", table);
  EXPECT_THAT(refusal({"train", "t.csv", "--out", "t.csv"}), HasSubstr("overwrite"));
  EXPECT_EQ(knotwork({"train", "t.csv", "--iterations", "2"}).code, 0);
  EXPECT_THAT(refusal({"predict", "model.safetensors", "t.csv", "--out", "./t.csv"}),
              HasSubstr("overwrite"));
  EXPECT_THAT(refusal({"predict", "model.safetensors", "t.csv", "--out", "model.safetensors"}),
              HasSubstr("overwrite"));
  EXPECT_EQ(folder_.read("t.csv"), table);
}

TEST_F(Refusals, OfAPlaceThatIsEmptyOrAModelComeFromEveryCommand) {
  ASSERT_EQ(knotwork({"train", "t.csv", "--iterations", "2"}).code, 0);
  const std::string model = folder_.read("model.safetensors");
  folder_.write("other.st", model);
  EXPECT_THAT(refused({"--out", ""}), HasSubstr("--out is empty"));
  EXPECT_THAT(refused({"--save-config", ""}), HasSubstr("--save-config is empty"));
  EXPECT_THAT(refusal({"predict", "model.safetensors", "t.csv", "--out", ""}),
              HasSubstr("--out is empty"));
  EXPECT_THAT(refusal({"predict", "model.safetensors", ""}), HasSubstr("DATA is empty"));
  EXPECT_THAT(refusal({"predict", "model.safetensors", "t.csv", "--out", "other.st"}),
              HasSubstr("other.st is a model, which would be replaced"));
  EXPECT_THAT(refused({"--save-config", "other.st"}), HasSubstr("is a model"));
  EXPECT_THAT(refusal({"datasets", "sinc", "--out", "other.st"}), HasSubstr("is a model"));
  EXPECT_EQ(folder_.read("other.st"), model);
}

TEST_F(Refusals, OfAPlaceThatIsAStudyComeFromEveryCommand) {
  const std::string study("SQLite format 3\0and more", 24);
  folder_.write("s.db", study);
  ASSERT_EQ(knotwork({"train", "t.csv", "--iterations", "2"}).code, 0);
  const Words predicting = {"predict", "model.safetensors", "t.csv", "--out", "s.db"};
  for (const Words& words :
       {predicting, Words{"datasets", "sinc", "--out", "s.db"},
        Words{"completion", "bash", "--out", "s.db"},
        Words{"train", "t.csv", "--save-config", "s.db"}, Words{"train", "t.csv", "--out", "s.db"},
        Words{"tune", "t.csv", "--study", "new.db", "--out", "s.db"}}) {
    EXPECT_THAT(refusal(words), HasSubstr("s.db is a study, which would be replaced")) << words[0];
  }
  EXPECT_THAT(refusal({"inspect", "s.db"}),
              HasSubstr("a study, not a model file; name a model (knotwork tune --show s.db"));
  EXPECT_EQ(folder_.read("s.db"), study);
}

TEST_F(Refusals, AModelReplacesNothingButAModelOrAnEmptyFile) {
  folder_.write("notes.txt", "not to be lost\n");
  folder_.write("empty", "");
  EXPECT_THAT(refused({"--out", "notes.txt"}), HasSubstr("notes.txt is not a model"));
  EXPECT_THAT(refusal({"tune", "t.csv", "--study", "new.db", "--out", "notes.txt"}),
              HasSubstr("notes.txt is not a model"));
  EXPECT_EQ(folder_.read("notes.txt"), "not to be lost\n");
  EXPECT_EQ(knotwork({"train", "t.csv", "--iterations", "2", "--out", "empty"}).code, 0);
  EXPECT_EQ(
      knotwork({"train", "t.csv", "--iterations", "2", "--out", "empty", "--start-from", "empty"})
          .code,
      0);
}

TEST_F(Refusals, OfOptionsWithoutEffectSayWhy) {
  EXPECT_THAT(refusal({"train", "builtin:sinc", "--rate", "0.1"}), HasSubstr("--rate"));
  EXPECT_THAT(refusal({"train", "builtin:sinc", "--patience", "5"}), HasSubstr("validation"));
  EXPECT_THAT(refusal({"train", "builtin:sinc", "--activation", "tanh", "--knots", "9"}),
              HasSubstr("splines"));
  EXPECT_THAT(refusal({"train", "builtin:sinc", "--lambda-w", "1", "--warm-path", "1,2"}),
              HasSubstr("warm-path"));
  EXPECT_THAT(refusal({"train", "builtin:sinc", "--test-fraction", "30%"}),
              HasSubstr("--test-fraction must be a number, not '30%'"));
  EXPECT_THAT(refusal({"train", "builtin:sinc", "--zebra", "1"}),
              HasSubstr("--help lists the options"));
  EXPECT_THAT(refusal({"train", "builtin:sinc", "--seed"}), HasSubstr("--seed needs a value"));
  EXPECT_THAT(refusal({"train", "builtin:sinc", "--seed", "1", "--seed", "2"}),
              HasSubstr("given 2 times"));
}

}  // namespace
}  // namespace knotwork::testing
