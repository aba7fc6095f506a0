// SPDX-License-Identifier: MIT
// Tests typical comparisons of small networks on small tables.
#include <signal.h>

#include <set>

#include <knotwork/activation.hpp>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class Compare : public CliTest {
 protected:
  Compare() { folder_.write("t.csv", small_table()); }

  // A comparison on t.csv that takes a moment.
  static Words words(const Words& more) {
    Words all = {"compare",  "t.csv", "--folds",       "3", "--iterations", "5",
                 "--hidden", "3",     "--inner-folds", "2", "--budget",     "2"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  static Words fixed(const Words& more) {
    Words all = {"compare", "t.csv",    "--folds", "3",        "--iterations",
                 "5",       "--hidden", "3",       "--budget", "0"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  static Words names_of(const Json& document) {
    Words names;
    for (const Json& variant : document["variants"]) names.push_back(variant["name"]);
    return names;
  }
  static Words tuned_of(const Json& document, std::size_t variant) {
    return document["variants"][variant]["tuned"];
  }
  static Json scores_of(const Json& document) {
    Json scores;
    for (const Json& variant : document["variants"]) {
      for (const Json& fold : variant["folds"]) {
        scores.push_back({fold["score"], fold["chosen"]});
      }
      scores.push_back({variant["rank"], variant["score"], variant.value("test", Json())});
    }
    return scores;
  }
};

TEST_F(Compare, PrintsATableOfTheVariants) {
  const Outcome outcome = knotwork(words({"--activations", "spline,tanh,apl"}));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("t.csv: 60 rows, 3 folds; 2 settings"), HasSubstr("rank  variant"),
                    HasSubstr("NRMSE"), HasSubstr("reference"), HasSubstr("Nadeau and Bengio")));
  for (const char* name : {"spline", "tanh", "apl"}) EXPECT_THAT(outcome.out, HasSubstr(name));
}

TEST_F(Compare, HasADocument) {
  const Json json = document(words({"--activations", "spline,tanh", "--repeats", "2"}));
  EXPECT_EQ(json["command"], "compare");
  EXPECT_EQ(json["task"], "regression");
  EXPECT_EQ(json["score"], "nrmse");
  EXPECT_EQ(json["reference"], "spline");
  EXPECT_EQ(json["rows"], 60);
  EXPECT_EQ(json["trainings"], 2 * 6 * 5);
  EXPECT_THAT(names_of(json), ElementsAre("spline", "tanh"));
  const Json& tanh = json["variants"][1];
  EXPECT_THAT(tanh["folds"], SizeIs(6));
  EXPECT_EQ(tanh["folds"][5]["repeat"], 2);
  EXPECT_EQ(tanh["folds"][5]["fold"], 3);
  EXPECT_EQ(tanh["options"]["activation"], "tanh");
  EXPECT_EQ(tanh["options"]["iterations"], "5");
  EXPECT_EQ(tanh["test"]["degrees_of_freedom"], 5);
  EXPECT_GE(tanh["test"]["p"], 0);
  EXPECT_LE(tanh["test"]["p"], tanh["test"]["adjusted_p"]);
  EXPECT_GT(tanh["parameters"], 0);
  EXPECT_GT(tanh["seconds"]["mean"], 0);
  EXPECT_FALSE(tanh.contains("accuracy"));
  EXPECT_FALSE(json["variants"][0].contains("test"));
  EXPECT_THAT(tuned_of(json, 0), ElementsAre("lambda-w", "lambda-curvature"));
  EXPECT_THAT(tuned_of(json, 1), ElementsAre("lambda-w"));
}

TEST_F(Compare, HasTheSameBitsForAnyNumberOfThreads) {
  const Words request = words({"--activations", "spline,tanh"});
  const auto with = [&](const std::string& option, const std::string& value) {
    Words all = request;
    all.insert(all.end(), {option, value});
    return document(all);
  };
  const Json one = with("--threads", "1"), two = with("--threads", "2");
  EXPECT_EQ(scores_of(one), scores_of(two));
  EXPECT_NE(scores_of(one), scores_of(with("--seed", "1")));
}

TEST_F(Compare, AllActivationsAreThoseOfTheTableWithSplinesFirst) {
  const Json json = document(fixed({"--activations", "all"}));
  Words expected = builtin_activations().names();
  std::erase(expected, "identity");
  EXPECT_EQ(names_of(json), expected);
  EXPECT_EQ(names_of(json).front(), "spline");
}

TEST_F(Compare, AListMaySayWhatComesFirst) {
  const Words names = names_of(document(fixed({"--activations", "identity,all"})));
  EXPECT_EQ(names[0], "identity");
  EXPECT_EQ(names[1], "spline");
  EXPECT_EQ(names.size(), builtin_activations().names().size());
}

TEST_F(Compare, AllBasesDiffer) {
  const Json json = document(fixed({"--bases", "all"}));
  EXPECT_THAT(names_of(json), ElementsAre("catmull-rom", "b-spline", "cardinal", "linear"));
  EXPECT_EQ(json["variants"][2]["options"]["tension"], "0.5");
  std::set<double> means;
  for (const Json& variant : json["variants"]) means.insert(variant["score"]["mean"].get<double>());
  EXPECT_THAT(means, SizeIs(4));
  // An option that only one variant uses is set for that variant.
  const Json tense = document(fixed({"--bases", "all", "--tension", "0.2"}));
  EXPECT_EQ(tense["variants"][2]["options"]["tension"], "0.2");
  EXPECT_EQ(tense["variants"][1]["options"]["tension"], "0");
}

TEST_F(Compare, PenaltiesAreChosenOrZero) {
  const Json json = document(words({"--penalties", "all"}));
  EXPECT_THAT(names_of(json),
              ElementsAre("none", "damping", "slope", "curvature", "damping+curvature"));
  EXPECT_THAT(tuned_of(json, 0), ElementsAre("lambda-w"));
  EXPECT_THAT(tuned_of(json, 1), ElementsAre("lambda-w", "lambda-q"));
  EXPECT_THAT(tuned_of(json, 2), ElementsAre("lambda-w", "lambda-slope"));
  EXPECT_THAT(tuned_of(json, 3), ElementsAre("lambda-w", "lambda-curvature"));
  EXPECT_THAT(tuned_of(json, 4), ElementsAre("lambda-w", "lambda-q", "lambda-curvature"));
  EXPECT_EQ(json["variants"][0]["options"]["lambda-curvature"], "0");
  EXPECT_EQ(json["variants"][1]["options"]["lambda-curvature"], "0");
  // Every variant tries the same values of lambda-w.
  EXPECT_EQ(json["trainings"], 5 * 3 * 5);
}

TEST_F(Compare, PenaltiesThatAreGivenStay) {
  const Json json = document(fixed({"--penalties", "none,curvature+damping", "--lambda-q", "0.25",
                                    "--lambda-curvature", "0.5"}));
  EXPECT_THAT(names_of(json), ElementsAre("none", "damping+curvature"));
  EXPECT_EQ(json["variants"][0]["options"]["lambda-q"], "0");
  EXPECT_EQ(json["variants"][1]["options"]["lambda-q"], "0.25");
  EXPECT_EQ(json["variants"][1]["options"]["lambda-curvature"], "0.5");
}

TEST_F(Compare, VariantsHaveOptionsOfTheirOwn) {
  const Json json = document(
      words({"--variant", "small: --hidden 2 --lambda-w 0.01", "--variant",
             "two layers: --hidden 2,2 --activation tanh", "--variant", "paper: --preset paper"}));
  EXPECT_THAT(names_of(json), ElementsAre("small", "two layers", "paper"));
  EXPECT_EQ(json["variants"][0]["options"]["hidden"], "2");
  EXPECT_THAT(tuned_of(json, 0), ElementsAre("lambda-curvature"));
  EXPECT_EQ(json["variants"][1]["options"]["hidden"], "2,2");
  EXPECT_EQ(json["variants"][1]["options"]["activation"], "tanh");
  // An option for all variants overrides a preset, whose penalties are the ones that are chosen.
  EXPECT_EQ(json["variants"][2]["options"]["hidden"], "3");
  EXPECT_EQ(json["variants"][2]["options"]["optimizer"], "cg");
  EXPECT_THAT(tuned_of(json, 2), ElementsAre("lambda-w", "lambda-q"));
}

TEST_F(Compare, FamiliesAreJoined) {
  EXPECT_THAT(names_of(document(fixed({"--variant", "x:", "--penalties", "none", "--bases",
                                       "linear", "--activations", "relu"}))),
              ElementsAre("relu", "linear", "none", "x"));
}

TEST_F(Compare, ClassesHaveAnAccuracyBesideTheLogLoss) {
  const Json json = document({"compare", "builtin:spirals", "--task", "classification", "--sample",
                              "120", "--folds", "3", "--budget", "0", "--iterations", "5",
                              "--activations", "spline,tanh"});
  EXPECT_EQ(json["task"], "classification");
  EXPECT_EQ(json["score"], "log_loss");
  EXPECT_EQ(json["rows"], 120);
  for (const Json& variant : json["variants"]) {
    EXPECT_GT(variant["accuracy"]["mean"], 0.2);
    EXPECT_TRUE(variant["folds"][0].contains("accuracy"));
  }
}

TEST_F(Compare, WritesMarkdown) {
  const Outcome outcome = knotwork(fixed({"--activations", "spline,tanh", "--markdown"}));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, ::testing::StartsWith("| rank | variant | NRMSE |"));
  EXPECT_THAT(lines_of(outcome.out), SizeIs(4));
}

