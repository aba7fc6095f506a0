// SPDX-License-Identifier: MIT
// Tests requests in configuration files.
#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Config : public CliTest {
 protected:
  Config() {
    as_people_do_ = true;
    folder_.write("t.csv", small_table(40));
  }
  Json trained_with(const std::string& toml, Words more = {}) const {
    folder_.write("c.toml", toml);
    more.insert(more.begin(), {"train", "--config", "c.toml", "--baselines", "none"});
    return document(more);
  }
  std::string refused(const std::string& toml) const {
    folder_.write("c.toml", toml);
    return refusal({"train", "t.csv", "--config", "c.toml"});
  }
  // Everything that could be chosen is set.
  static constexpr const char* kQuick =
      "hidden = [3, 2]\nensemble = 1\niterations = 4\noutput-activation = \"auto\"\n"
      "free-bias = false\noptimizer = 'lbfgs'\nbatch = 0\nschedule = \"constant\"\nscale-inputs = "
      "'standard'\nlambda-w = 1e-3\nlambda-curvature = 0.001\n";
};

TEST_F(Config, GivesOptionsAsTheCommandLineDoes) {
  const Json json = trained_with(std::string("# a comment\n\ndata = \"t.csv\"  # another\n"
                                             "target = [\n  \"y\", # the first\n  'x',\n]\n"
                                             "test-fraction = 0.25\nout = \"m.st\"\n") +
                                 kQuick);
  EXPECT_EQ(json["targets"], Json({"y", "x"}));
  EXPECT_EQ(json["test"]["rows"], 10);
  EXPECT_EQ(json["model"], "m.st");
  EXPECT_EQ(json["network"]["sizes"], Json({1, 3, 2, 2}));
  EXPECT_EQ(json["options"]["free-bias"], "false");
  EXPECT_TRUE(json["chosen"].empty());
}

TEST_F(Config, TheCommandLineWinsAndTheTableOfTheCommandToo) {
  const std::string toml = std::string("data = 't.csv'\n") + kQuick +
                           "seed = 1\n[train]\niterations = 2\nseed = 2\n[predict]\nout = 'p'\n";
  const Json json = trained_with(toml);
  EXPECT_EQ(json["iterations"], 2);
  EXPECT_EQ(json["seed"], 2);
  EXPECT_EQ(trained_with(toml, {"--iterations", "3"})["iterations"], 3);
}

TEST_F(Config, SavedRepeatsTheRunWithAllThatWasChosen) {
  Words request = {"train",
                   "t.csv",
                   "--hidden",
                   "2",
                   "--ensemble",
                   "2",
                   "--iterations",
                   "4",
                   "--validation-fraction",
                   "0.2",
                   "--baselines",
                   "none",
                   "--target",
                   "y",
                   "--target",
                   "x",
                   "--seed",
                   "3"};
  Words saving = request;
  saving.insert(saving.end(), {"--save-config", "run.toml"});
  const Json first = document(saving);
  ASSERT_FALSE(first["chosen"].empty());
  const std::string toml = folder_.read("run.toml");
  EXPECT_THAT(toml, AllOf(StartsWith("# "), HasSubstr("lambda-w = "), HasSubstr("seed = 3\n"),
                          HasSubstr("target = [\"y\", \"x\"]\n"), HasSubstr("data = \"t.csv\"\n"),
                          Not(HasSubstr("json")), Not(HasSubstr("quiet"))));
  const Json again = document({"train", "--config", "run.toml"});
  EXPECT_EQ(again["parameters_sha256"], first["parameters_sha256"]);
  EXPECT_EQ(again["test"], first["test"]);
  EXPECT_TRUE(again["tried"].empty());
}

TEST_F(Config, SavedWithAPresetSpellsItOut) {
  const Json first = document({"train", "t.csv", "--preset", "paper", "--iterations", "3",
                               "--baselines", "none", "--save-config", "run.toml"});
  EXPECT_THAT(folder_.read("run.toml"),
              AllOf(HasSubstr("hidden = 5\n"), HasSubstr("optimizer = \"cg\"\n"),
                    Not(HasSubstr("preset")), Not(HasSubstr("\nrate ="))));
  const Json again = document({"train", "--config", "run.toml"});
  EXPECT_EQ(again["parameters_sha256"], first["parameters_sha256"]);
}

TEST_F(Config, NamesOfColumnsSurviveWhateverTheyHold) {
  const std::string name = "a \"b\" \\ #c, d\tE";
  std::string table = "x,\"a \"\"b\"\" \\ #c, d\tE\"\n";
  for (int r = 0; r < 20; ++r) {
    table += std::to_string(r % 7) + "," + std::to_string(r % 7 * 2) + "\n";
  }
  folder_.write("odd.csv", table);
  folder_.write("c.toml", kQuick);
  const Json first =
      document({"train", "odd.csv", "--delimiter", "comma", "--target", name, "--config", "c.toml",
                "--baselines", "none", "--save-config", "run.toml"});
  EXPECT_EQ(first["targets"], Json({name}));
  EXPECT_EQ(document({"train", "--config", "run.toml"})["targets"], Json({name}));
}

