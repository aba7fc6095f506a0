// SPDX-License-Identifier: MIT
// Tests that a Monitor can stop the analyses of a model, and has no other effect on them.
#include <gtest/gtest.h>

#include "parallel/test_monitors.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/inspection.hpp>
#include <knotwork/neurons.hpp>
#include <knotwork/prediction_check.hpp>
#include <knotwork/training.hpp>

namespace knotwork::analysis {
namespace {

using parallel::expect_stops;
using parallel::StoppingMonitor;
using MonitorPointer = std::shared_ptr<StoppingMonitor>;

class AnalysisStop : public ::testing::Test {
 protected:
  AnalysisStop() : table_(make_builtin("friedman1", 100)) {
    TrainOptions options;
    options.hidden = {4, 3};
    options.ensemble = 2;
    options.iterations = 2;
    model_ = train(table_, {}, options);
  }
  Table table_;
  Model model_;
};

TEST_F(AnalysisStop, Importance) {
  for (const std::size_t threads : {1, 3}) {
    ImportanceOptions options;
    options.threads = threads;
    const Importance plain = permutation_importance(model_, table_, {}, options);
    const auto work = [&](const MonitorPointer& monitor) {
      options.monitor = monitor;
      const Importance watched = permutation_importance(model_, table_, {}, options);
      EXPECT_EQ(watched.columns.front().mean, plain.columns.front().mean);
    };
    expect_stops(50, work);
  }
}

TEST_F(AnalysisStop, PartialDependence) {
  const PartialDependence plain = partial_dependence(model_, table_, "x1");
  expect_stops(40, [&](const MonitorPointer& monitor) {
    EXPECT_EQ(partial_dependence(model_, table_, "x1", {}, {.monitor = monitor}).means,
              plain.means);
  });
}

TEST_F(AnalysisStop, PredictionCheck) {
  const PredictionCheck plain = check_predictions(model_, table_);
  expect_stops(5, [&](const MonitorPointer& monitor) {
    EXPECT_EQ(check_predictions(model_, table_, {}, {.monitor = monitor}).scores.rmse,
              plain.scores.rmse);
  });
}

TEST_F(AnalysisStop, Neurons) {
  expect_stops(6, [&](const MonitorPointer& monitor) {
    EXPECT_EQ(neuron_inputs(model_, table_, {}, 40, monitor.get()).size(), 16u);
    EXPECT_EQ(monitor->seen().back().share, 1);
  });
  expect_stops(6, [&](const MonitorPointer& monitor) {
    EXPECT_EQ(knot_use(model_, table_, {}, 1, monitor.get()).size(), 6u);
  });
  expect_stops(14, [&](const MonitorPointer& monitor) {
    EXPECT_EQ(moved_activations(model_, 3, monitor.get()).size(), 3u);
  });
}

}  // namespace
}  // namespace knotwork::analysis
