// SPDX-License-Identifier: MIT
#include <set>

#include <knotwork/training.hpp>

#include "tune_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class Tune : public TuneTest {};

const Words kGrid = {"--vary", "lambda-w=0.001|0.1|10", "--vary", "lambda-q=0.01|1"};

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Json best_of(const Json& document, double budget) {
  Json best;
  for (const Json& trial : document["trials"]) {
    if (trial["budget"] != budget) continue;
    if (best.is_null() || trial["mean"] < best["mean"]) best = trial;
  }
  return best;
}

TEST_F(Tune, AGridTriesEveryCombinationAndTrainsTheBest) {
  const Json json = tuned(kGrid);
  EXPECT_EQ(json["command"], "tune");
  EXPECT_EQ(json["study"], "s.db");
  EXPECT_EQ(json["strategy"], "grid");
  EXPECT_EQ(json["folds"], 3);
  EXPECT_EQ(json["evaluated"], 18);
  EXPECT_GT(json["seconds"].get<double>(), 0);
  ASSERT_THAT(json["trials"], SizeIs(6));
  std::set<Json> settings;
  for (const Json& trial : json["trials"]) {
    EXPECT_EQ(trial["complete"], true);
    EXPECT_EQ(trial["budget"], 1);
    EXPECT_GT(trial["std"].get<double>(), 0);
    settings.insert(trial["setting"]);
  }
  EXPECT_THAT(settings, SizeIs(6));
  const Json best = best_of(json, 1);
  EXPECT_EQ(json["winner"],
            Json({{"setting", best["setting"]}, {"mean", best["mean"]}, {"std", best["std"]}}));
  EXPECT_EQ(json["train"]["rows"], 42);
  EXPECT_EQ(json["test"]["rows"], 18);
  EXPECT_EQ(json["model"], "model.safetensors");
  EXPECT_THAT(folder_.names(), ElementsAre("model.safetensors", "s.db", "t.csv"));
  const Json scores = document({"evaluate", "model.safetensors", "t.csv"});
  EXPECT_EQ(scores["parameters_sha256"], json["parameters_sha256"]);
}

TEST_F(Tune, ScoresAreThoseOfTheLibrarysFolds) {
  const Json json = tuned({"--vary", "lambda-w=0.001|10", "--folds", "4", "--seed", "7"});
  const Table table = read_csv(folder_.path() / "t.csv");
  TableTask task;
  task.test_fraction = 0.3;
  const PreparedData prepared(table, task, 7);
  const std::vector<std::size_t>& rows = prepared.partition().train;
  const std::vector<std::size_t> folds = training_folds(prepared.data(), rows, 4, 7);
  for (const Json& trial : json["trials"]) {
    TrainOptions options;
    options.iterations = 4;
    options.hidden = {3};
    options.seed = 7;
    set_option(options, "lambda-w", trial["setting"]["lambda-w"].get<std::string>());
    double sum = 0;
    for (std::size_t fold = 0; fold < 4; ++fold) {
      sum += validate_fold(prepared.data(), rows, folds, fold, options).nrmse;
    }
    EXPECT_DOUBLE_EQ(trial["mean"].get<double>(), sum / 4);
  }
}

TEST_F(Tune, TheWinnerIsTrainedAsTrainDoes) {
  const Words paper = {"--preset", "paper", "--iterations", "6", "--seed", "2"};
  const Json json = document(
      with({"tune", "t.csv", "--study", "s.db", "--vary", "lambda-q=0.5|1e-3", "--out", "tuned.st"},
           paper));
  const std::string lambda_q = json["winner"]["setting"]["lambda-q"];
  const Json trained =
      document(with({"train", "t.csv", "--lambda-q", lambda_q, "--out", "trained.st"}, paper));
  EXPECT_EQ(json["parameters_sha256"], trained["parameters_sha256"]);
  EXPECT_EQ(json["test"], trained["test"]);
  EXPECT_EQ(tensors_of(folder_.read("tuned.st")), tensors_of(folder_.read("trained.st")));
}

TEST_F(Tune, WithoutVaryItRefinesTheTwoLambdas) {
  const Json json = document(
      {"tune", "t.csv", "--study", "s.db", "--iterations", "1", "--hidden", "1", "--folds", "2"});
  EXPECT_EQ(json["strategy"], "refine");
  std::set<std::string> w, q;
  for (const Json& trial : json["trials"]) {
    ASSERT_THAT(trial["setting"], SizeIs(2));
    w.insert(trial["setting"]["lambda-w"]);
    q.insert(trial["setting"]["lambda-q"]);
  }
  for (const std::set<std::string>& values : {w, q}) {
    EXPECT_TRUE(values.contains("32"));
    EXPECT_TRUE(values.contains("9.5367431640625e-07"));
  }
  EXPECT_GE(json["trials"].size(), 36u);
  EXPECT_LT(json["trials"].size(), 26u * 26u);
}