TEST_F(Config, NamesOfFilesSurviveThatAreNotUtf8) {
  const std::string name = "t\xFF\xC3.csv";
  folder_.write(name, folder_.read("t.csv"));
  folder_.write("c.toml", kQuick);
  const Json first = document(
      {"train", name, "--config", "c.toml", "--baselines", "none", "--save-config", "run.toml"});
  EXPECT_THAT(folder_.read("run.toml"), HasSubstr("{hex = \"74ffc32e637376\"}"));
  const Json again = document({"train", "--config", "run.toml"});
  EXPECT_EQ(again["parameters_sha256"], first["parameters_sha256"]);
  for (const char* text : {"out = {hex = '6'}\n", "out = {hex = 'xx'}\n", "out = {hex = '+1'}\n"}) {
    EXPECT_THAT(refused(text), AllOf(HasSubstr("c.toml, line 1"), HasSubstr("hexadecimal")));
  }
}

TEST_F(Config, AListIsForOptionsWithSeveralValues) {
  for (const char* text : {"out = ['a', 'b']\n", "rate = [0.1]\n", "seed = []\n"}) {
    EXPECT_THAT(refused(text),
                AllOf(HasSubstr("c.toml, line 1"), HasSubstr("one value, not a list")))
        << text;
  }
}

TEST_F(Config, ANulCharacterIsRefused) {
  for (const char* text :
       {"out = \"m.st\\u0000.txt\"\n", "drop = [\"x\\u0000\"]\n", "out = {hex = '6100'}\n"}) {
    EXPECT_THAT(refused(text), AllOf(HasSubstr("c.toml, line 1"), HasSubstr("NUL character")));
  }
  EXPECT_THAT(refused(std::string("out = 'm\0.st'\n", 15)), HasSubstr("c.toml, line 1"));
}

