// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <knotwork/builtin_data.hpp>
#include <knotwork/random.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

using ::testing::SizeIs;

TableTask with_test_part() {
  TableTask task;
  task.test_fraction = 0.3;
  return task;
}

TrainOptions small() {
  TrainOptions options;
  options.hidden = {4};
  options.ensemble = 2;
  options.iterations = 15;
  return options;
}

TEST(Baselines, ALinearModelAndATanhNetwork) {
  Table table = make_builtin("sinc", 200);
  TrainOptions options = small();
  const auto baselines = train_baselines(PreparedData(table, with_test_part(), 0), options);
  ASSERT_THAT(baselines, SizeIs(2));
  EXPECT_EQ(baselines[0].name, "linear model");
  EXPECT_EQ(baselines[1].name, "tanh network");
  EXPECT_EQ(baselines[1].test->rows, 60u);
  // sinc is even, so a line through it is hardly better than its mean.
  EXPECT_GT(baselines[0].test->nrmse, 0.8);
  EXPECT_LT(baselines[1].test->nrmse, baselines[0].test->nrmse);
}

// There are so many columns of noise and so few rows that a plane separates the classes. Without a
// penalty the weights would grow without limit, and the model would be certain where it is wrong.
TEST(Baselines, TheLinearModelOfClassesHasAPenalty) {
  constexpr std::size_t kRows = 60, kColumns = 30;
  const Random random(3, Purpose::builtin_inputs), noise(3, Purpose::builtin_noise);
  Table table;
  table.source = "noisy";
  table.columns.resize(kColumns + 1);
  table.labels.resize(kColumns + 1);
  for (std::size_t c = 0; c < kColumns; ++c) {
    table.names.push_back("x" + std::to_string(c));
    for (std::size_t r = 0; r < kRows; ++r)
      table.columns[c].push_back(random.normal(c * kRows + r));
  }
  table.names.emplace_back("kind");
  table.labels.back() = {"high", "low"};
  for (std::size_t r = 0; r < kRows; ++r) {
    table.columns.back().push_back(table.columns[0][r] + noise.normal(r) > 0 ? 0 : 1);
  }
  const auto baselines = train_baselines(PreparedData(table, with_test_part(), 0), small());
  ASSERT_FALSE(baselines.empty());
  EXPECT_LT(baselines[0].test->classes->log_loss, 1);
}

TEST(Baselines, TheLinearModelIsFittedWhateverTheRun) {
  Table table = make_builtin("friedman1", 200);
  std::vector<double>& y = table.columns.back();
  for (std::size_t r = 0; r < y.size(); ++r) y[r] = 3 * table.columns[0][r] - table.columns[1][r];
  TrainOptions options = small();
  options.optimizer = "adam";
  options.iterations = 1;
  options.batch = 16;
  options.scale_inputs = ScalingKind::quantile;
  options.lambda_w = 10;
  options.free_bias = false;
  const auto baselines = train_baselines(PreparedData(table, with_test_part(), 0), options);
  EXPECT_LT(baselines.at(0).test->nrmse, 1e-5);
  EXPECT_GT(baselines.at(1).test->nrmse, 0.1) << "as the run: one epoch";
}

TEST(Baselines, OnlyThoseThatMakeSenseAndHaveTheTime) {
  const PreparedData prepared(make_builtin("sinc", 100), with_test_part(), 0);
  TrainOptions options = small();
  options.hidden = {};
  EXPECT_THAT(train_baselines(prepared, options), SizeIs(1));
  options.time_limit = 1e-6;
  EXPECT_THAT(train_baselines(prepared, options), SizeIs(0));
  options.time_limit = 0;
  options.iterations = 0;
  const auto stopped = std::make_shared<Monitor>();
  stopped->request_stop();
  EXPECT_THAT(train_baselines(prepared, options, stopped), SizeIs(0));
}

}  // namespace
}  // namespace knotwork::training
