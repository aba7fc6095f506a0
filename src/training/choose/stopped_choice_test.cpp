// SPDX-License-Identifier: MIT
// Tests of automatic choices that are watched and stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include "parallel/test_ranks.hpp"
#include "training/choose/test_choice.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

using ::testing::Contains;
using ::testing::SizeIs;

// While one training asks the monitor, other trainings must not conclude that it requested a stop.
TEST(StoppedChoice, ASlowMonitorCostsNoComparison) {
  const Table table = make_builtin("friedman1", 150);
  TrainOptions options = small_choice_options();
  options.threads = 3;
  const auto slow = [](const TrainIteration& now) {
    if (now.phase == Phase::choosing) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  };
  const Model alone = train_automatically(table, with_test_rows(), options, kGiven);
  const Model slowed = train_automatically(table, with_test_rows(), options, kGiven, watched(slow));
  EXPECT_THAT(slowed.training.tried, SizeIs(alone.training.tried.size()));
  EXPECT_EQ(slowed.parameters_sha256(), alone.parameters_sha256());
}

TEST(StoppedChoice, EndedWhileChoosingItStillHasAModel) {
  const Table table = make_builtin("friedman1", 150);
  for (std::size_t folds : {0u, 2u}) {
    const Model model = train_automatically(
        table, with_test_rows(), small_choice_options(), kGiven,
        watched([&](const TrainIteration& now) { return now.iteration < folds; }));
    EXPECT_EQ(model.training.reason, StopReason::requested);
    EXPECT_EQ(model.training.test->rows, 45u);
    EXPECT_TRUE(std::isfinite(model.training.test->nrmse));
    EXPECT_EQ(model.training.train->rows, 105u);
    EXPECT_THAT(model.training.remarks, Contains(testing::HasSubstr("of 12 trainings")));
    for (const TriedSetting& tried : model.training.tried) {
      EXPECT_TRUE(std::isfinite(tried.score)) << "only what was carried through counts";
    }
    EXPECT_EQ(value_of(model, "ensemble"), std::to_string(model.members.size()));
    EXPECT_EQ(value_of(model, "threads"), "0");
  }
}

TEST(StoppedChoice, EndedBeforeAnythingWasTrainedThereIsNoModel) {
  TrainOptions options = small_choice_options();
  options.iterations = 0;
  try {
    train_automatically(make_builtin("friedman1", 150), with_test_rows(), options, kGiven,
                        watched([](const TrainIteration&) { return false; }));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::stopped);
    EXPECT_THAT(error.what(), testing::HasSubstr("before there was a model"));
  }
}

// The monitor is asked in every iteration, not only when it sees progress.
TEST(StoppedChoice, AStopIsHeardWithinAnIterationOfTheChoice) {
  class Stopper final : public Monitor {
   public:
    bool stop_requested() const override { return ++asked_ > 20; }
    std::size_t asked() const { return asked_; }

   private:
    mutable std::atomic<std::size_t> asked_ = 0;
  };
  const auto stopper = std::make_shared<Stopper>();
  TrainOptions options = small_choice_options();
  options.threads = 1;
  const Model model = train_automatically(make_builtin("friedman1", 150), with_test_rows(), options,
                                          kGiven, {.monitor = stopper});
  EXPECT_EQ(model.training.reason, StopReason::requested);
  EXPECT_EQ(stopper->asked(), 21u) << "a stop that was heard is not asked for again";
  EXPECT_THAT(model.training.remarks, Contains(testing::HasSubstr("of 12 trainings")));
}

TEST(StoppedChoice, AStopOfOneRankEndsTheChoiceOfAll) {
  TrainOptions options = small_choice_options();
  options.iterations = 100'000'000;
  options.relative_decrease = 0;
  options.threads = 1;
  for (const std::size_t told : {0u, 1u}) {
    parallel::run_ranks(3, [&](Ranks& ranks) {
      const auto monitor = std::make_shared<Monitor>();
      if (ranks.rank() == told) monitor->request_stop();
      const PreparedData prepared(make_builtin("friedman1", 150), with_test_rows(), 0, nullptr,
                                  &ranks);
      try {
        train_automatically(prepared, options, kGiven, TrainContext{.monitor = monitor});
        ADD_FAILURE() << "was not stopped";
      } catch (const SharedError& error) {
        EXPECT_EQ(error.kind(), ErrorKind::stopped);
      }
    });
  }
}

TEST(StoppedChoice, TheMonitorSeesBothPhases) {
  const Table table = make_builtin("sinc", 100);
  std::vector<Phase> phases;
  train_automatically(table, {}, small_choice_options(), kGiven,
                      watched([&](const TrainIteration& now) {
                        if (phases.empty() || phases.back() != now.phase)
                          phases.push_back(now.phase);
                        return true;
                      }));
  EXPECT_THAT(phases, testing::ElementsAre(Phase::choosing, Phase::training));
}

}  // namespace
}  // namespace knotwork::training
