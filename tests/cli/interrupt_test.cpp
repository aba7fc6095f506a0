// SPDX-License-Identifier: MIT
// Ctrl-C and SIGTERM while training: a clean end with the best model so far.
#include <signal.h>
#include <unistd.h>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Interrupt : public CliTest {
 protected:
  // Trains until it is told to stop, once it is known to have begun.
  Outcome interrupted_by(int signal, const std::string& optimizer) const {
    RunningProgram program(launch({"train", "builtin:planted", "--optimizer", optimizer, "--rate",
                                   "1e-6", "--iterations", "1000000000", "--progress", "--json"}));
    EXPECT_TRUE(program.wait_for_error_text("objective"));
    program.send(signal);
    return program.finish();
  }
  void expect_clean_end(const Outcome& outcome) const {
    EXPECT_THAT(lines_of(outcome.err).back(),
                ::testing::AllOf(HasSubstr("knotwork: "), HasSubstr("model.safetensors")));
    const Json json = Json::parse(outcome.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << outcome.out;
    EXPECT_EQ(json["interrupted"], true);
    EXPECT_EQ(json["stopped"], "requested");
    EXPECT_THAT(folder_.names(), ElementsAre("model.safetensors"));
    const Json scores = document({"evaluate", "model.safetensors", "builtin:planted"});
    EXPECT_EQ(scores["parameters_sha256"], json["parameters_sha256"]);
  }
};

TEST_F(Interrupt, CtrlCSavesTheModelAndIsExitCode130) {
  const Outcome outcome = interrupted_by(SIGINT, "adam");
  EXPECT_EQ(outcome.code, 130);
  expect_clean_end(outcome);
}

TEST_F(Interrupt, SigtermSavesTheModelAndIsExitCode143) {
  const Outcome outcome = interrupted_by(SIGTERM, "adam");
  EXPECT_EQ(outcome.code, 143);
  expect_clean_end(outcome);
}

TEST_F(Interrupt, AClosedTerminalSavesTheModelAndIsExitCode129) {
  const Outcome outcome = interrupted_by(SIGHUP, "adam");
  EXPECT_EQ(outcome.code, 129);
  expect_clean_end(outcome);
}

TEST_F(Interrupt, ASecondOneEndsAtOnce) {
  // The first is noticed after the iteration under way, which takes far longer than the others need
  // to come. Signals that are still on their way count once, hence several.
  RunningProgram program(launch({"train", "builtin:planted", "--hidden", "400,400", "--optimizer",
                                 "adam", "--batch", "1", "--progress"}));
  ASSERT_TRUE(program.wait_for_error_text("objective"));
  for (int k = 0; k < 20; ++k) {
    program.send(SIGINT);
    ::usleep(5000);
  }
  EXPECT_EQ(program.finish().code, -SIGINT);
  EXPECT_THAT(folder_.names(), ::testing::IsEmpty());
}

TEST_F(Interrupt, WhileChoosingLeavesTheBestModelSoFar) {
  as_people_do_ = true;
  RunningProgram program(launch({"train", "builtin:planted", "--iterations", "1000000000",
                                 "--optimizer", "adam", "--progress", "--json"}));
  EXPECT_TRUE(program.wait_for_error_text("choosing"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  expect_clean_end(outcome);
}

TEST_F(Interrupt, WhileChoosingThereIsNothingToRepeat) {
  as_people_do_ = true;
  folder_.write("t.csv", small_table());
  RunningProgram program(launch({"train", "t.csv", "--iterations", "1000000000", "--optimizer",
                                 "adam", "--progress", "--save-config", "c.toml"}));
  EXPECT_TRUE(program.wait_for_error_text("choosing"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.err, ::testing::AllOf(HasSubstr("of 12 trainings to compare them"),
                                            HasSubstr("c.toml was not written")));
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("inf")));
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("chosen  ")));
  EXPECT_THAT(folder_.names(), ElementsAre("model.safetensors", "t.csv"));
}

TEST_F(Interrupt, WithoutAModelNothingIsSaved) {
  as_people_do_ = true;
  folder_.write("t.csv", small_table());
  // Networks that take a while to make, and not one iteration.
  RunningProgram program(launch({"train", "t.csv", "--hidden", "2000,2000", "--iterations", "0",
                                 "--ensemble", "1", "--progress", "--save-config", "c.toml"}));
  EXPECT_TRUE(program.wait_for_error_text("choosing"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.err, ::testing::AllOf(HasSubstr("nothing was saved"),
                                            HasSubstr("c.toml was not written")));
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(folder_.names(), ElementsAre("t.csv"));
}

TEST_F(Interrupt, WhileRefittingLeavesTheModelFromBefore) {
  folder_.write("t.csv", small_table());
  RunningProgram program(launch({"train", "t.csv", "--hidden", "60", "--iterations", "3000",
                                 "--optimizer", "adam", "--refit", "--progress"}));
  EXPECT_TRUE(program.wait_for_error_text("refitting"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.err, HasSubstr("all rows was interrupted; the model from before it is in"));
  EXPECT_EQ(record_of(folder_.read("model.safetensors"))["training"]["refitted"], false);
}

TEST_F(Interrupt, InTheBaselinesLeavesAWholeModel) {
  as_people_do_ = true;
  folder_.write("t.csv", small_table());
  RunningProgram program(
      launch({"train", "t.csv", "--preset", "paper", "--iterations", "2000", "--progress"}));
  EXPECT_TRUE(program.wait_for_error_text("baselines"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.err, HasSubstr("the model in model.safetensors is whole"));
  EXPECT_EQ(knotwork({"evaluate", "model.safetensors", "t.csv"}).code, 0);
}

TEST_F(Interrupt, AnOldModelIsReplacedAsAWhole) {
  ASSERT_EQ(knotwork({"train", "builtin:planted", "--iterations", "1"}).code, 0);
  expect_clean_end(interrupted_by(SIGINT, "adam"));
}

TEST_F(Interrupt, ABuiltinSetIsWrittenWholeOrNotAtAll) {
  for (const std::string name : {"endless.csv", "endless.safetensors"}) {
    RunningProgram program(
        launch({"datasets", "sinc", "--rows", "10000000000", "--out", name, "--progress"}));
    EXPECT_TRUE(program.wait_for_error_text("writing"));
    program.send(SIGINT);
    const Outcome outcome = program.finish();
    EXPECT_EQ(outcome.code, 130);
    EXPECT_EQ(lines_of(outcome.err).back(),
              "knotwork: " + name + " was not written, since it was interrupted.");
    EXPECT_THAT(folder_.names(), ::testing::IsEmpty());
  }
}

TEST_F(Interrupt, ASignalThatWasIgnoredFromTheStartStaysIgnored) {
  Launch ignoring = launch({"-c",
                            "trap '' INT; exec \"$0\" train builtin:planted --preset paper "
                            "--iterations 1000000000 --progress",
                            KNOTWORK_PROGRAM});
  ignoring.program = "/bin/sh";
  RunningProgram program(ignoring);
  ASSERT_TRUE(program.wait_for_error_text("objective"));
  program.send(SIGINT);
  program.send(SIGTERM);
  EXPECT_EQ(program.finish().code, 143);
}

}  // namespace
}  // namespace knotwork::testing
