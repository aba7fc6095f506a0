// SPDX-License-Identifier: MIT
// Searches whose folds are evaluated by several ranks, here threads with queues between them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>
#include <thread>

#include "parallel/test_ranks.hpp"
#include "search/test_study.hpp"

namespace knotwork::searching {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::size_t kRanks[] = {1, 2, 3, 5};

using RankEvaluate = std::function<std::optional<double>(std::size_t rank, const FoldTask&)>;

std::optional<double> evaluate_anywhere(std::size_t, const FoldTask& task) {
  return test_evaluate(task);
}

std::string described(const TrialRecord& trial) {
  std::string text = fmt::format("{}{} {} {} {}", to_text(trial.setting), trial.budget,
                                 trial.complete, trial.mean, trial.deviation);
  for (const FoldScore& score : trial.scores) {
    text += fmt::format(" {} {} {}", score.fold, score.score, score.message);
  }
  return text + "\n";
}
std::string described(const std::vector<TrialRecord>& trials) {
  std::string text;
  for (const TrialRecord& trial : trials) text += described(trial);
  return text;
}

std::size_t stored_folds(const Study& study) {
  std::size_t count = 0;
  for (const TrialRecord& trial : study.trials("")) count += trial.scores.size();
  return count;
}

// The results of each rank.
struct Together {
  std::vector<SearchResult> results;
  std::vector<std::optional<Error>> errors;
};

// Ranks end as in the program: a rank that fails reports its error to the others.
Together search_on(std::size_t count, const SearchOptions& options, Study& study,
                   const RankEvaluate& evaluate = evaluate_anywhere,
                   const std::shared_ptr<Monitor>& monitor = {}) {
  Together together{std::vector<SearchResult>(count), std::vector<std::optional<Error>>(count)};
  parallel::run_ranks(count, [&](Ranks& ranks) {
    const std::size_t rank = ranks.rank();
    const Evaluate own = [&](const FoldTask& task) { return evaluate(rank, task); };
    try {
      try {
        together.results[rank] = ranks.is_first() ? search(options, study, "", own, monitor, &ranks)
                                                  : serve_search(options, own, ranks);
      } catch (const std::exception& error) {
        ranks.report_failure(error);
      }
    } catch (const Error& error) {
      together.errors[rank] = error;
    }
  });
  return together;
}

SearchResult search_alone(const SearchOptions& options, Study& study) {
  return search(options, study, "", test_evaluate);
}
SearchResult search_alone(const SearchOptions& options) {
  Study study("", {});
  return search_alone(options, study);
}

void expect_same_end(const Together& together, const SearchResult& alone) {
  EXPECT_EQ(described(together.results[0].trials), described(alone.trials));
  for (const SearchResult& result : together.results) {
    EXPECT_FALSE(result.stopped);
    ASSERT_TRUE(result.winner);
    EXPECT_EQ(described(*result.winner), described(*alone.winner));
  }
}

TEST(SearchRanks, TheSameTrialsAndWinnerAsAloneForAnyNumberOfRanksAndThreads) {
  for (const std::string& strategy : search_strategies().names()) {
    Study study("", {});
    const SearchResult alone = search_alone(test_options(strategy, 1), study);
    for (const std::size_t count : kRanks) {
      for (const std::size_t threads : {1u, 2u, 7u}) {
        SCOPED_TRACE(fmt::format("{}, {} ranks of {} threads", strategy, count, threads));
        Study shared("", {});
        const Together together = search_on(count, test_options(strategy, threads), shared);
        expect_same_end(together, alone);
        EXPECT_EQ(together.results[0].evaluated, alone.evaluated);
        EXPECT_EQ(described(shared.trials("")), described(study.trials("")));
      }
    }
  }
}

TEST(SearchRanks, FoldsRunSideBySideOnAllThreadsOfAllRanks) {
  SearchOptions options;
  options.space = {parse_dimension("x=1|2|3")};
  options.folds = 2;
  std::atomic<int> inside = 0;
  // No evaluation returns before all six have begun.
  const Evaluate evaluate = [&](const FoldTask&) {
    const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (++inside; inside < 6 && std::chrono::steady_clock::now() < late;) {
      std::this_thread::yield();
    }
    return inside < 6 ? 100.0 : 0.0;
  };
  std::vector<std::size_t> evaluated(3);
  parallel::run_ranks(3, [&](Ranks& ranks) {
    SearchOptions own = options;
    own.threads = ranks.rank() + 1;
    Study study("", {});
    const SearchResult result = ranks.is_first() ? search(own, study, "", evaluate, {}, &ranks)
                                                 : serve_search(own, evaluate, ranks);
    EXPECT_EQ(result.winner->mean, 0);
    evaluated[ranks.rank()] = result.evaluated;
  });
  EXPECT_THAT(evaluated, ::testing::ElementsAre(6, 2, 3)) << "all of them, and the ranks' own";
}

TEST(SearchRanks, TheMonitorSeesEveryFoldOnTheFirstRank) {
  const SearchOptions options = test_options("refine", 2);
  Study study("", {});
  std::size_t calls = 0;
  const Together together =
      search_on(3, options, study, evaluate_anywhere, watch([&](const Progress& progress) {
                  EXPECT_EQ(progress.done, ++calls);
                  EXPECT_LE(progress.done, progress.planned);
                  EXPECT_FALSE(progress.fold->found);
                  return true;
                }));
  EXPECT_EQ(calls, together.results[0].evaluated);
}

TEST(SearchRanks, AFoldThatFailsOnAnyRankIsAFailedScore) {
  const auto evaluate = [](const FoldTask& task) -> std::optional<double> {
    if (task.setting[0].second == "5" && task.fold == 1) {
      throw Error(ErrorKind::failed_run, "It diverged.");
    }
    if (task.setting[0].second == "4") return std::numeric_limits<double>::quiet_NaN();
    return test_evaluate(task);
  };
  const SearchOptions options = test_options("grid", 1);
  Study study("", {});
  const SearchResult alone = search(options, study, "", evaluate);
  EXPECT_EQ(alone.winner->setting[0].second, "6");
  for (const std::size_t count : kRanks) {
    Study shared("", {});
    const Together together = search_on(
        count, options, shared, [&](std::size_t, const FoldTask& task) { return evaluate(task); });
    expect_same_end(together, alone);
    EXPECT_THAT(described(together.results[0].trials), HasSubstr("It diverged."));
  }
}

TEST(SearchRanks, WhenAllTrialsFailAllRanksDo) {
  Study study("", {});
  const Together together = search_on(3, test_options("grid", 2), study,
                                      [](std::size_t, const FoldTask&) -> std::optional<double> {
                                        throw Error(ErrorKind::failed_run, "It diverged.");
                                      });
  for (const std::optional<Error>& error : together.errors) {
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), ErrorKind::failed_run);
    EXPECT_THAT(error->what(), HasSubstr("All 16 trials failed, the first one on fold 1"));
  }
}

