// SPDX-License-Identifier: MIT
// Tests of searches that are stopped or killed and run again, and of two searches with one file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include <knotwork/random.hpp>

#include "search/test_study.hpp"

namespace knotwork::searching {
namespace {

using Resume = StudyFile;

std::string summary(const SearchResult& result) {
  std::string text = to_text(result.winner->setting) + std::to_string(result.winner->mean);
  for (const TrialRecord& trial : result.trials) {
    text += "\n" + to_text(trial.setting) + std::to_string(trial.mean);
  }
  return text;
}

SearchResult undisturbed(SearchOptions options) {
  Study study("", {});
  options.threads = 1;
  return search(options, study, "", test_evaluate);
}

// 16 folds, because every fold costs a flush of the disk.
SearchOptions small_grid() {
  SearchOptions options = test_options("grid", 2);
  options.space[0] = parse_dimension("x=3..6:4");
  return options;
}

std::size_t stored_folds(const std::filesystem::path& path) {
  std::size_t count = 0;
  for (const TrialRecord& trial : load_trials(path)) count += trial.scores.size();
  return count;
}

TEST_F(Resume, AfterAStopAtAnyFoldTheEndIsTheSame) {
  for (const std::string& strategy : search_strategies().names()) {
    const SearchResult whole = undisturbed(test_options(strategy, 1));
    for (std::size_t stop_at = 1; stop_at < whole.evaluated; ++stop_at) {
      Study study("", {});
      std::size_t calls = 0;
      const SearchOptions options = test_options(strategy, 1 + stop_at % 3);
      const SearchResult part = search(options, study, "", test_evaluate,
                                       watch([&](const Progress&) { return ++calls < stop_at; }));
      EXPECT_TRUE(part.stopped);
      EXPECT_GE(calls, stop_at);
      EXPECT_EQ(calls, part.evaluated) << "every stored fold is told of, also after the stop";
      const SearchResult rest = search(options, study, "", test_evaluate);
      EXPECT_EQ(part.evaluated + rest.evaluated, whole.evaluated);
      EXPECT_EQ(summary(rest), summary(whole)) << strategy << " stopped at " << stop_at;
    }
  }
}

TEST_F(Resume, OnDiskAfterAStopEveryFewFolds) {
  const SearchResult whole = undisturbed(test_options("refine", 1));
  std::size_t evaluated = 0;
  std::optional<SearchResult> last;
  for (int runs = 0; (!last || last->stopped) && runs < 100; ++runs) {
    Study study(path_, {{"seed", "1"}});
    std::size_t fresh = 0;
    last = search(test_options("refine", 2), study, "", test_evaluate,
                  watch([&](const Progress& progress) {
                    fresh += progress.fold->found ? 0 : 1;
                    return fresh < 5;
                  }));
    evaluated += last->evaluated;
  }
  EXPECT_EQ(summary(*last), summary(whole));
  EXPECT_EQ(evaluated, whole.evaluated);
}

// A slow search in a process of its own that reports every fold after storing it.
struct Child {
  pid_t process = 0;
  int reports = -1;  // a byte for each fold

  explicit Child(const std::filesystem::path& path) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::pipe(ends), 0);
    process = ::fork();
    if (process == 0) run(path, ends[1]);
    ::close(ends[1]);
    reports = ends[0];
  }

  [[noreturn]] static void run(const std::filesystem::path& path, int pipe) {
    try {
      Study study(path, {{"seed", "1"}});
      const auto slow = [](const FoldTask& task) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return test_evaluate(task);
      };
      search(small_grid(), study, "", slow, watch([&](const Progress& progress) {
               return progress.fold->found || ::write(pipe, "x", 1) == 1;
             }));
      ::_exit(0);
    } catch (const std::exception&) {
      ::_exit(1);
    }
  }

  bool wait_for_report() const {
    char byte = 0;
    return ::read(reports, &byte, 1) == 1;
  }
  // The exit status, or -1 if the process was killed.
  int wait_for_end() const {
    int status = 0;
    EXPECT_EQ(::waitpid(process, &status, 0), process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(Resume, AfterBeingKilledAtAnyMomentTheEndIsTheSame) {
  const SearchResult whole = undisturbed(small_grid());
  const Random random(5, Purpose::search_draws);
  std::size_t kills = 0;
  std::size_t reported = 0;
  for (std::uint64_t k = 0; k < 12; ++k) {
    const Child child(path_);
    // Sometimes before the study exists, otherwise around the time a fold is stored.
    if (k % 3 != 0) reported += child.wait_for_report() ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(10000, k)));
    ::kill(child.process, SIGKILL);
    const int status = child.wait_for_end();
    while (child.wait_for_report()) ++reported;
    ::close(child.reports);
    EXPECT_LE(status, 0);
    kills += status < 0 ? 1 : 0;
  }
  EXPECT_GT(kills, 0u);
  EXPECT_GT(reported, 0u);

  Study study(path_, {{"seed", "1"}});
  const std::size_t stored = stored_folds(path_);
  EXPECT_GE(stored, reported);
  const SearchResult rest = search(small_grid(), study, "", test_evaluate);
  EXPECT_EQ(rest.evaluated + stored, whole.evaluated);
  EXPECT_EQ(summary(rest), summary(whole));
}

TEST_F(Resume, TwoProcessesShareOneStudy) {
  const SearchResult whole = undisturbed(small_grid());
  const Child children[] = {Child(path_), Child(path_)};
  for (const Child& child : children) {
    EXPECT_EQ(child.wait_for_end(), 0);
    ::close(child.reports);
  }
  Study study(path_, {{"seed", "1"}});
  const SearchResult result = search(small_grid(), study, "", test_evaluate);
  EXPECT_EQ(result.evaluated, 0u);
  EXPECT_EQ(summary(result), summary(whole));
}

TEST_F(Resume, WhatAnotherHasBegunComesLastAndIsDoneAllTheSame) {
  const SearchOptions options = small_grid();
  const SearchResult whole = undisturbed(options);
  Study study(path_, {{"seed", "1"}});
  // The study as a process that died would leave it.
  const std::vector<Setting> first = {whole.trials.front().setting};
  ASSERT_TRUE(study.claim(study.begin("", first, 1, options.folds).front(), 0));
  SearchOptions in_order = options;
  in_order.threads = 1;
  std::vector<std::pair<Setting, std::size_t>> order;
  const SearchResult result = search(in_order, study, "", [&](const FoldTask& task) {
    order.emplace_back(task.setting, task.fold);
    return test_evaluate(task);
  });
  EXPECT_EQ(order.back(), std::pair(first.front(), std::size_t{0}));
  EXPECT_EQ(order.size(), whole.evaluated);
  EXPECT_EQ(summary(result), summary(whole));
}

TEST_F(Resume, AFoldThatAnotherStoredInTheMeantimeStays) {
  Study study(path_, {});
  const SearchOptions options = small_grid();
  const SearchResult result = search(options, study, "", [&](const FoldTask& task) {
    if (task.setting[0].second == "3" && task.setting[1].second == "a" && task.fold == 0) {
      Study other(path_, {});
      const auto numbers = other.begin("", {task.setting}, 1, options.folds);
      other.store(numbers[0], {0, -100, 0, ""});
    }
    return test_evaluate(task);
  });
  EXPECT_EQ(result.winner->setting[0].second, "3");
  EXPECT_EQ(result.winner->scores[0].score, -100);
}

}  // namespace
}  // namespace knotwork::searching