TEST_F(Tune, WithoutVaryWhatIsGivenOrUnusedIsNotVaried) {
  const Words few = {"--iterations", "1", "--hidden", "1", "--folds", "2"};
  const auto varied = [&](const Words& more, const std::string& study) {
    const Json json = document(with(with({"tune", "t.csv", "--study", study}, few), more));
    Words options;
    for (const auto& [option, value] : json["winner"]["setting"].items()) options.push_back(option);
    return options;
  };
  EXPECT_THAT(varied({"--activation", "tanh"}, "a.db"), ElementsAre("lambda-w"));
  EXPECT_THAT(varied({"--lambda-w", "0.1"}, "b.db"), ElementsAre("lambda-q"));
}

TEST_F(Tune, RandomDrawsAsManySettingsAsAskedFor) {
  const Words random = {"--vary",     "lambda-w=1e-4..1", "--vary",   "knots=9..21",
                        "--strategy", "random",           "--trials", "5"};
  const Json json = tuned(random);
  ASSERT_THAT(json["trials"], SizeIs(5));
  for (const Json& trial : json["trials"]) {
    const int knots = std::stoi(trial["setting"]["knots"].get<std::string>());
    EXPECT_GE(knots, 9);
    EXPECT_LE(knots, 21);
  }
  EXPECT_EQ(essence(tuned(random, "again.db")), essence(json));
  EXPECT_NE(tuned(with(random, {"--seed", "1"}), "other.db")["trials"], json["trials"]);
}

TEST_F(Tune, HalvingGivesTheBestMoreIterations) {
  const Json json = tuned({"--vary", "lambda-w=1e-4..1", "--strategy", "halving", "--trials", "9"});
  ASSERT_THAT(json["trials"], SizeIs(9 + 3 + 1));
  const Json best = best_of(json, 1);
  EXPECT_EQ(json["winner"]["setting"], best["setting"]);
  // A third of 4 iterations is 1: the result equals that of a search with 1 iteration.
  const std::string value = best["setting"]["lambda-w"];
  const Json short_run = document({"tune", "t.csv", "--study", "short.db", "--hidden", "3",
                                   "--iterations", "1", "--vary", "lambda-w=" + value});
  std::size_t compared = 0;
  for (const Json& trial : json["trials"]) {
    if (trial["setting"] != best["setting"] || trial["budget"] == 1) continue;
    EXPECT_EQ(trial["mean"], short_run["winner"]["mean"]);
    ++compared;
  }
  EXPECT_EQ(compared, 2u);
}

TEST_F(Tune, OptionsOfAllKindsCanBeVaried) {
  const Json json = tuned({"--vary", "optimizer=adam|adamw", "--vary", "rate=0.01|0.1", "--batch",
                           "16", "--vary", "free-bias=true|false"});
  EXPECT_THAT(json["trials"], SizeIs(8));
  EXPECT_THAT(document({"tune", "t.csv", "--study", "h.db", "--iterations", "2", "--vary",
                        "hidden=0|2|2,2"})["trials"],
              SizeIs(3));
}

TEST_F(Tune, ARangeOfWholeNumbersHasAllThatFit) {
  const Json json =
      document({"tune", "t.csv", "--study", "h.db", "--iterations", "1", "--vary", "hidden=1..5"});
  Words values;
  for (const Json& trial : json["trials"]) values.push_back(trial["setting"]["hidden"]);
  EXPECT_THAT(values, ElementsAre("1", "2", "3", "4", "5"));
}

TEST_F(Tune, AConfigurationGivesOptions) {
  folder_.write("c.toml",
                "data = 't.csv'\nhidden = 3\nlambda-q = 1e-3\n[tune]\nstudy = 'c.db'\niterations = "
                "2\nvary = ['lambda-w=0.1|1', 'knots=9|11']\nfolds = 2\n[train]\nseed = 5\n");
  const Json json = document({"tune", "--config", "c.toml", "--folds", "4"});
  EXPECT_EQ(json["study"], "c.db");
  EXPECT_EQ(json["folds"], 4);
  EXPECT_THAT(json["trials"], SizeIs(4));
  EXPECT_EQ(record_of(folder_.read("model.safetensors"))["training"]["options"]["seed"], "0");
}

TEST_F(Tune, ThreadsChangeNothing) {
  const Words refine = {"--vary", "lambda-w=2^-8..2^2", "--strategy", "refine"};
  EXPECT_EQ(essence(tuned(with(refine, {"--threads", "1"}), "one.db")),
            essence(tuned(with(refine, {"--threads", "2"}), "two.db")));
}