TEST(SearchRanks, AnyOtherErrorOfOneRankEndsAll) {
  const SearchOptions options = test_options("grid", 2);
  const SearchResult alone = search_alone(options);
  for (const std::size_t odd : {0u, 1u, 2u}) {
    Study study("", {});
    std::atomic<int> calls = 0;
    const Together together =
        search_on(3, options, study, [&](std::size_t rank, const FoldTask& task) {
          if (rank == odd && ++calls == 4) throw Error(ErrorKind::bad_data, "Row 3 is empty.");
          return test_evaluate(task);
        });
    for (const std::optional<Error>& error : together.errors) {
      ASSERT_TRUE(error);
      EXPECT_EQ(error->kind(), ErrorKind::bad_data);
      EXPECT_EQ(error->what(), fmt::format("Rank {}: Row 3 is empty.", odd));
    }
    // Stored scores stay, and the rest can be evaluated.
    const std::size_t stored = stored_folds(study);
    EXPECT_GE(stored, 6u) << "the first round";
    const SearchResult rest = search_alone(options, study);
    EXPECT_EQ(rest.evaluated, alone.evaluated - stored);
    EXPECT_EQ(described(rest.trials), described(alone.trials));
  }
}

TEST(SearchRanks, WhatTheMonitorThrowsEndsAll) {
  Study study("", {});
  const Together together = search_on(3, test_options("grid", 1), study, evaluate_anywhere,
                                      watch([](const Progress& progress) -> bool {
                                        if (progress.done < 5) return true;
                                        throw Error(ErrorKind::bad_file, "The disk is full.");
                                      }));
  for (const std::optional<Error>& error : together.errors) {
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), ErrorKind::bad_file);
    EXPECT_THAT(error->what(), StartsWith("Rank 0: "));
  }
}

