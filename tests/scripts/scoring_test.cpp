// SPDX-License-Identifier: MIT
// Tests the scripts that score the program on real tables, without the tables: their help texts and
// the requests they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "run_program.hpp"

namespace knotwork::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class ScoringScript : public ::testing::TestWithParam<const char*> {
 protected:
  Outcome run_script(std::vector<std::string> arguments) const {
    return run({.program = std::string(KNOTWORK_SOURCE_DIR) + "/scripts/" + GetParam(),
                .arguments = std::move(arguments),
                .folder = folder_.path(),
                .input = "",
                .environment = {{"KNOTWORK_DATA_DIR", folder_.path().string()}}});
  }
  // Arguments that the script requires.
  std::vector<std::string> words() const {
    if (std::string(GetParam()) == "compare-docs") return {"activations", "concrete"};
    return {};
  }

  Folder folder_;
};

TEST_P(ScoringScript, ExplainsItself) {
  const Outcome help = run_script({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, StartsWith(std::string("Usage: scripts/") + GetParam()));
}

TEST_P(ScoringScript, SaysWhichTableIsMissing) {
  const Outcome outcome = run_script(words());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr(".csv is not there; --data-dir or KNOTWORK_DATA_DIR names"));
}

TEST_P(ScoringScript, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(run_script({"--data-dri", "."}).code, 2);
  EXPECT_THAT(run_script({"--data-dri", "."}).err, HasSubstr("there is no option --data-dri"));
  EXPECT_THAT(run_script({"--data-dir"}).err, HasSubstr("--data-dir needs a folder."));
}

INSTANTIATE_TEST_SUITE_P(All, ScoringScript,
                         ::testing::Values("score-defaults", "score-classes", "score-california",
                                           "score-depth", "compare-docs"),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace knotwork::testing