TEST_F(Compare, WritesTheScoresOfEveryFold) {
  const Outcome outcome =
      knotwork(fixed({"--activations", "tanh,relu", "--repeats", "2", "--csv", "folds.csv"}));
  EXPECT_EQ(outcome.code, 0);
  const Words lines = lines_of(folder_.read("folds.csv"));
  EXPECT_EQ(lines[0],
            "variant,repeat,fold,score,seconds,tuning_seconds,lambda-w,lambda-q,lambda-slope,"
            "lambda-curvature");
  EXPECT_THAT(lines, SizeIs(1 + 2 * 6));
  EXPECT_THAT(lines[6], ::testing::StartsWith("tanh,2,3,"));
  EXPECT_THAT(lines[7], ::testing::StartsWith("relu,1,1,"));
}

TEST_F(Compare, WritesAPage) {
  const Outcome outcome =
      knotwork(fixed({"--activations", "spline,tanh", "--report", "c.html", "--free-bias=false"}));
  EXPECT_EQ(outcome.code, 0);
  const std::string page = folder_.read("c.html");
  EXPECT_THAT(page, AllOf(::testing::StartsWith("<!DOCTYPE html>"), HasSubstr("<svg"),
                          HasSubstr("2 variants on t.csv"), ::testing::EndsWith("</html>\n")));
  EXPECT_THAT(page, HasSubstr("knotwork compare t.csv --folds 3 --iterations 5 --hidden 3 --budget "
                              "0 --activations spline,tanh --report c.html --free-bias=false"));
}