TEST(SearchRanks, AFoldGivenUpOnAnyRankStopsAllAndWhatIsStoredStays) {
  for (const std::string& strategy : search_strategies().names()) {
    const SearchOptions options = test_options(strategy, 2);
    const SearchResult alone = search_alone(options);
    for (const std::size_t odd : {0u, 1u, 2u}) {
      SCOPED_TRACE(fmt::format("{}, rank {}", strategy, odd));
      Study study("", {});
      std::atomic<int> calls = 0;
      const Together part =
          search_on(3, options, study, [&](std::size_t rank, const FoldTask& task) {
            return rank == odd && ++calls == 3 ? std::nullopt : test_evaluate(task);
          });
      for (const SearchResult& result : part.results) EXPECT_TRUE(result.stopped);
      const std::size_t stored = stored_folds(study);
      EXPECT_EQ(part.results[0].evaluated, stored);
      EXPECT_GE(stored, 6u + 4u) << "a round, and those of the other ranks in the next";
      EXPECT_LT(stored, alone.evaluated);
      const SearchResult rest = search_alone(options, study);
      EXPECT_EQ(rest.evaluated, alone.evaluated - stored);
      EXPECT_EQ(described(rest.trials), described(alone.trials));
    }
  }
}

TEST(SearchRanks, AFoldGivenUpAsksTheOthersOfItsRankToGiveUp) {
  Study study("", {});
  std::atomic<int> calls = 0;
  std::atomic<bool> asked = false;
  const auto wait_for = [](const auto& condition) {
    const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition() && std::chrono::steady_clock::now() < late) std::this_thread::yield();
  };
  search_on(2, test_options("grid", 2), study,
            [&](std::size_t rank, const FoldTask& task) -> std::optional<double> {
              if (rank == 0) return test_evaluate(task);
              if (++calls == 1) {
                wait_for([&] { return calls == 2; });
                return std::nullopt;
              }
              wait_for([&] { return task.monitor->stop_requested(); });
              asked = task.monitor->stop_requested();
              return std::nullopt;
            });
  EXPECT_TRUE(asked);
  EXPECT_EQ(stored_folds(study), 2u) << "those of the other rank";
}

TEST(SearchRanks, StoppedByTheMonitorItGoesOnWithAnotherNumberOfRanks) {
  for (const std::string& strategy : search_strategies().names()) {
    const SearchOptions options = test_options(strategy, 1);
    const SearchResult alone = search_alone(options);
    Study study("", {});
    std::size_t evaluated = 0;
    std::size_t runs = 0;
    for (bool stopped = true; stopped && runs < 100; ++runs) {
      std::size_t fresh = 0;
      const std::size_t count = kRanks[runs % std::size(kRanks)];
      const Together together =
          search_on(count, options, study, evaluate_anywhere, watch([&](const Progress& progress) {
                      fresh += progress.fold->found ? 0 : 1;
                      return fresh < 3;
                    }));
      evaluated += together.results[0].evaluated;
      stopped = together.results[0].stopped;
      for (const SearchResult& result : together.results) EXPECT_EQ(result.stopped, stopped);
      if (!stopped) expect_same_end(together, alone);
    }
    EXPECT_GT(runs, 3u);
    EXPECT_EQ(evaluated, alone.evaluated) << strategy;
  }
}

