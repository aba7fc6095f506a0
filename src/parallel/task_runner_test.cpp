// SPDX-License-Identifier: MIT
#include "parallel/task_runner.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

#include "parallel/test_monitors.hpp"
#include "parallel/test_ranks.hpp"

#include <knotwork/error.hpp>

namespace knotwork::parallel {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;

using Results = std::vector<std::optional<int>>;

Tasks<int> squares(std::size_t count) {
  Tasks<int> tasks;
  tasks.count = count;
  tasks.evaluate = [](std::size_t task, const TaskShare&) {
    return std::optional(static_cast<int>(task * task));
  };
  tasks.pack = [](int result, Packer& to) { to.put(result); };
  tasks.unpack = [](Unpacker& from) { return from.get<int>(); };
  return tasks;
}

Results all_squares(std::size_t count) {
  Results results;
  for (std::size_t task = 0; task < count; ++task) results.push_back(static_cast<int>(task * task));
  return results;
}

// Whether the condition becomes true within a minute.
template <class Condition>
bool wait_for(const Condition& condition) {
  const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > late) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

class MapStore final : public ResultStore<int> {
 public:
  std::optional<int> find(std::size_t task) override {
    const std::lock_guard lock(mutex_);
    const auto found = known.find(task);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  }
  int keep(std::size_t task, int result) override {
    const std::lock_guard lock(mutex_);
    return known.emplace(task, result).first->second;
  }
  bool is_shared() const override { return shared; }
  bool claim(std::size_t task) override {
    const std::lock_guard lock(mutex_);
    return claimed.insert(task).second;
  }
  void give_up(std::size_t task) override {
    const std::lock_guard lock(mutex_);
    claimed.erase(task);
  }

  std::map<std::size_t, int> known;
  std::set<std::size_t> claimed;
  bool shared = false;