TEST_F(Compare, TakesAConfiguration) {
  folder_.write("c.toml",
                "folds = 3\nbudget = 0\niterations = 5\nactivations = [\"tanh\", \"relu\"]\n"
                "variant = [\"deep: --hidden 2,2\"]\n");
  EXPECT_THAT(names_of(document({"compare", "t.csv", "--config", "c.toml"})),
              ElementsAre("tanh", "relu", "deep"));
}

TEST_F(Compare, KeepsGroupsTogetherAndBlocksInOrder) {
  EXPECT_THAT(names_of(document(fixed({"--activations", "tanh,relu", "--group-column", "z"}))),
              SizeIs(2));
  EXPECT_THAT(names_of(document(fixed({"--activations", "tanh,relu", "--time-order"}))), SizeIs(2));
}

TEST_F(Compare, CtrlCEndsItAndNothingIsWritten) {
  RunningProgram program(launch({"compare", "t.csv", "--activations", "spline,tanh", "--iterations",
                                 "1000000000", "--optimizer", "adam", "--rate", "1e-6",
                                 "--progress", "--report", "c.html", "--csv", "c.csv", "--json"}));
  ASSERT_TRUE(program.wait_for_error_text("comparing"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("The comparison was interrupted after 0 of"));
  EXPECT_THAT(folder_.names(), ElementsAre("t.csv"));
}

TEST_F(Compare, ShowsHowManyTrainingsAreLeft) {
  const Outcome outcome = knotwork(words({"--activations", "spline,tanh", "--progress"}));
  EXPECT_THAT(outcome.err, HasSubstr("comparing  100.0 %  training 30/30"));
}

TEST_F(Compare, AnErrorOfAVariantKeepsItsHint) {
  EXPECT_THAT(
      refusal(words({"--variant", "a: --monotone-in x --optimizer lbfgs", "--variant", "b:"})),
      AllOf(HasSubstr("Variant 'a': monotone-in needs"), HasSubstr("use --optimizer adam")));
}

TEST_F(Compare, RefusesNamesThatThereAreNoneOf) {
  EXPECT_THAT(refusal(words({"--activations", "spline,tahn"})),
              HasSubstr("activation called 'tahn'; did you mean 'tanh'?"));
  EXPECT_THAT(refusal(words({"--bases", "b-splin,linear"})), HasSubstr("did you mean 'b-spline'?"));
  EXPECT_THAT(refusal(words({"--penalties", "dampin,none"})), HasSubstr("did you mean 'damping'?"));
  EXPECT_THAT(refusal(words({"--variant", "a: --hiden 3", "--variant", "b:"})),
              HasSubstr("Variant 'a': There is no option called '--hiden'; did you mean"));
  EXPECT_THAT(refusal(words({"--variant", "a: --preset papr", "--variant", "b:"})),
              HasSubstr("Variant 'a': There is no preset called 'papr'"));
  EXPECT_THAT(refusal(words({"--variant", "a: --activation tahn", "--variant", "b:"})),
              HasSubstr("Variant 'a': There is no activation called 'tahn'"));
}

TEST_F(Compare, RefusesListsThatMakeNoSense) {
  EXPECT_THAT(refusal(words({})), HasSubstr("at least two variants to compare, not 0"));
  EXPECT_THAT(refusal(words({"--activations", "tanh"})), HasSubstr("compare, not 1"));
  EXPECT_THAT(refusal(words({"--activations", "tanh,tanh"})), HasSubstr("'tanh' twice"));
  EXPECT_THAT(refusal(words({"--activations", "tanh,,relu"})), HasSubstr("empty name"));
  EXPECT_THAT(refusal(words({"--penalties", "none+slope,slope"})),
              HasSubstr("none must be used alone"));
  EXPECT_THAT(refusal(words({"--penalties", "slope+slope,none"})), HasSubstr("slope twice"));
  EXPECT_THAT(refusal(words({"--penalties", "slope+damping,damping+slope"})),
              HasSubstr("'damping+slope' twice"));
  EXPECT_THAT(refusal(words({"--activations", "tanh", "--variant", "tanh: --hidden 2"})),
              HasSubstr("Two variants have the name 'tanh'"));
  EXPECT_THAT(refusal(words({"--variant", "--hidden 2", "--variant", "b:"})),
              HasSubstr("has no name"));
  EXPECT_THAT(refusal(words({"--variant", "a: 3", "--variant", "b:"})),
              HasSubstr("'3' does not belong to an option"));
  EXPECT_THAT(refusal(words({"--variant", "a: --hidden", "--variant", "b:"})),
              HasSubstr("Variant 'a': --hidden needs a value"));
}

TEST_F(Compare, RefusesOptionsWithoutEffect) {
  EXPECT_THAT(refusal(words({"--activations", "tanh,relu", "--knots", "11"})),
              HasSubstr("--knots would have no effect: no layer has splines"));
  EXPECT_EQ(knotwork(fixed({"--activations", "tanh,spline", "--knots", "11"})).code, 0);
  EXPECT_THAT(refusal(words({"--activations", "tanh,relu", "--activation", "elu"})),
              HasSubstr("--activation would have no effect: every variant sets it itself"));
  EXPECT_THAT(refusal(words({"--variant", "a: --activation tanh --knots 11", "--variant", "b:"})),
              HasSubstr("Variant 'a': --knots would have no effect"));
  EXPECT_THAT(refusal(words({"--penalties", "none,damping", "--lambda-slope", "1"})),
              HasSubstr("--lambda-slope would have no effect"));
  EXPECT_THAT(refusal(words({"--penalties", "all", "--activation", "tanh"})),
              HasSubstr("no layer has splines"));
  EXPECT_THAT(refusal(words({"--activations", "tanh,relu", "--lambda-w", "1"})),
              HasSubstr("--budget would have no effect"));
  EXPECT_THAT(refusal(fixed({"--activations", "tanh,relu", "--inner-folds", "2"})),
              HasSubstr("--inner-folds would have no effect"));
  EXPECT_THAT(refusal(fixed({"--penalties", "none,damping"})),
              HasSubstr("Variant 'damping': With --budget 0 no value is chosen for lambda-q"));
  EXPECT_THAT(refusal(words({"--activations", "tanh,relu", "--refit"})),
              HasSubstr("--refit would have no effect"));
  EXPECT_THAT(refusal(words({"--activations", "tanh,relu", "--snapshots", "3"})),
              HasSubstr("--snapshots would have no effect"));
  EXPECT_THAT(refusal(words({"--activations", "tanh,relu", "--time-limit", "3"})),
              HasSubstr("speed of the machine"));
  EXPECT_THAT(refusal(words({"--variant", "a: --threads 2", "--variant", "b:"})),
              HasSubstr("--threads applies to all variants"));
  EXPECT_THAT(refusal(words({"--activations", "tanh,relu", "--sample", "60"})),
              HasSubstr("--sample 60 would have no effect: t.csv has 60 rows"));
  EXPECT_THAT(refusal(fixed({"--activations", "tanh,relu", "--time-order", "--repeats", "2"})),
              HasSubstr("--repeats would have no effect"));
}

TEST_F(Compare, RefusesWhatIsWrongForAllWithoutNamingAVariant) {
  EXPECT_THAT(refusal(words({"--activations", "tanh,relu", "--lambda-w", "-1"})),
              AllOf(HasSubstr("lambda-w must be"), Not(HasSubstr("Variant"))));
  EXPECT_THAT(refusal(words({"--activations", "tanh,relu", "--lambda-w", "x"})),
              AllOf(HasSubstr("lambda-w"), Not(HasSubstr("Variant"))));
}

TEST_F(Compare, RefusesFoldsThatCannotBeHad) {
  EXPECT_THAT(refusal({"compare", "t.csv", "--activations", "tanh,relu", "--folds", "1"}),
              HasSubstr("folds must be from 2"));
  EXPECT_THAT(refusal({"compare", "t.csv", "--activations", "tanh,relu", "--folds", "61"}),
              HasSubstr("60"));
  EXPECT_THAT(refusal({"compare", "t.csv", "--activations", "tanh,relu", "--folds", "60"}),
              HasSubstr("use fewer than 60 folds"));
  EXPECT_THAT(refusal({"compare", "t.csv", "--activations", "tanh,relu", "--budget", "1"}),
              HasSubstr("leaves no choice"));
  EXPECT_THAT(refusal({"compare", "t.csv", "--activations", "tanh,relu", "--sample", "5"}),
              HasSubstr("--sample must be at least 10"));
}

TEST_F(Compare, RefusesPlacesThatResultsCannotGoTo) {
  const Words two = {"--activations", "tanh,relu"};
  const auto refused = [&](const Words& more) {
    Words all = fixed(two);
    all.insert(all.end(), more.begin(), more.end());
    return refusal(all);
  };
  EXPECT_THAT(refused({"--report", "t.csv"}), HasSubstr("would overwrite an input"));
  EXPECT_THAT(refused({"--report", "no/where.html"}), HasSubstr("no/where.html"));
  EXPECT_THAT(refused({"--csv", "x", "--report", "x"}), HasSubstr("name two different files"));
  EXPECT_THAT(refused({"--csv", "-"}), HasSubstr("needs the name of a file"));
  EXPECT_THAT(refused({"--json", "--markdown"}), HasSubstr("exclude each other"));
  EXPECT_THAT(refusal({"compare", "--activations", "tanh,relu"}), HasSubstr("compare needs DATA"));
}

}  // namespace
}  // namespace knotwork::testing
