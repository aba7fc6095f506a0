// SPDX-License-Identifier: MIT
// Tests the completion scripts in bash, zsh and fish.
#include <unistd.h>

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
    folder_.write("table.csv", "size,a b,price\n1,2,3\n");
  }
  // The completions offered at the end of a line.
  Words completed(const std::string& line) const {
    Launch bash = launch({"--norc", "--noprofile", "-c",
                          "knotwork() { \"$PROGRAM\" \"$@\"; }; "
                          "source ./script; COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'; COMP_LINE=$1; "
                          "COMP_POINT=${#1}; _knotwork; printf '%s\\n' \"${COMPREPLY[@]}\"",
                          "bash", line});
    bash.program = "/bin/bash";
    bash.environment = {{"PROGRAM", KNOTWORK_PROGRAM}};
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
  EXPECT_THAT(completed("knotwork completion "), ElementsAre("bash", "zsh", "fish"));
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

TEST_F(Completion, OffersTheColumnsOfTheTable) {
  const auto columns = ElementsAre("size", "a\\ b", "price");
  EXPECT_THAT(completed("knotwork train table.csv --target "), columns);
  EXPECT_THAT(completed("knotwork train table.csv --hidden 3 --drop s"), ElementsAre("size"));
  EXPECT_THAT(completed("knotwork train table.csv --target=p"), ElementsAre("price"));
  EXPECT_THAT(completed("knotwork predict m.st table.csv --keep pr"), ElementsAre("price"));
  EXPECT_THAT(completed("knotwork train nothing.csv --target "), IsEmpty());
}

TEST_F(Completion, ColumnsAreAskedForSilently) {
  const auto columns = [&](const Words& words) {
    Words all = {"completion", "columns"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = knotwork(all);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    return lines_of(outcome.out);
  };
  EXPECT_THAT(columns({"7", "table.csv", "script"}), ElementsAre("size", "a b", "price"));
  EXPECT_THAT(columns({"builtin:sinc"}), Not(IsEmpty()));
  folder_.write("damaged.csv", "a,\"b\n");
  EXPECT_EQ(knotwork({"completion", "columns", "damaged.csv"}).out, "");
  EXPECT_EQ(knotwork({"completion", "columns", "nothing.csv"}).out, "");
  EXPECT_EQ(knotwork({"completion", "columns"}).out, "");
}

TEST_F(Completion, KnowsThreeShells) {
  EXPECT_THAT(refusal({"completion", "tcsh"}), HasSubstr("bash"));
  EXPECT_THAT(refusal({"completion", "zsh", "more"}), HasSubstr("'more' is one argument too many"));
  EXPECT_THAT(refusal({"completion"}), HasSubstr("completion needs SHELL"));
}

// fish completes a line without a terminal.
TEST_F(Completion, WorksInFish) {
  Launch fish = launch({"--no-config", "-c", ""});
  fish.program = "/usr/bin/fish";
  fish.environment = {{"PROGRAM", KNOTWORK_PROGRAM}};
  if (::access(fish.program.c_str(), X_OK) != 0) GTEST_SKIP() << "fish is not installed";
  folder_.write("script.fish", knotwork({"completion", "fish"}).out);
  const auto completed_in_fish = [&](const std::string& line) {
    fish.arguments.back() =
        "function knotwork; $PROGRAM $argv; end; source script.fish; "
        "complete -C '" +
        line + "' | cut -f 1";
    const Outcome outcome = run(fish);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    return outcome.out.empty() ? Words{} : lines_of(outcome.out);
  };
  EXPECT_THAT(completed_in_fish("knotwork tra"), ElementsAre("train"));
  EXPECT_THAT(completed_in_fish("knotwork train t.csv --optimizer ad"),
              UnorderedElementsAre("adam", "adamw"));
  EXPECT_THAT(completed_in_fish("knotwork train table.csv --target "),
              UnorderedElementsAre("size", "a b", "price"));
  EXPECT_THAT(completed_in_fish("knotwork train table.csv --refit"), Contains("--refit"));
  EXPECT_THAT(completed_in_fish("knotwork train tab"), Contains("table.csv"));
  EXPECT_THAT(completed_in_fish("knotwork predict --kee"), ElementsAre("--keep"));
}

// zsh completes in a terminal only; in its place the test prints what is handed to _arguments.
TEST_F(Completion, WorksInZsh) {
  Launch zsh = launch({"-f", "-c", ""});
  zsh.program = "/usr/bin/zsh";
  zsh.environment = {{"PROGRAM", KNOTWORK_PROGRAM}};
  if (::access(zsh.program.c_str(), X_OK) != 0) GTEST_SKIP() << "zsh is not installed";
  folder_.write("script.zsh", knotwork({"completion", "zsh"}).out);
  zsh.arguments.back() =
      "compdef() { [[ $1 == _knotwork ]] }; "
      "_arguments() { if [[ $1 == -C ]]; then state=arguments; else print -l -- $@; fi }; "
      "_call_program() { shift; eval $@ }; "
      "compadd() { print -l -- ${(P)argv[-1]} }; "
      "source ./script.zsh || exit 1; "
      "words=(train table.csv --target ''); CURRENT=4; knotwork_program=$PROGRAM; "
      "_knotwork; _knotwork_columns";
  const Outcome outcome = run(zsh);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("\n*--drop=["));
  EXPECT_THAT(outcome.out, HasSubstr(":COL:_knotwork_columns\n"));
  EXPECT_THAT(outcome.out, HasSubstr("--refit["));
  EXPECT_THAT(outcome.out, ::testing::EndsWith("\nsize\na b\nprice\n"));
}

}  // namespace
}  // namespace knotwork::testing