 private:
  std::mutex mutex_;
};

TEST(TaskRunner, GivesTheResultsInOrderForAnyNumberOfThreads) {
  for (const std::size_t threads : {1u, 2u, 3u, 4u}) {
    TaskRunner runner({.threads = threads});
    for (const std::size_t count : {0u, 1u, 7u, 100u}) {
      EXPECT_EQ(runner.run(squares(count)), all_squares(count));
      EXPECT_FALSE(runner.stopped());
      EXPECT_FALSE(runner.cut_short());
    }
  }
}

TEST(TaskRunner, RanksAllGetAllResultsAndShareTheTasks) {
  for (const std::size_t count : {1u, 2u, 3u}) {
    for (const std::size_t threads : {1u, 2u, 4u}) {
      for (const bool shared : {false, true}) {
        SCOPED_TRACE(fmt::format("{} ranks of {} threads", count, threads));
        std::atomic<int> evaluated = 0;
        MapStore store;
        store.shared = shared;
        run_ranks(count, [&](Ranks& ranks) {
          TaskRunner runner({.threads = threads, .ranks = &ranks});
          std::size_t told = 0;
          Tasks<int> tasks = squares(23);
          if (ranks.is_first()) tasks.store = &store;
          tasks.evaluate = [&, evaluate = tasks.evaluate](std::size_t task, const auto& share) {
            ++evaluated;
            return evaluate(task, share);
          };
          tasks.done = [&](std::size_t task, int result, bool found) {
            ++told;
            EXPECT_EQ(result, static_cast<int>(task * task));
            EXPECT_FALSE(found);
          };
          EXPECT_EQ(runner.run(tasks), all_squares(23));
          EXPECT_EQ(told, 23u);
          EXPECT_EQ(runner.run(squares(5)), all_squares(5)) << "a second run";
        });
        EXPECT_EQ(evaluated, 23);
        EXPECT_EQ(store.known.size(), 23u);
      }
    }
  }
}

TEST(TaskRunner, GivesTasksTheThreadsThatAreThere) {
  const auto threads_of = [](std::size_t threads, std::size_t count, std::size_t ranks_count) {
    std::atomic<std::size_t> most = 0;
    run_ranks(ranks_count, [&](Ranks& ranks) {
      TaskRunner runner({.threads = threads, .ranks = &ranks});
      Tasks<int> tasks = squares(count);
      tasks.evaluate = [&](std::size_t, const TaskShare& share) {
        most = share.threads;
        return std::optional(1);
      };
      runner.run(tasks);
    });
    return most.load();
  };
  EXPECT_EQ(threads_of(4, 9, 1), 1u);
  EXPECT_EQ(threads_of(4, 2, 1), 2u);
  EXPECT_EQ(threads_of(4, 2, 2), 4u);
}

TEST(TaskRunner, AStoreThatKnowsSomeResultsSavesTheirEvaluation) {
  for (const std::size_t count : {1u, 2u, 3u}) {
    MapStore store;
    store.known = {{0, -1}, {4, -5}};
    std::atomic<int> evaluated = 0;
    run_ranks(count, [&](Ranks& ranks) {
      TaskRunner runner({.threads = 2, .ranks = &ranks});
      Tasks<int> tasks = squares(6);
      if (ranks.is_first()) tasks.store = &store;
      tasks.evaluate = [&, evaluate = tasks.evaluate](std::size_t task, const TaskShare& share) {
        ++evaluated;
        return evaluate(task, share);
      };
      std::size_t found_ones = 0;
      tasks.done = [&](std::size_t, int, bool found) { found_ones += found ? 1 : 0; };
      EXPECT_EQ(runner.run(tasks), (Results{-1, 1, 4, 9, -5, 25}));
      EXPECT_EQ(found_ones, 2u);
    });
    EXPECT_EQ(evaluated, 4);
    EXPECT_EQ(store.known.size(), 6u);
  }
}

// All ranks get the stored result.
TEST(TaskRunner, TheResultThatAnotherProgramStoredFirstStays) {
  for (const std::size_t count : {1u, 3u}) {
    MapStore store;
    run_ranks(count, [&](Ranks& ranks) {
      TaskRunner runner({.threads = 1, .ranks = &ranks});
      Tasks<int> tasks = squares(3);
      if (ranks.is_first()) tasks.store = &store;
      tasks.evaluate = [&](std::size_t task, const TaskShare&) {
        if (task == 1) store.keep(1, 77);
        return std::optional(0);
      };
      EXPECT_EQ(runner.run(tasks), (Results{0, 77, 0}));
    });
  }
}

TEST(TaskRunner, WhatAnotherProgramHasBegunComesLast) {
  for (const std::size_t count : {1u, 2u}) {
    MapStore store;
    store.shared = true;
    store.claimed = {0, 2};
    std::vector<std::size_t> order;
    std::mutex mutex;
    run_ranks(count, [&](Ranks& ranks) {
      TaskRunner runner({.threads = 1, .ranks = &ranks});
      Tasks<int> tasks = squares(4);
      if (ranks.is_first()) tasks.store = &store;
      tasks.evaluate = [&, evaluate = tasks.evaluate](std::size_t task, const TaskShare& share) {
        const std::lock_guard lock(mutex);
        order.push_back(task);
        return evaluate(task, share);
      };
      EXPECT_EQ(runner.run(tasks), all_squares(4));
    });
    ASSERT_EQ(order.size(), 4u);
    EXPECT_EQ((std::set{order[0], order[1]}), (std::set<std::size_t>{1, 3}));
  }
}

TEST(TaskRunner, AStopInTheMiddleKeepsWhatIsDoneAndGivesUpTheRest) {
  for (const std::size_t count : {1u, 2u, 3u}) {
    for (const std::size_t told : {std::size_t{0}, count - 1}) {
      SCOPED_TRACE(fmt::format("rank {} of {}", told, count));
      MapStore store;
      run_ranks(count, [&](Ranks& ranks) {
        const auto monitor = std::make_shared<Monitor>();
        TaskRunner runner({.threads = 2, .ranks = &ranks, .monitor = monitor});
        Tasks<int> tasks = squares(40);
        if (ranks.is_first()) tasks.store = &store;
        tasks.evaluate = [&](std::size_t task, const TaskShare& share) -> std::optional<int> {
          if (task < 2 * count) return static_cast<int>(task);
          // No task ends by itself, so the tasks of ranks without a request must be stopped too.
          if (ranks.rank() == told) monitor->request_stop();
          EXPECT_TRUE(wait_for([&] { return share.monitor->stop_requested(); }));
          if (task % 2 == 0) throw Error(ErrorKind::stopped, "The training was stopped.");
          return std::nullopt;
        };
        const Results results = runner.run(tasks);
        EXPECT_TRUE(runner.stopped());
        EXPECT_FALSE(runner.cut_short());
        for (std::size_t task = 0; task < 40; ++task) {
          EXPECT_EQ(results[task].has_value(), task < 2 * count) << task;
        }
      });
      EXPECT_EQ(store.known.size(), 2 * count);
      EXPECT_EQ(store.claimed.size(), 2 * count) << "claims of tasks that were given up";
    }
  }
}

TEST(TaskRunner, ATaskThatIsGivenUpStopsAll) {
  run_ranks(2, [&](Ranks& ranks) {
    TaskRunner runner({.threads = 1, .ranks = &ranks});
    Tasks<int> tasks = squares(10);
    tasks.evaluate = [](std::size_t task, const TaskShare& share) -> std::optional<int> {
      if (task == 3) return std::nullopt;
      if (task < 4) return 1;
      EXPECT_TRUE(wait_for([&] { return share.monitor->stop_requested(); }));
      return std::nullopt;
    };
    const Results results = runner.run(tasks);
    EXPECT_TRUE(runner.stopped());
    EXPECT_TRUE(results[1]);
    EXPECT_FALSE(results[3]);
  });
}

TEST(TaskRunner, AnExceptionEndsTheTasksUnderWayAndIsThrown) {
  TaskRunner runner({.threads = 2});
  Tasks<int> tasks = squares(10);
  tasks.evaluate = [](std::size_t task, const TaskShare& share) -> std::optional<int> {
    if (task == 1) throw std::runtime_error("It broke.");
    EXPECT_TRUE(wait_for([&] { return share.monitor->stop_requested(); }));
    return std::nullopt;
  };
  EXPECT_THROW(runner.run(tasks), std::runtime_error);
}

TEST(TaskRunner, AnExceptionOnOneRankEndsTheTasksOfAll) {
  for (const std::size_t odd : {0u, 1u, 2u}) {
    run_ranks(3, [&](Ranks& ranks) {
      try {
        try {
          TaskRunner runner({.threads = 2, .ranks = &ranks});
          Tasks<int> tasks = squares(30);
          tasks.evaluate = [&](std::size_t, const TaskShare& share) -> std::optional<int> {
            if (ranks.rank() == odd) throw Error(ErrorKind::bad_data, "Row 3 is empty.");
            EXPECT_TRUE(wait_for([&] { return share.monitor->stop_requested(); }));
            return std::nullopt;
          };
          runner.run(tasks);
          ADD_FAILURE() << "nobody threw";
        } catch (const std::exception& error) {
          ranks.report_failure(error);
        }
      } catch (const SharedError& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_data);
        EXPECT_EQ(error.what(), fmt::format("Rank {}: Row 3 is empty.", odd));
      }
    });
  }
}

