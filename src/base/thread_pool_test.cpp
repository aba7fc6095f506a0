// SPDX-License-Identifier: MIT
#include "base/thread_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace knotwork {
namespace {

TEST(ThreadPool, RunsEveryTaskOnceForAnyNumberOfThreads) {
  for (std::size_t threads : {1u, 2u, 7u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.workers(), threads);
    for (std::size_t tasks : {0u, 1u, 2u, 100u}) {
      std::vector<int> done(tasks);
      pool.run(tasks, [&](std::size_t task, std::size_t worker) {
        ASSERT_LT(worker, threads);
        ++done[task];
      });
      EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), static_cast<int>(tasks));
      EXPECT_TRUE(std::all_of(done.begin(), done.end(), [](int n) { return n == 1; }));
    }
  }
}

TEST(ThreadPool, HandsTheFirstErrorToTheCallerAndStaysUsable) {
  for (std::size_t threads : {1u, 4u}) {
    ThreadPool pool(threads);
    EXPECT_THROW(pool.run(50,
                          [](std::size_t task, std::size_t) {
                            if (task == 3) throw std::runtime_error("three");
                          }),
                 std::runtime_error);
    std::atomic<int> sum = 0;
    pool.run(10, [&](std::size_t task, std::size_t) { sum += static_cast<int>(task); });
    EXPECT_EQ(sum, 45);
  }
}

TEST(ThreadPool, ManyShortRoundsDoNotLoseAWakeUp) {
  ThreadPool pool(3);
  std::atomic<int> count = 0;
  for (int round = 0; round < 5000; ++round) {
    pool.run(3, [&](std::size_t, std::size_t) { count.fetch_add(1, std::memory_order_relaxed); });
  }
  EXPECT_EQ(count, 15000);
}

}  // namespace
}  // namespace knotwork
