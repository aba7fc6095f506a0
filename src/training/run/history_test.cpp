// SPDX-License-Identifier: MIT
// Tests of the history and the snapshots in a summary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "training/run/test_trainings.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TrainOptions small_options() {
  TrainOptions options;
  options.hidden = {3};
  options.iterations = 30;
  return options;
}

const Table& table() {
  static const Table friedman = make_builtin("friedman1", 200);
  return friedman;
}

double sum(const std::vector<double>& parts) {
  double total = 0;
  for (const double part : parts) total += part;
  return total;
}

TEST(HistoryRecorder, TheHistoryIsWhatTheMonitorSees) {
  for (const char* optimizer : {"lbfgs", "cg", "adam"}) {
    TrainOptions options = small_options();
    options.optimizer = optimizer;
    options.validation_fraction = 0.2;
    std::vector<TrainIteration> seen;
    const History history =
        train(table(), {}, options, watched([&](const TrainIteration& iteration) {
                seen.push_back(iteration);
                return true;
              }))
            .training.history;
    ASSERT_EQ(history.points.size(), seen.size()) << optimizer;
    ASSERT_EQ(history.parts.size(), seen[0].objective.parts.size());
    EXPECT_EQ(history.parts[0], "loss");
    for (std::size_t k = 0; k < seen.size(); ++k) {
      const HistoryPoint& point = history.points[k];
      EXPECT_EQ(point.iteration, seen[k].iteration);
      EXPECT_EQ(point.objective, seen[k].objective.value);
      EXPECT_EQ(point.validation, seen[k].validation);
      EXPECT_NEAR(sum(point.parts), point.objective, 1e-9 * std::fabs(point.objective));
      for (std::size_t p = 0; p < point.parts.size(); ++p) {
        EXPECT_EQ(point.parts[p], seen[k].objective.parts[p].second);
      }
    }
  }
}

TEST(HistoryRecorder, LongHistoriesAreThinnedOutAndShortOnesAreWhole) {
  TrainOptions options = small_options();
  options.hidden = {1};
  options.optimizer = "adam";
  options.iterations = 1000;
  const History history = train(table(), {}, options).training.history;
  EXPECT_LE(history.points.size(), kHistoryPoints);
  EXPECT_GE(history.points.size(), kHistoryPoints / 2);
  EXPECT_EQ(history.points[0].iteration, 0u);
  EXPECT_GE(history.points.back().iteration, 990u);
}

TEST(HistoryRecorder, StagesAndMembersAreTold) {
  TrainOptions options = small_options();
  options.warm_path = {0.1, 0.01, 0.001};
  options.ensemble = 2;
  options.threads = 2;
  const Summary summary = train(table(), {}, options).training;
  std::size_t last = 0, stage = 0, member = 0;
  for (const HistoryPoint& point : summary.history.points) {
    if (point.member != member) {
      EXPECT_EQ(point.member, member + 1);
      EXPECT_EQ(stage, 2u);
      member = point.member;
      last = stage = 0;
    }
    EXPECT_GE(point.iteration, last);
    EXPECT_GE(point.stage, stage);
    last = point.iteration;
    stage = point.stage;
  }
  EXPECT_EQ(member, 1u);
}

TEST(HistoryRecorder, SnapshotsAreTheNetworksOnTheWay) {
  TrainOptions options = small_options();
  EXPECT_THAT(train(table(), {}, options).training.snapshots, IsEmpty());
  options.snapshots = 8;
  const Model model = train(table(), {}, options);
  const std::vector<Snapshot>& snapshots = model.training.snapshots;
  ASSERT_LE(snapshots.size(), 8u);
  ASSERT_GE(snapshots.size(), 4u);
  EXPECT_EQ(snapshots[0].iteration, 0u);
  // A run that ends at the snapshot has its parameters.
  for (const Snapshot& snapshot : snapshots) {
    if (snapshot.iteration == 0) continue;
    TrainOptions shorter = options;
    shorter.iterations = snapshot.iteration;
    const Model there = train(table(), {}, shorter);
    for (const TensorInfo& tensor : snapshot.network.tensors()) {
      const auto a = there.members[0].values(tensor), b = snapshot.network.values(tensor);
      if (tensor.group == ParameterGroup::activation) {
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << snapshot.iteration;
      } else {
        EXPECT_THAT(b, ::testing::Each(0.0));
      }
    }
  }
  // Snapshots do not change the result.
  options.snapshots = 0;
  EXPECT_EQ(train(table(), {}, options).parameters_sha256(), model.parameters_sha256());
}

TEST(HistoryRecorder, SnapshotsAreCloserTogetherAtTheBeginning) {
  TrainOptions options = small_options();
  options.optimizer = "adam";
  options.iterations = 400;
  options.snapshots = 20;
  const std::vector<Snapshot> snapshots = train(table(), {}, options).training.snapshots;
  ASSERT_GE(snapshots.size(), 10u);
  const std::size_t middle = snapshots.size() / 2;
  EXPECT_LT(snapshots[middle].iteration, snapshots.back().iteration / 2);
}

TEST(HistoryRecorder, SnapshotsFollowChangesOfTheKnots) {
  TrainOptions options = small_options();
  options.halve_step = 1;
  options.snapshots = 30;
  options.ensemble = 2;
  const std::vector<Snapshot> snapshots = train(table(), {}, options).training.snapshots;
  const auto points = [](const Snapshot& snapshot) {
    return snapshot.network.tensor("layers.0.activation.control_points").shape[1];
  };
  ASSERT_THAT(snapshots, SizeIs(::testing::Ge(30u)));
  EXPECT_EQ(points(snapshots.front()), 21u);
  EXPECT_EQ(points(snapshots.back()), 39u);
  EXPECT_EQ(snapshots.front().member, 0u);
  EXPECT_EQ(snapshots.back().member, 1u);
}

TEST(HistoryRecorder, ATrainingThatLeavesTheFiniteNumbersKeepsWhatCanBeSaved) {
  TrainOptions options = small_options();
  options.optimizer = "sgd";
  options.rate = 1e30;
  options.snapshots = 10;
  for (const Snapshot& snapshot : train(table(), {}, options).training.snapshots) {
    for (const double value : snapshot.network.parameters()) ASSERT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace knotwork::training
