// SPDX-License-Identifier: MIT
#include <algorithm>

#include <knotwork/options.hpp>
#include <knotwork/training.hpp>
#include <knotwork/version.hpp>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Help : public CliTest {};

TEST_F(Help, OfTheProgramListsItsCommandsAndShowsExamples) {
  const Outcome outcome = knotwork({"--help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* word : {"train", "tune", "compare", "predict", "evaluate", "inspect", "export",
                           "datasets", "completion", "help", "--version", "Examples:"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

TEST_F(Help, OfEveryCommandShowsExamplesOfThatCommand) {
  for (const std::string command : {"train", "tune", "compare", "predict", "evaluate", "inspect",
                                    "export", "datasets", "completion", "help"}) {
    for (const std::string option : {"--help", "-h"}) {
      const Outcome outcome = knotwork({command, option});
      EXPECT_EQ(outcome.code, 0);
      EXPECT_EQ(outcome.err, "");
      EXPECT_THAT(outcome.out, HasSubstr("Examples:\n  knotwork " + command + " "));
    }
  }
}

TEST_F(Help, OfTrainNamesEveryTrainingOptionAndItsDefault) {
  const std::string text = knotwork({"train", "--help"}).out;
  const TrainOptions defaults;
  for (const TrainOptionField& field : train_option_fields()) {
    EXPECT_THAT(text, HasSubstr("--" + field.name + " "));
    EXPECT_THAT(text, HasSubstr(field.help));
    bool chosen = false;
    for (const auto& open : {automatic_options(), input_spline_options()}) {
      chosen = chosen || std::find(open.begin(), open.end(), field.name) != open.end();
    }
    const std::string standard = chosen ? "chosen" : field.get(defaults);
    if (chosen || (!field.value.empty() && !standard.empty())) {
      EXPECT_THAT(text, HasSubstr(field.help + " (default: " + standard + ")"));
    }
  }
}

TEST_F(Help, OfTrainIsInGroups) {
  const std::string text = knotwork({"train", "--help"}).out;
  std::size_t last = 0;
  for (const char* group : {"\nData:", "\nTest part:", "\nNetwork:", "\nObjective:", "\nOptimizer:",
                            "\nStopping:", "\nRun:", "\nOutput:"}) {
    const std::size_t at = text.find(group);
    ASSERT_NE(at, std::string::npos) << group;
    EXPECT_GT(at, last) << group;
    last = at;
  }
}

TEST_F(Help, AsACommandIsThatOfTheOption) {
  EXPECT_EQ(knotwork({"help"}).out, knotwork({"--help"}).out);
  for (const std::string command : {"train", "predict", "help"}) {
    EXPECT_EQ(knotwork({"help", command}).out, knotwork({command, "--help"}).out);
  }
  EXPECT_THAT(refusal({"help", "trian"}), HasSubstr("did you mean 'train'?"));
}

TEST_F(Help, VersionIsTheLibrarysVersion) {
  const Outcome outcome = knotwork({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "knotwork " KNOTWORK_VERSION_STRING "\n");
}

TEST_F(Help, AsksForACommandWhenThereIsNone) {
  EXPECT_THAT(refusal({}), HasSubstr("A command is needed"));
}

}  // namespace
}  // namespace knotwork::testing
