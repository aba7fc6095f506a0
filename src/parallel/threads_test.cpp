// SPDX-License-Identifier: MIT
#include "parallel/threads.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace knotwork::parallel {
namespace {

TEST(WorkAside, IsDoneOnceWhenItIsFinished) {
  int done = 0;
  WorkAside work([&] { ++done; });
  work.finish();
  work.finish();
  EXPECT_EQ(done, 1);
}

TEST(WorkAside, ThrowsAsOftenAsItIsAskedFor) {
  WorkAside work([] { throw std::runtime_error("failed"); });
  EXPECT_THROW(work.finish(), std::runtime_error);
  EXPECT_THROW(work.finish(), std::runtime_error);
}

TEST(WorkAside, OfNothingIsDone) {
  WorkAside none;
  EXPECT_NO_THROW(none.finish());
}

TEST(TryLock, HoldsWhatNoOtherThreadHolds) {
  Mutex mutex;
  {
    const Lock lock(mutex);
    bool held = true;
    std::thread([&] { held = static_cast<bool>(TryLock(mutex)); }).join();
    EXPECT_FALSE(held);
  }
  EXPECT_TRUE(static_cast<bool>(TryLock(mutex)));
}

}  // namespace
}  // namespace knotwork::parallel
