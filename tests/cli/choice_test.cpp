// SPDX-License-Identifier: MIT
// Tests what train chooses, compares and remarks by default.
#include <fmt/format.h>

#include <knotwork/training.hpp>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class Choice : public CliTest {
 protected:
  Choice() {
    as_people_do_ = true;
    folder_.write("t.csv", small_table(40));
  }
  // Small enough to be fast, with options left to choose.
  static Words request(Words more = {}) {
    Words words = {"train",        "t.csv", "--hidden",       "2",       "--ensemble", "2",
                   "--iterations", "4",     "--scale-inputs", "standard"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(Choice, WhatIsNotGivenIsChosenAndTold) {
  const Json json = document(request());
  std::vector<std::string> chosen;
  for (const auto& [name, value] : json["chosen"].items()) {
    chosen.push_back(name);
    EXPECT_EQ(json["options"][name], value);
  }
  EXPECT_THAT(chosen, ::testing::IsSupersetOf(
                          {"output-activation", "free-bias", "lambda-w", "lambda-curvature"}));
  EXPECT_THAT(chosen, Not(::testing::Contains("hidden")));
  EXPECT_EQ(json["ensemble"], 2);
  ASSERT_FALSE(json["tried"].empty());
  double best = 1e9;
  Json winner;
  for (const Json& tried : json["tried"]) {
    if (tried["score"].get<double>() < best) {
      best = tried["score"];
      winner = tried["options"];
    }
  }
  for (const auto& [name, value] : winner.items()) {
    EXPECT_EQ(std::stod(json["chosen"][name].get<std::string>()),
              std::stod(value.get<std::string>()));
  }
  // Two networks of 2 inputs, 2 splines of 21 points and a linear output.
  EXPECT_EQ(json["network"]["parameters"], 2 * (2 * 2 + 2 + 2 * 21 + 2 + 1));
}

TEST_F(Choice, APresetLeavesNothingToChoose) {
  const Json json = document({"train", "t.csv", "--preset", "paper", "--iterations", "3"});
  EXPECT_THAT(json["chosen"], IsEmpty());
  EXPECT_THAT(json["tried"], IsEmpty());
}

TEST_F(Choice, BaselinesAreComparedAsAskedFor) {
  const auto names = [&](const Words& options) {
    std::vector<std::string> all;
    const Json json = document(request(options));
    for (const Json& baseline : json["baselines"]) {
      all.push_back(baseline["name"]);
      EXPECT_TRUE(baseline["train"]["nrmse"].is_number());
      EXPECT_EQ(baseline["test"]["rows"], 12);
    }
    return all;
  };
  EXPECT_THAT(names({}), ElementsAre("linear model", "tanh network"));
  EXPECT_THAT(names({"--baselines", "linear"}), ElementsAre("linear model"));
  EXPECT_THAT(names({"--baselines", "none"}), IsEmpty());
  EXPECT_THAT(refusal(request({"--baselines", "al"})), HasSubstr("did you mean 'all'?"));
}

TEST_F(Choice, BesideALinearModelThereIsNoTanhNetwork) {
  const Json json = document({"train", "t.csv", "--hidden", "0", "--iterations", "4"});
  ASSERT_THAT(json["baselines"], SizeIs(1));
  EXPECT_EQ(json["baselines"][0]["name"], "linear model");
  EXPECT_EQ(json["ensemble"], 1);
  EXPECT_FALSE(json["chosen"].contains("lambda-curvature"));
}

TEST_F(Choice, BaselinesAreKeptInTheModelFile) {
  const Json json = document(request());
  EXPECT_EQ(record_of(folder_.read("model.safetensors"))["training"]["baselines"],
            json["baselines"]);
  const Outcome piped = knotwork(request({"--out", "-", "--quiet"}));
  EXPECT_THAT(record_of(piped.out)["training"]["baselines"], SizeIs(2));
}

TEST_F(Choice, TheTimeLimitIsForTheBaselinesToo) {
  Words words = request({"--time-limit", "0.3", "--json"});
  for (std::string& word : words) {
    if (word == "4") word = "1000000000";
  }
  const Outcome outcome = knotwork(words);
  EXPECT_EQ(outcome.code, 0);
  const Json json = Json::parse(outcome.out);
  EXPECT_THAT(json["baselines"], IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("no time to train 2 of the 2 baselines"));
}

TEST_F(Choice, WhatWasChosenStandsBesideWhatThereWasTimeFor) {
  const Outcome outcome =
      knotwork({"train", "t.csv", "--hidden", "2", "--lambda-w", "1e-3", "--lambda-curvature",
                "1e-3", "--scale-inputs", "standard", "--threads", "1", "--iterations",
                "1000000000", "--time-limit", "0.2", "--optimizer", "adam", "--json"});
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["chosen"]["ensemble"], "8");
  EXPECT_EQ(json["ensemble"], 1);
  EXPECT_THAT(json["remarks"].dump(), HasSubstr("by the time limit when 1 of 8 networks"));
}

TEST_F(Choice, OptionsMustGoWithTheOptimizerThatIsChosen) {
  EXPECT_THAT(refusal(request({"--batch", "8"})),
              AllOf(HasSubstr("chosen for 28 training rows is lbfgs"), HasSubstr("adam")));
  EXPECT_THAT(
      refusal(request({"--rate", "0.1"})),
      HasSubstr("--rate would have no effect: only adam, adamw and sgd have a rate, and for "
                "28 training rows --optimizer lbfgs is chosen"));
  EXPECT_EQ(document(request({"--batch", "8", "--optimizer", "adam"}))["options"]["batch"], "8");
  EXPECT_THAT(refusal({"train", "t.csv", "--hidden", "0", "--lambda-curvature", "1"}),
              HasSubstr("no layer has splines"));
}

TEST_F(Choice, TheNetworkAndTheOptimizerOfTheRuleAreTold) {
  const Outcome outcome =
      knotwork({"train", "t.csv", "--iterations", "3", "--baselines", "none", "--ensemble", "1",
                "--lambda-w", "1e-3", "--lambda-curvature", "1e-3", "--scale-inputs", "standard"});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("hidden 20"), HasSubstr("optimizer lbfgs")));
}

