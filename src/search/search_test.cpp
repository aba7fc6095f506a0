// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

#include "search/test_study.hpp"

namespace knotwork::searching {
namespace {

using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

SearchOptions list_options(const std::string& values, std::size_t folds) {
  SearchOptions options;
  options.space = {parse_dimension("x=" + values)};
  options.folds = folds;
  options.threads = 2;
  return options;
}

TEST(Search, FindsTheBestSettingWithMeanAndDeviation) {
  Study study("", {});
  const SearchResult result = search(list_options("1|2|3", 3), study, "", [](const FoldTask& task) {
    const double x = read_number(task.setting[0].second)->value;
    return (x - 2) * (x - 2) + static_cast<double>(task.fold);
  });
  ASSERT_TRUE(result.winner);
  EXPECT_EQ(result.winner->setting, (Setting{{"x", "2"}}));
  EXPECT_DOUBLE_EQ(result.winner->mean, 1);
  EXPECT_DOUBLE_EQ(result.winner->deviation, 1);
  EXPECT_EQ(result.winner->budget, 1);
  EXPECT_EQ(result.trials.size(), 3u);
  EXPECT_EQ(result.evaluated, 9u);
  EXPECT_FALSE(result.stopped);
}

TEST(Search, EqualsAreDecidedByTheOrderOfTheGrid) {
  for (const std::size_t threads : {1u, 2u, 7u}) {
    for (const char* strategy : {"grid", "refine"}) {
      SearchOptions options;
      options.strategy = strategy;
      options.space = {parse_dimension("x=0..30:31")};
      options.threads = threads;
      Study study("", {});
      // The first fold of the first setting finishes last.
      const SearchResult result = search(options, study, "", [](const FoldTask& task) {
        if (task.setting[0].second == "0" && task.fold == 0) {
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return 1.0;
      });
      EXPECT_EQ(result.winner->setting[0].second, "0") << strategy << " " << threads;
      EXPECT_EQ(result.winner->deviation, 0);
    }
  }
}

TEST(Search, ThreadsDoNotChangeAnything) {
  for (const std::string& strategy : search_strategies().names()) {
    std::vector<std::string> tables;
    for (const std::size_t threads : {1u, 2u, 7u}) {
      Study study("", {});
      const SearchResult result = search(test_options(strategy, threads), study, "", test_evaluate);
      std::string table = to_text(result.winner->setting) + std::to_string(result.winner->mean);
      for (const TrialRecord& trial : result.trials) {
        EXPECT_TRUE(trial.complete);
        table += "\n" + to_text(trial.setting) + std::to_string(trial.budget) + " " +
                 std::to_string(trial.mean) + " " + std::to_string(trial.deviation);
      }
      tables.push_back(table);
      EXPECT_EQ(result.evaluated, result.trials.size() * 2);
      EXPECT_EQ(study.trials("").size(), result.trials.size());
    }
    EXPECT_EQ(tables[0], tables[1]) << strategy;
    EXPECT_EQ(tables[0], tables[2]) << strategy;
  }
}

TEST(Search, HalvingSpendsLessAndTakesItsWinnerFromTheLastRung) {
  SearchOptions options = test_options("halving", 2);
  Study study("", {});
  const SearchResult result = search(options, study, "", [](const FoldTask& task) {
    // Small budgets have better scores here, which is allowed.
    return read_number(task.setting[0].second)->value + task.budget;
  });
  EXPECT_EQ(result.trials.size(), 9u + 3u + 1u);
  EXPECT_EQ(result.winner->budget, 1);
  EXPECT_EQ(result.winner->setting, result.trials.back().setting);
}

TEST(Search, FoldsRunSideBySide) {
  SearchOptions options = list_options("1|2", 2);
  options.threads = 4;
  Study study("", {});
  std::atomic<int> inside = 0;
  const SearchResult result = search(options, study, "", [&](const FoldTask&) {
    // No evaluation returns before all four have begun.
    for (++inside; inside < 4;) std::this_thread::yield();
    return 0.0;
  });
  EXPECT_EQ(result.evaluated, 4u);
}

TEST(Search, AFailedFoldCountsAsInfinitelyBadAndIsRecorded) {
  Study study("", {});
  const SearchResult result =
      search(list_options("1|2|3|4", 2), study, "", [](const FoldTask& task) {
        const std::string& x = task.setting[0].second;
        if (x == "1" && task.fold == 1) throw Error(ErrorKind::failed_run, "It diverged.");
        if (x == "2") return std::numeric_limits<double>::quiet_NaN();
        if (x == "3") return -kInfinity;
        return 100.0;
      });
  EXPECT_EQ(result.winner->setting[0].second, "4");
  const std::vector<TrialRecord> trials = study.trials("");
  EXPECT_EQ(trials[0].mean, kInfinity);
  EXPECT_EQ(trials[0].scores[0].score, 100);
  EXPECT_EQ(trials[0].scores[1].score, kInfinity);
  EXPECT_EQ(trials[0].scores[1].message, "It diverged.");
  EXPECT_EQ(trials[1].scores[0].score, kInfinity);
  EXPECT_EQ(trials[1].scores[0].message, "The score is nan.");
  EXPECT_EQ(trials[2].mean, kInfinity);
  EXPECT_EQ(trials[2].deviation, kInfinity);
  EXPECT_TRUE(trials[2].complete);
}

TEST(Search, SaysSoWhenEverythingFailed) {
  Study study("", {});
  try {
    search(list_options("1|2", 2), study, "", [](const FoldTask& task) -> std::optional<double> {
      if (task.fold == 0) return 1;
      throw Error(ErrorKind::failed_run, "It diverged.");
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::failed_run);
    EXPECT_STREQ(error.what(), "All 2 trials failed, the first one on fold 2 with: It diverged.");
  }
}

TEST(Search, SaysSoWhenScoresAreTooLargeToBeAveraged) {
  Study study("", {});
  try {
    search(list_options("1|2", 2), study, "", [](const FoldTask&) { return 1e308; });
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "All 2 trials failed; the scores of the first one are too large to be averaged.");
  }
}

TEST(Search, OtherExceptionsEndItAndKeepWhatWasStored) {
  Study study("", {});
  SearchOptions options = list_options("1|2|3", 2);
  options.threads = 1;
  const auto evaluate = [](const FoldTask& task) {
    if (task.setting[0].second == "2") throw Error(ErrorKind::bad_option, "No such thing.");
    return 1.0;
  };
  try {
    search(options, study, "", evaluate);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "No such thing.");
  }
  EXPECT_TRUE(study.trials("")[0].complete);
  EXPECT_TRUE(study.trials("")[1].scores.empty());
  options.threads = 3;
  EXPECT_THROW(search(options, study, "s",
                      [](const FoldTask&) -> std::optional<double> { throw std::bad_alloc(); }),
               std::bad_alloc);
}

TEST(Search, TheMonitorSeesEveryFoldOneAtATime) {
  Study study("", {});
  const SearchOptions options = test_options("refine", 4);
  std::size_t calls = 0;
  double best = kInfinity;
  std::atomic<int> inside = 0;
  const auto monitor = watch([&](const Progress& progress) {
    EXPECT_EQ(++inside, 1);
    EXPECT_EQ(progress.done, ++calls);
    EXPECT_LE(progress.done, progress.planned);
    EXPECT_EQ(progress.phase, Phase::comparing);
    const SearchProgress& now = *progress.fold;
    EXPECT_FALSE(now.found);
    EXPECT_EQ(now.score.score, test_score(now.setting, now.score.fold, now.budget));
    if (now.best) {
      EXPECT_LE(now.best->mean, best);
      best = now.best->mean;
    }
    --inside;
    return true;
  });
  const SearchResult result = search(options, study, "", test_evaluate, monitor);
  EXPECT_EQ(calls, result.evaluated);
  EXPECT_EQ(best, result.winner->mean);
  std::size_t found = 0;
  const SearchResult again =
      search(options, study, "", test_evaluate, watch([&](const Progress& progress) {
               found += progress.fold->found ? 1 : 0;
               return true;
             }));
  EXPECT_EQ(again.evaluated, 0u);
  EXPECT_EQ(found, calls);
}

TEST(Search, StoppingAsksFoldsUnderWayToGiveUp) {
  Study study("", {});
  SearchOptions options = list_options("1|2|3", 1);
  const auto evaluate = [](const FoldTask& task) -> std::optional<double> {
    if (task.setting[0].second == "1") return 1;
    while (!task.monitor->stop_requested()) std::this_thread::yield();
    return std::nullopt;
  };
  const SearchResult result =
      search(options, study, "", evaluate, watch([](const Progress&) { return false; }));
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.winner->setting[0].second, "1");
  EXPECT_EQ(result.evaluated, 1u);
  EXPECT_FALSE(study.trials("")[1].complete);
}

TEST(Search, AFoldThatEndsAfterTheStopIsStoredAndToldOf) {
  Study study("", {});
  const auto evaluate = [](const FoldTask& task) -> std::optional<double> {
    const bool late = task.setting[0].second == "2";
    while (late && !task.monitor->stop_requested()) std::this_thread::yield();
    return 1;
  };
  // The first fold must not end before the second has begun.
  std::atomic<int> begun = 0;
  std::vector<std::string> told;
  const SearchResult result = search(
      list_options("1|2", 1), study, "",
      [&](const FoldTask& task) {
        for (++begun; begun < 2;) std::this_thread::yield();
        return evaluate(task);
      },
      watch([&](const Progress& progress) {
        told.push_back(progress.fold->setting[0].second);
        EXPECT_EQ(progress.done, told.size());
        return told.size() == 2;  // a later `false` does not undo the stop
      }));
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.evaluated, 2u);
  EXPECT_EQ(told, (std::vector<std::string>{"1", "2"}));
  EXPECT_TRUE(study.trials("")[1].complete);
}

