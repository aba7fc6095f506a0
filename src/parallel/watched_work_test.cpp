// SPDX-License-Identifier: MIT
#include "parallel/watched_work.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "parallel/test_monitors.hpp"
#include "parallel/thread_pool.hpp"

#include <knotwork/error.hpp>

namespace knotwork::parallel {
namespace {

class Recorder : public Monitor {
 public:
  void see(const Progress& progress) override {
    EXPECT_EQ(progress.phase, Phase::scoring);
    EXPECT_EQ(progress.iteration, nullptr);
    shares.push_back(progress.share);
    if (shares.size() == stop_after) request_stop();
  }
  std::vector<double> shares;
  std::size_t stop_after = 0;
};

TEST(WatchedWork, TellsTheEndAndNeverGoesBack) {
  Recorder monitor;
  WatchedWork work(&monitor, Phase::scoring, 1000);
  ThreadPool pool(3);
  pool.run(1000, [&](std::size_t, std::size_t) { work.advance(); });
  ASSERT_FALSE(monitor.shares.empty());
  EXPECT_EQ(monitor.shares.back(), 1);
  EXPECT_TRUE(std::is_sorted(monitor.shares.begin(), monitor.shares.end()));
}

TEST(WatchedWork, IsStoppedBeforeItsFirstStep) {
  Monitor monitor;
  monitor.request_stop();
  try {
    WatchedWork(&monitor, Phase::reading, 1);
    FAIL() << "was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::stopped);
  }
}

TEST(WatchedWork, IsStoppedFromWithinSee) {
  Recorder monitor;
  monitor.stop_after = 1;
  WatchedWork work(&monitor, Phase::scoring, 1);
  work.advance();  // reports the end, where the monitor requests a stop
  EXPECT_THROW(work.advance(), Error);
}

TEST(WatchedWork, HandsOnWhatTheMonitorThrows) {
  struct Thrower : Monitor {
    void see(const Progress&) override { throw std::runtime_error("enough"); }
  } monitor;
  WatchedWork work(&monitor, Phase::scoring, 1);
  EXPECT_THROW(work.advance(), std::runtime_error);
}

TEST(WatchedWork, APartIsAShareOfTheWhole) {
  parallel::StoppingMonitor whole(0);
  PartMonitor part(&whole, Phase::explaining, 0.5, 0.75);
  WatchedWork(&part, Phase::reading, 2).advance(2);
  ASSERT_EQ(whole.seen().size(), 1u);
  EXPECT_EQ(whole.seen().back().phase, Phase::explaining);
  EXPECT_EQ(whole.seen().back().share, 0.75);
  whole.request_stop();
  EXPECT_TRUE(part.stop_requested());
  PartMonitor alone(nullptr, Phase::explaining, 0, 1);
  WatchedWork(&alone, Phase::reading, 1).advance();
  EXPECT_FALSE(alone.stop_requested());
}

TEST(WatchedWork, NeedsNoMonitor) {
  WatchedWork work(nullptr, Phase::scoring, 0);
  work.advance();
}

}  // namespace
}  // namespace knotwork::parallel
