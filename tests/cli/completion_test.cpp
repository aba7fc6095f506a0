// SPDX-License-Identifier: MIT
// Tests the completion script in bash.
#include <knotwork/options.hpp>
#include <knotwork/regularizer.hpp>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

class Completion : public CliTest {
 protected:
  Completion() {
    const Outcome outcome = knotwork({"completion", "bash"});
    EXPECT_EQ(outcome.code, 0);
    folder_.write("script", outcome.out);
    folder_.write("table.csv", "x,y\n");
  }
  // The completions offered at the end of a line.
  Words completed(const std::string& line) const {
    Launch bash = launch({"--norc", "--noprofile", "-c",
                          "source ./script; COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'; COMP_LINE=$1; "
                          "COMP_POINT=${#1}; _knotwork; printf '%s\\n' \"${COMPREPLY[@]}\"",
                          "bash", line});
    bash.program = "/bin/bash";
    const Outcome outcome = run(bash);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    return outcome.out == "\n" ? Words{} : lines_of(outcome.out);
  }
};

TEST_F(Completion, OffersCommands) {
  EXPECT_THAT(completed("knotwork tr"), ElementsAre("train"));
  EXPECT_THAT(completed("knotwork "), Contains("inspect"));
  EXPECT_THAT(completed("knotwork --v"), ElementsAre("--version"));
  EXPECT_THAT(completed("knotwork help pre"), ElementsAre("predict"));
  EXPECT_THAT(completed("knotwork completion "), ElementsAre("bash"));
}

TEST_F(Completion, OffersTheOptionsOfTheCommand) {
  Words penalties;
  for (const RegularizerEntry& entry : builtin_regularizers().entries()) {
    penalties.push_back("--" + lambda_field(entry.name).name);
  }
  EXPECT_THAT(completed("knotwork train table.csv --lambda-"),
              ::testing::UnorderedElementsAreArray(penalties));
  EXPECT_THAT(completed("knotwork predict --ke"), ElementsAre("--keep"));
  EXPECT_THAT(completed("knotwork evaluate --ke"), IsEmpty());
  const Words all = completed("knotwork train --");
  for (const TrainOptionField& field : train_option_fields()) {
    EXPECT_THAT(all, Contains("--" + field.name));
  }
}

TEST_F(Completion, OffersTheValuesOfAnOption) {
  EXPECT_THAT(completed("knotwork train t.csv --optimizer a"),
              UnorderedElementsAre("adam", "adamw"));
  EXPECT_THAT(completed("knotwork train t.csv --optimizer=a"),
              UnorderedElementsAre("adam", "adamw"));
  EXPECT_THAT(completed("knotwork train t.csv --basis "),
              UnorderedElementsAre("catmull-rom", "b-spline", "cardinal", "linear"));
  EXPECT_THAT(completed("knotwork train t.csv --scale-inputs q"), ElementsAre("quantile"));
  EXPECT_THAT(completed("knotwork train t.csv --baselines "), ElementsAre("none", "linear", "all"));
  EXPECT_THAT(completed("knotwork compare t.csv --penalties d"),
              UnorderedElementsAre("damping", "damping+curvature"));
  EXPECT_THAT(completed("knotwork compare t.csv --activations a"), Contains("all"));
  EXPECT_THAT(completed("knotwork train t.csv --target "), IsEmpty());
}

TEST_F(Completion, OffersTheValuesOfEveryTrainingOptionThatHasAList) {
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.values.empty()) continue;
    EXPECT_THAT(completed("knotwork train t.csv --" + field.name + " "),
                ::testing::UnorderedElementsAreArray(field.values))
        << field.name;
  }
  EXPECT_THAT(completed("knotwork train t.csv --share "),
              ElementsAre("neuron", "layer", "network"));
  EXPECT_THAT(completed("knotwork train t.csv --start "),
              ElementsAre("auto", "glorot", "variance"));
}

TEST_F(Completion, OffersFilesAndBuiltInSets) {
  EXPECT_THAT(completed("knotwork train ta"), ElementsAre("table.csv"));
  EXPECT_THAT(completed("knotwork predict ta"), ElementsAre("table.csv"));
  EXPECT_THAT(completed("knotwork train table.csv --out ta"), ElementsAre("table.csv"));
  EXPECT_THAT(completed("knotwork train bui"), Contains("builtin:sinc"));
  // Bash replaces only the text after the colon.
  EXPECT_THAT(completed("knotwork train builtin:s"), ElementsAre("sinc", "spirals"));
  EXPECT_THAT(completed("knotwork train builtin:si"), ElementsAre("sinc"));
  EXPECT_THAT(completed("knotwork datasets pl"), ElementsAre("planted"));
  EXPECT_THAT(completed("knotwork datasets ta"), Not(Contains("table.csv")));
}

TEST_F(Completion, CanGoToAFile) {
  EXPECT_EQ(knotwork({"completion", "bash", "--out", "copy"}).out, "");
  EXPECT_EQ(folder_.read("copy"), folder_.read("script"));
}

TEST_F(Completion, IsForBashOnly) {
  EXPECT_THAT(refusal({"completion", "zsh"}), HasSubstr("bash"));
  EXPECT_THAT(refusal({"completion"}), HasSubstr("completion needs SHELL"));
}

}  // namespace
}  // namespace knotwork::testing