TEST(Search, AnEvaluationThatIsGivenUpStopsTheSearch) {
  Study study("", {});
  const SearchResult result = search(list_options("1|2|3", 2), study, "",
                                     [](const FoldTask&) { return std::optional<double>(); });
  EXPECT_TRUE(result.stopped);
  EXPECT_FALSE(result.winner);
  EXPECT_EQ(result.evaluated, 0u);
  EXPECT_EQ(result.trials.size(), 3u);
}

TEST(Search, ScopesDoNotDisturbEachOther) {
  Study study("", {});
  const SearchOptions options = test_options("grid", 2);
  EXPECT_EQ(search(options, study, "split 1", test_evaluate).evaluated, 32u);
  EXPECT_EQ(search(options, study, "split 2", test_evaluate).evaluated, 32u);
  EXPECT_EQ(search(options, study, "split 1", test_evaluate).evaluated, 0u);
}

TEST(Search, AnotherNumberOfFoldsInOneScopeIsRefused) {
  Study study("", {});
  const auto evaluate = [](const FoldTask&) { return 1.0; };
  search(list_options("1|2", 2), study, "", evaluate);
  try {
    search(list_options("1|2", 3), study, "", evaluate);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("has this search with 2 folds, not 3; name another file"));
  }
}

}  // namespace
}  // namespace knotwork::searching