TEST_F(Choice, TheTextShowsTheChoiceTheScoresAndCurves) {
  const Outcome outcome = knotwork(request());
  EXPECT_EQ(outcome.code, 0);
  for (const char* word :
       {"2 inputs - 2 splines - 1, ensemble of 2, 102 parameters", "chosen     ", "lambda-w ",
        "by cross-validation of ", "\nmodel ", "\nlinear model ", "\ntanh network ", "test NRMSE",
        "neuron 1:1:", "saved in   model.safetensors"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
  for (const std::string& line : lines_of(outcome.out)) EXPECT_LE(line.size(), 100u) << line;
}

TEST_F(Choice, RemarksGoToStandardErrorAndIntoTheDocument) {
  std::string table = "id,x,same,y\n";
  for (int r = 0; r < 40; ++r) table += fmt::format("{},{},7,{}\n", r, r * 7 % 11, r * 7 % 11);
  folder_.write("t.csv", table);
  Words words = request({"--json", "--lambda-w", "1e-3", "--lambda-curvature", "1e-3"});
  const Outcome outcome = knotwork(words);
  EXPECT_EQ(outcome.code, 0);
  const Words lines = lines_of(outcome.err);
  EXPECT_THAT(lines, SizeIs(2));
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("knotwork: Column 'id'"), HasSubstr("--numeric id"),
                                 HasSubstr("Column 'same' was left out")));
  const Json json = Json::parse(outcome.out);
  ASSERT_THAT(json["remarks"], SizeIs(2));
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ("knotwork: " + json["remarks"][k].get<std::string>(), lines[k]);
  }
  words.push_back("--quiet");
  const Outcome quiet = knotwork(words);
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(Json::parse(quiet.out)["remarks"], json["remarks"]);
  EXPECT_THAT(refusal(request({"--quiet", "--progress"})), HasSubstr("exclude each other"));
}

class StartFrom : public CliTest {
 protected:
  StartFrom() {
    folder_.write("t.csv", small_table());
    EXPECT_EQ(
        knotwork({"train", "t.csv", "--hidden", "3", "--iterations", "5", "--out", "a.st"}).code,
        0);
  }
};

