// SPDX-License-Identifier: MIT
// Tests searches that are stopped and resumed. (crash_test.cpp kills them.)
#include <signal.h>

#include "tune_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TuneResume : public TuneTest {
 protected:
  // Long enough to be interrupted in the middle.
  static Words search(const std::string& study) {
    return {"tune",       "builtin:planted", "--study",    study,         "--iterations",
            "12",         "--vary",          "knots=9|15", "--vary",      "lambda-w=2^-8..2^2",
            "--strategy", "refine",          "--out",      study + ".st", "--folds",
            "2"};
  }
  static Json without_places(Json document) {
    document = essence(std::move(document));
    document.erase("model");
    return document;
  }
  void expect_same_end(const Json& undisturbed, const Json& disturbed) const {
    EXPECT_EQ(without_places(disturbed), without_places(undisturbed));
    EXPECT_EQ(tensors_of(folder_.read(disturbed["model"])),
              tensors_of(folder_.read(undisturbed["model"])));
  }
};

TEST_F(TuneResume, CtrlCStopsCleanlyAndTheSameCommandGoesOn) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string study = std::to_string(signal) + ".db";
    Words words = search(study);
    words.insert(words.end(), {"--progress", "--json", "--threads", "2"});
    RunningProgram program(launch(words));
    ASSERT_TRUE(program.wait_for_error_text("searching"));
    program.send(signal);
    const Outcome outcome = program.finish();
    EXPECT_EQ(outcome.code, 128 + signal);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(
        lines_of(outcome.err).back(),
        AllOf(HasSubstr("knotwork: The search was interrupted after "),
              HasSubstr(" folds; the same command resumes from the study"), HasSubstr(study)));
    const Json so_far = document({"tune", "--show", study});
    EXPECT_FALSE(so_far.contains("model"));
    EXPECT_THAT(knotwork({"tune", "--show", study}).out, HasSubstr("study      " + study));
    expect_same_end(document(search("whole.db")), document(search(study)));
  }
}

TEST_F(TuneResume, CtrlCWhileTheWinnerIsTrainedLeavesNoHalfModel) {
  const Words words = {"tune", "builtin:planted", "--study", "s.db",   "--iterations",
                       "400",  "--folds",         "2",       "--vary", "hidden=10"};
  Words watched = words;
  watched.insert(watched.end(), {"--progress", "--threads", "2"});
  RunningProgram program(launch(watched));
  ASSERT_TRUE(program.wait_for_error_text("training"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(lines_of(outcome.err).back(),
              HasSubstr("The search has finished, but the training of its winner was interrupted; "
                        "the same command resumes from the study"));
  EXPECT_THAT(folder_.names(), ElementsAre("s.db", "t.csv"));
  EXPECT_EQ(document(words)["evaluated"], 0);
}

}  // namespace
}  // namespace knotwork::testing
