// SPDX-License-Identifier: MIT
// Ctrl-C and SIGTERM while training: a clean end with the best model so far.
#include <signal.h>

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

TEST_F(Interrupt, AnOldModelIsReplacedAsAWhole) {
  folder_.write("model.safetensors", "not a model");
  expect_clean_end(interrupted_by(SIGINT, "adam"));
}

TEST_F(Interrupt, ASignalThatWasIgnoredFromTheStartStaysIgnored) {
  Launch ignoring = launch({"-c",
                            "trap '' INT; exec \"$0\" train builtin:planted --optimizer adam "
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