TEST_F(StartFrom, GoesOnWhereTheModelEnded) {
  const Json none =
      document({"train", "t.csv", "--start-from", "a.st", "--iterations", "0", "--out", "b.st"});
  EXPECT_EQ(tensors_of(folder_.read("a.st")), tensors_of(folder_.read("b.st")));
  EXPECT_EQ(none["network"]["sizes"], Json({2, 3, 1}));
  EXPECT_EQ(none["options"]["hidden"], "3");
  const Json more = document({"train", "t.csv", "--start-from", "a.st", "--iterations", "20",
                              "--lambda-w", "1e-3", "--lambda-curvature", "3e-4", "--out", "b.st"});
  EXPECT_LT(more["objective"].get<double>(), none["objective"].get<double>());
  EXPECT_THAT(more["chosen"], IsEmpty());
}

TEST_F(StartFrom, ItsObjectiveStaysUnlessGiven) {
  ASSERT_EQ(knotwork({"train", "t.csv", "--hidden", "3", "--iterations", "4", "--warm-path",
                      "0.01,0.02", "--lambda-q", "0.03", "--lambda-slope", "0.04",
                      "--lambda-curvature", "0.05", "--free-bias", "--out", "a.st"})
                .code,
            0);
  const Words words = {"train",        "t.csv", "--start-from",       "a.st",
                       "--iterations", "1",     "--lambda-curvature", "0.5"};
  const Json options = document(words)["options"];
  EXPECT_EQ(options["lambda-w"], "0.02") << "the end of the warm path";
  EXPECT_EQ(options["lambda-q"], "0.03");
  EXPECT_EQ(options["lambda-slope"], "0.04");
  EXPECT_EQ(options["lambda-curvature"], "0.5");
  EXPECT_EQ(options["free-bias"], "true");
}

TEST_F(StartFrom, TellsWhenTheTestPartMayNotBeNew) {
  const Words words = {"train", "t.csv", "--start-from", "a.st", "--iterations", "1"};
  EXPECT_EQ(knotwork(words).err, "");
  Words other = words;
  other.insert(other.end(), {"--test-fraction", "0.2"});
  EXPECT_THAT(knotwork(other).err, HasSubstr("may have been trained on rows of the test part"));
}

TEST_F(StartFrom, APresetGivesWhatTheModelDoesNotBring) {
  const Json json = document(
      {"train", "t.csv", "--start-from", "a.st", "--preset", "paper", "--iterations", "2"});
  EXPECT_EQ(json["options"]["hidden"], "3");
  EXPECT_EQ(json["options"]["scale-inputs"], "standard");
  EXPECT_EQ(json["options"]["optimizer"], "cg");
}

TEST_F(StartFrom, FindsItsColumnsInAnotherOrder) {
  const Words lines = lines_of(small_table());
  std::string turned = "y,extra,z,x\n";
  for (std::size_t k = 1; k < lines.size(); ++k) {
    const std::size_t first = lines[k].find(','), second = lines[k].rfind(',');
    turned +=
        fmt::format("{},word,{},{}\n", lines[k].substr(second + 1),
                    lines[k].substr(first + 1, second - first - 1), lines[k].substr(0, first));
  }
  const auto hash = [&](const std::string& table) {
    return document({"train", "-", "--start-from", "a.st", "--iterations", "3"},
                    table)["parameters_sha256"];
  };
  EXPECT_EQ(hash(turned), hash(small_table()));
}

TEST_F(StartFrom, RefusesWhatTheModelDecides) {
  for (const Words& options :
       {Words{"--hidden", "4"}, Words{"--activation", "tanh"}, Words{"--scale-inputs", "range"},
        Words{"--ensemble", "3"}, Words{"--precision", "float"}, Words{"--drop", "x"},
        Words{"--categorical", "x"}, Words{"--numeric", "x"}}) {
    Words words = {"train", "t.csv", "--start-from", "a.st"};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_THAT(refusal(words), AllOf(HasSubstr(options[0]), HasSubstr("the start model")));
  }
  EXPECT_THAT(refusal({"train", "-", "--start-from", "a.st"}, "x,q,y\n1,2,3\n"), HasSubstr("'z'"));
  EXPECT_THAT(refusal({"train", "t.csv", "--start-from", "none.st"}), HasSubstr("none.st"));
}

TEST_F(StartFrom, OptionsWithoutEffectOnItsNetworkAreRefused) {
  ASSERT_EQ(knotwork({"train", "t.csv", "--activation", "tanh", "--out", "tanh.st"}).code, 0);
  EXPECT_THAT(refusal({"train", "t.csv", "--start-from", "tanh.st", "--lambda-curvature", "1"}),
              HasSubstr("no layer has splines"));
}

}  // namespace
}  // namespace knotwork::testing
