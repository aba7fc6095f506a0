// SPDX-License-Identifier: MIT
// Compares the paper's network, 8-5-1, on its `chemical` data set with the results of an
// independent prototype (mean NRMSE over random splits of 70 % and 30 %).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "training/run/test_trainings.hpp"

#include <knotwork/knotwork.hpp>

namespace knotwork {
namespace {

constexpr int kSplits = 8;
constexpr double kTolerance = 0.02;

class Chemical : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("KNOTWORK_DATA_DIR");
    if (!folder || !std::filesystem::exists(std::filesystem::path(folder) / "chemical.csv")) {
      GTEST_SKIP() << "chemical.csv is not there: KNOTWORK_DATA_DIR must name the folder it is in.";
    }
    table_ = read_csv(std::filesystem::path(folder) / "chemical.csv");
  }

  struct Mean {
    double train = 0, test = 0, worst_test = 0;
  };
  Mean mean_nrmse(TrainOptions options) const {
    TableTask task;
    task.test_fraction = 0.3;
    Mean mean;
    for (int split = 0; split < kSplits; ++split) {
      options.seed = static_cast<std::uint64_t>(split);
      const Summary summary = train(table_, task, options).training;
      mean.train += summary.train->nrmse / kSplits;
      mean.test += summary.test->nrmse / kSplits;
      mean.worst_test = std::max(mean.worst_test, summary.test->nrmse);
    }
    RecordProperty("train", std::to_string(mean.train));
    RecordProperty("test", std::to_string(mean.test));
    return mean;
  }

  Table table_;
};

TEST_F(Chemical, ATunedTanhNetwork) {
  TrainOptions options = paper_options();
  options.activation = "tanh";
  options.lambda_w = 1e-3;
  options.lambda_q = 0;
  const Mean mean = mean_nrmse(options);
  EXPECT_NEAR(mean.train, 0.308, kTolerance);
  EXPECT_NEAR(mean.test, 0.322, kTolerance);
}

TEST_F(Chemical, ATunedSplineNetwork) {
  TrainOptions options = paper_options();
  options.lambda_w = 1e-2;
  options.lambda_q = 1e-4;
  const Mean mean = mean_nrmse(options);
  EXPECT_NEAR(mean.train, 0.261, kTolerance);
  EXPECT_NEAR(mean.test, 0.290, kTolerance);
}

// Scenario 1 of the paper has lambda_w = 1. Plain conjugate gradient from a Glorot start goes to w
// = 0, where all outputs are equal; along a path of lambda_w it does not.
TEST_F(Chemical, StrongRegularizationCollapsesFromAColdStart) {
  TrainOptions options = paper_options();
  options.lambda_w = 1;
  options.lambda_q = 1e-5;
  const Mean mean = mean_nrmse(options);
  EXPECT_NEAR(mean.train, 1.000, kTolerance);
  EXPECT_NEAR(mean.test, 1.003, kTolerance);
}

TEST_F(Chemical, AWarmPathIsTheCure) {
  TrainOptions options = paper_options();
  options.warm_path = {0.01, 0.1, 1};
  options.lambda_q = 1e-5;
  const Mean mean = mean_nrmse(options);
  EXPECT_NEAR(mean.train, 0.307, kTolerance);
  EXPECT_NEAR(mean.test, 0.321, kTolerance);
  EXPECT_LT(mean.worst_test, 0.5) << "not one of the splits may collapse";
}

}  // namespace
}  // namespace knotwork