TEST(TaskRunner, LooksAfterEveryResultAndIsCutShort) {
  for (const std::size_t count : {1u, 2u}) {
    run_ranks(count, [&](Ranks& ranks) {
      std::size_t looks = 0;
      TaskRunner runner({.threads = 1, .ranks = &ranks, .look = [&] {
                           return ++looks < 3 || !ranks.is_first();
                         }});
      Tasks<int> tasks = squares(10);
      tasks.evaluate = [](std::size_t task, const TaskShare& share) -> std::optional<int> {
        // look() is called when results arrive, so the other tasks wait for the stop.
        if (task < 3) return 1;
        EXPECT_TRUE(wait_for([&] { return share.monitor->stop_requested(); }));
        return std::nullopt;
      };
      const Results results = runner.run(tasks);
      EXPECT_TRUE(runner.cut_short());
      EXPECT_FALSE(runner.stopped());
      for (std::size_t task = 0; task < 3; ++task) EXPECT_TRUE(results[task]);
    });
  }
}

TEST(TaskRunner, LooksOutDuringATrainingOneAtATime) {
  std::atomic<int> inside = 0, looks = 0;
  TaskRunner runner({.threads = 3, .look = [&] {
                       EXPECT_EQ(++inside, 1);
                       ++looks;
                       --inside;
                       return true;
                     }});
  Tasks<int> tasks = squares(3);
  tasks.evaluate = [&](std::size_t, const TaskShare& share) {
    const bool looked = wait_for([&] {
      share.monitor->see({});
      return looks >= 2;
    });
    EXPECT_TRUE(looked);
    return std::optional(1);
  };
  runner.run(tasks);
  EXPECT_GE(looks, 5);
}

// A comparison takes an Error of kind failed_run for a training that failed.
TEST(TaskRunner, ATaskCannotLoseWhatLookThrows) {
  for (const std::size_t count : {1u, 2u}) {
    SCOPED_TRACE(fmt::format("{} ranks", count));
    run_ranks(count, [&](Ranks& ranks) {
      const auto look = []() -> bool { throw Error(ErrorKind::failed_run, "The window closed."); };
      TaskRunner runner({.threads = 2, .ranks = &ranks, .look = look});
      Tasks<int> tasks = squares(8);
      tasks.evaluate = [&](std::size_t, const TaskShare& share) -> std::optional<int> {
        try {
          std::this_thread::sleep_for(std::chrono::milliseconds(120));  // until look() is due
          share.monitor->see({});
        } catch (const Error&) {
        }
        return 1;
      };
      EXPECT_THROW(
          {
            try {
              runner.run(tasks);
            } catch (const Error& error) {
              EXPECT_THAT(error.what(), HasSubstr("The window closed."));
              throw;
            }
          },
          Error);
    });
  }
}

TEST(TaskRunner, WhatLookThrowsEndsTheRun) {
  TaskRunner runner({.threads = 2, .look = []() -> bool { throw std::runtime_error("No."); }});
  EXPECT_THROW(runner.run(squares(5)), std::runtime_error);
}

}  // namespace
}  // namespace knotwork::parallel
