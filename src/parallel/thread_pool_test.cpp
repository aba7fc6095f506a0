// SPDX-License-Identifier: MIT
#include "parallel/thread_pool.hpp"

#include <gtest/gtest.h>
#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace knotwork::parallel {
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

#if defined(__linux__)
TEST(ThreadPool, AllCoresAreThoseThatTheProcessMayUse) {
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(ThreadPool::resolve(0), static_cast<std::size_t>(CPU_COUNT(&before)));
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(ThreadPool::resolve(0), 1u);
  EXPECT_EQ(ThreadPool::resolve(5), 5u);
  EXPECT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
}
#endif

}  // namespace
}  // namespace knotwork::parallel