// The folds of the other ranks do not end by themselves.
TEST(SearchRanks, AStopOfAnyRankIsHeardByTheFoldsOfAll) {
  for (const std::size_t told : {0u, 2u}) {
    Study study("", {});
    std::vector<SearchResult> results(3);
    parallel::run_ranks(3, [&](Ranks& ranks) {
      const auto monitor = std::make_shared<Monitor>();
      const Evaluate evaluate = [&](const FoldTask& task) -> std::optional<double> {
        if (ranks.rank() == told) monitor->request_stop();
        const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (!task.monitor->stop_requested() && std::chrono::steady_clock::now() < late) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        throw Error(ErrorKind::stopped, "The training was stopped.");
      };
      const auto begin = std::chrono::steady_clock::now();
      const SearchOptions options = test_options("grid", 2);
      results[ranks.rank()] = ranks.is_first()
                                  ? search(options, study, "", evaluate, monitor, &ranks)
                                  : serve_search(options, evaluate, ranks, monitor);
      EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    });
    for (const SearchResult& result : results) {
      EXPECT_TRUE(result.stopped);
      EXPECT_EQ(result.evaluated, 0u);
    }
    for (const std::size_t fold : {0u, 1u}) {
      EXPECT_TRUE(study.claim(study.begin("", {results[0].trials[0].setting}, 1, 2)[0], fold));
    }
  }
}

TEST(SearchRanks, StoppedAtWhatWasFoundItBeginsNothing) {
  const SearchOptions options = test_options("grid", 1);
  const SearchResult alone = search_alone(options);
  Study study("", {});
  const std::vector<std::int64_t> numbers =
      study.begin("", {alone.trials[0].setting, alone.trials[1].setting}, 1, options.folds);
  study.store(numbers[1], {0, 1, 0, ""});
  std::atomic<int> calls = 0;
  const auto evaluate = [&](std::size_t, const FoldTask& task) {
    ++calls;
    return test_evaluate(task);
  };
  const Together together =
      search_on(5, options, study, evaluate, watch([](const Progress&) { return false; }));
  EXPECT_EQ(calls, 0);
  for (const SearchResult& result : together.results) EXPECT_TRUE(result.stopped);
  // The folds before the one that was found can be claimed again.
  for (const std::size_t fold : {0u, 1u}) EXPECT_TRUE(study.claim(numbers[0], fold));
}

TEST(SearchRanks, WhatAnotherProgramHasBegunComesLastAndIsDoneAllTheSame) {
  const SearchOptions options = test_options("grid", 1);
  const SearchResult alone = search_alone(options);
  Study study("", {});
  const std::vector<Setting> first = {alone.trials.front().setting};
  ASSERT_TRUE(study.claim(study.begin("", first, 1, options.folds).front(), 0));
  std::mutex mutex;
  std::vector<std::pair<Setting, std::size_t>> order;
  const Together together = search_on(2, options, study, [&](std::size_t, const FoldTask& task) {
    const std::lock_guard lock(mutex);
    order.emplace_back(task.setting, task.fold);
    return test_evaluate(task);
  });
  EXPECT_EQ(order.size(), alone.evaluated);
  EXPECT_EQ(order.back(), std::pair(first.front(), std::size_t{0}));
  expect_same_end(together, alone);
}

TEST(SearchRanks, AStudyOfOneProcessGoesOnUnderRanksAndBack) {
  const SearchOptions options = test_options("refine", 2);
  const SearchResult alone = search_alone(options);
  const auto until = [](std::size_t done) {
    return watch([done](const Progress& progress) { return progress.done < done; });
  };
  Study study("", {});
  std::size_t evaluated = search(options, study, "", test_evaluate, until(5)).evaluated;
  const Together part = search_on(3, options, study, evaluate_anywhere, until(13));
  EXPECT_TRUE(part.results[0].stopped);
  evaluated += part.results[0].evaluated;
  EXPECT_GE(evaluated, 13u);
  const SearchResult rest = search_alone(options, study);
  EXPECT_EQ(evaluated + rest.evaluated, alone.evaluated);
  EXPECT_EQ(described(rest.trials), described(alone.trials));
  EXPECT_EQ(described(*rest.winner), described(*alone.winner));
}

}  // namespace
}  // namespace knotwork::searching