TEST_F(Tune, ASecondTableCanBeTheTestPart) {
  folder_.write("test.csv", small_table(20));
  const Json json = tuned(with(kGrid, {"--test-data", "test.csv"}));
  EXPECT_EQ(json["train"]["rows"], 60);
  EXPECT_EQ(json["test"]["rows"], 20);
}

TEST_F(Tune, TheSameCommandAgainEvaluatesNothing) {
  const Json first = tuned(kGrid);
  const Json again = tuned(kGrid);
  EXPECT_EQ(again["evaluated"], 0);
  EXPECT_EQ(essence(again), essence(first));
  // Options that do not affect the scores may differ.
  EXPECT_EQ(tuned(with(kGrid, {"--threads", "1", "--out", "other.st"}))["evaluated"], 0);
}

TEST_F(Tune, TellsPeopleTheSameInWordsWithAMap) {
  const Outcome outcome = knotwork(words(kGrid));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* word :
       {"search     grid over lambda-w (3 values), lambda-q (2 values), 6 trials of 3 folds",
        "winner     lambda-w ", " \u00B1 ", "train      NRMSE", "test       NRMSE",
        "saved in   model.safetensors", "study      s.db", "deviation  lambda-w  lambda-q", "[B]",
        "B best: "}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
  const Outcome one = knotwork(words({"--vary", "lambda-w=0.1|1"}, "one.db"));
  EXPECT_THAT(one.out, AllOf(HasSubstr("deviation  lambda-w\n"), Not(HasSubstr("[B]"))));
}

TEST_F(Tune, ShowsOnlyTheTenBestTrials) {
  const std::string text = knotwork(words({"--vary", "lambda-w=0.1..1:12"})).out;
  EXPECT_THAT(text,
              AllOf(HasSubstr("the best trials"), HasSubstr("\n10  "), Not(HasSubstr("\n11  "))));
}

TEST_F(Tune, ShowsProgressLinesOnStandardErrorWhenAsked) {
  const Outcome outcome = knotwork(words(with(kGrid, {"--progress", "--json"})));
  EXPECT_TRUE(Json::accept(outcome.out));
  const Words lines = lines_of(outcome.err);
  ASSERT_GE(lines.size(), 3u);
  EXPECT_THAT(lines[0], AllOf(HasSubstr("searching"), HasSubstr("fold 1/18")));
  EXPECT_THAT(outcome.err, HasSubstr("fold 18/18  best 0."));
  EXPECT_THAT(outcome.err, HasSubstr("training  100.0 %  iteration 4/4"));
}

TEST_F(Tune, ShowPrintsAStudyWithoutItsData) {
  const Json json = tuned(kGrid);
  std::filesystem::remove(folder_.path() / "t.csv");
  const Json shown = document({"tune", "--show", "s.db"});
  EXPECT_EQ(essence(shown), essence(json));
  const Outcome text = knotwork({"tune", "--show", "s.db"});
  EXPECT_EQ(text.code, 0);
  for (const char* word : {"study      s.db", "winner     lambda-w ",
                           "saved in   model.safetensors (test NRMSE 0.", "B best: "}) {
    EXPECT_THAT(text.out, HasSubstr(word));
  }
}

TEST_F(Tune, ShowDrawsMapsAndCurves) {
  const auto drawn = [&](const Words& vary, const std::string& study) {
    tuned(vary, study);
    EXPECT_EQ(knotwork({"tune", "--show", study, "--svg", "f.svg"}).code, 0);
    return folder_.read("f.svg");
  };
  EXPECT_THAT(drawn(kGrid, "two.db"),
              AllOf(HasSubstr("<svg"), HasSubstr("lambda-q"), HasSubstr("NRMSE, mean of 3 folds")));
  EXPECT_THAT(drawn({"--vary", "lambda-w=0.001|0.1|10"}, "one.db"),
              AllOf(HasSubstr("<svg"), HasSubstr("mean + deviation")));
  EXPECT_THAT(drawn({"--vary", "basis=catmull-rom|b-spline"}, "names.db"),
              AllOf(HasSubstr("<svg"), HasSubstr("b-spline")));
  EXPECT_THAT(drawn({"--vary", "lambda-w=1e-4..1", "--vary", "lambda-q=1e-4..1", "--strategy",
                     "halving", "--trials", "4"},
                    "drawn.db"),
              AllOf(HasSubstr("<svg"), HasSubstr("each setting at its largest budget")));
}

}  // namespace
}  // namespace knotwork::testing