TEST_F(Config, MistakesAreNamedWithFileAndLine) {
  EXPECT_THAT(refused("seed = 1\nlamda-w = 1\n"),
              AllOf(HasSubstr("c.toml, line 2"), HasSubstr("did you mean 'lambda-w'?")));
  EXPECT_THAT(refused("lambda_w = 1\n"), HasSubstr("did you mean 'lambda-w'?"));
  EXPECT_THAT(refused("config = 'x'\n"), HasSubstr("'config'"));
  EXPECT_THAT(refused("[trian]\n\nseed = 1\n"),
              AllOf(HasSubstr("c.toml, line 1"), HasSubstr("did you mean 'train'?")));
  EXPECT_THAT(refused("seed = 1\nseed = 2\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("'seed'"), HasSubstr("every name only once")));
  for (const char* text :
       {"activation = tanh\n", "activation = \"tanh\n", "hidden = [1, 2\n", "hidden = [1 2]\n",
        "seed 1\n", "= 1\n", "seed = 1 2\n", "[train\n", "out = \"a\\q\"\n"}) {
    EXPECT_THAT(refused(text), AllOf(HasSubstr("c.toml, line "), HasSubstr("texts in quotes")));
  }
  for (const char* text :
       {"[[train]]\n", "[train]\n[train.more]\n", "seed = 1979-05-27\n", "hidden = [[1]]\n"}) {
    EXPECT_THAT(refused(text), AllOf(HasSubstr("c.toml, line "), HasSubstr("option"))) << text;
  }
  EXPECT_THAT(refused("refit = 3\n"),
              AllOf(HasSubstr("c.toml, line 1"), HasSubstr("true or false")));
  EXPECT_THAT(refused("seed = 1\nlambda-w = 'much'\n"),
              HasSubstr("c.toml, line 2: lambda-w must be a number, not 'much'"));
  EXPECT_THAT(refused("\ntest-fraction = 'much'\n"),
              HasSubstr("c.toml, line 2: --test-fraction must be a number"));
  EXPECT_THAT(refused("[train]\nlambda-w = -1\n"), HasSubstr("c.toml, line 2: lambda-w"));
  EXPECT_THAT(refused("optimizer = 'lbfgs'\nbatch = 8\n"), HasSubstr("c.toml, line 2: batch"));
  EXPECT_THAT(refused("test-last = true\nstratify = 'x'\n"),
              HasSubstr("c.toml, line 1: --test-last"));
  EXPECT_THAT(refused("out = ''\n"), HasSubstr("c.toml, line 1: --out is empty"));
  EXPECT_THAT(refusal({"train", "t.csv", "--config", "none.toml"}), HasSubstr("none.toml"));
}

TEST_F(Config, FilesThatAreTooLargeOrTooDeepAreRefused) {
  EXPECT_THAT(refused(std::string((1 << 20) + 1, '#')), HasSubstr("more than 1048576 bytes"));
  EXPECT_THAT(refused("hidden = " + std::string(5000, '[')), HasSubstr("c.toml, line 1"));
}

TEST_F(Config, NumbersThatTomlWouldChangeAreSavedAsTexts) {
  std::string table = "007;1.50;y\n";
  for (int r = 0; r < 20; ++r)
    table += std::to_string(r % 7) + ";1;" + std::to_string(r % 5) + "\n";
  folder_.write("odd.csv", table);
  folder_.write("c.toml", kQuick);
  const Json first =
      document({"train", "odd.csv", "--header", "--target", "007", "--seed", "18446744073709551615",
                "--config", "c.toml", "--baselines", "none", "--save-config", "run.toml"});
  EXPECT_THAT(folder_.read("run.toml"), HasSubstr("target = \"007\"\n"));
  const Json again = document({"train", "--config", "run.toml"});
  EXPECT_EQ(again["targets"], Json({"007"}));
  EXPECT_EQ(again["seed"], first["seed"]);
}

TEST_F(Config, APlaceThatCannotBeWrittenIsRefusedBeforeTraining) {
  const auto refused_place = [&](const std::string& place) {
    return refusal({"train", "t.csv", "--iterations", "1000000000", "--save-config", place});
  };
  EXPECT_THAT(refused_place("nowhere/c.toml"), HasSubstr("no folder nowhere"));
  EXPECT_THAT(refused_place("t.csv"), HasSubstr("--save-config t.csv would overwrite"));
  EXPECT_THAT(refused_place("-"), HasSubstr("name a file"));
  EXPECT_THAT(refused_place("model.safetensors"), HasSubstr("name two different files"));
  EXPECT_THAT(refused_place("./model.safetensors"), HasSubstr("name two different files"));
  EXPECT_EQ(folder_.read("t.csv"), small_table(40));
  folder_.write("c.toml", "seed = 1\n");
  EXPECT_THAT(refusal({"train", "t.csv", "--config", "c.toml", "--save-config", "./c.toml"}),
              HasSubstr("--save-config ./c.toml would overwrite"));
  EXPECT_EQ(folder_.read("c.toml"), "seed = 1\n");
}

TEST_F(Config, WhatCannotBeRepeatedIsNotSaved) {
  folder_.write("c.toml", std::string(kQuick) + "baselines = 'none'\n");
  const Outcome late =
      knotwork({"train", "t.csv", "--config", "c.toml", "--iterations", "1000000000", "--optimizer",
                "adam", "--time-limit", "0.05", "--save-config", "run.toml"});
  EXPECT_EQ(late.code, 0);
  EXPECT_THAT(late.err, HasSubstr("run.toml was not written"));
  EXPECT_THAT(folder_.names(), Not(::testing::Contains("run.toml")));
  EXPECT_THAT(
      refusal({"train", "t.csv", "--start-from", "model.safetensors", "--save-config", "run.toml"}),
      HasSubstr("replace the model it starts from"));
}

TEST_F(Config, SavedSaysThatTheTableCameFromStandardInput) {
  folder_.write("c.toml", std::string(kQuick) + "baselines = 'none'\n");
  document({"train", "-", "--config", "c.toml", "--save-config", "run.toml"}, small_table(40));
  EXPECT_THAT(lines_of(folder_.read("run.toml")).front(), HasSubstr("standard input"));
}

TEST_F(Config, DeepNestingIsRefusedNotFollowed) {
  std::string parts;
  for (int k = 0; k < 250'000; ++k) parts += ".a";
  const auto too_long = HasSubstr("c.toml, line 2: a name has more than 8 parts");
  EXPECT_THAT(refused("# a\na" + parts + " = 1\n"), too_long);
  EXPECT_THAT(refused("# a\n[a" + parts + "]\n"), too_long);
  EXPECT_THAT(refused("# a\nx = {a" + parts + " = 1}\n"), too_long);
  EXPECT_THAT(refused("x = \"\"\"\n\"\"\"\"\"\na" + parts + " = 1\n"),
              HasSubstr("line 3: a name has"));
  EXPECT_THAT(refused("x = '\"'\n\"a\\\"\" . 'b' . c.d.e.f.g.h.i = 1\n"),
              HasSubstr("line 2: a name has"));
  for (const char* open : {"[", "{a="}) {
    std::string deep;
    for (int k = 0; k < 100'000; ++k) deep += open;
    EXPECT_THAT(refused("hidden = " + deep), HasSubstr("line 1: "));
  }
  // Dots in texts and between numbers are not dots of names.
  const std::string dots(1000, '.');
  EXPECT_THAT(refused("target = '" + dots + "' # " + dots + "\nseed = [\"\\\"" + dots +
                      "\", 1.5, 2.5, 1.5, 2.5, 1.5, 2.5, 1.5, 2.5, 1.5, 2.5]\n"),
              Not(HasSubstr("parts")));
}

}  // namespace
}  // namespace knotwork::testing
