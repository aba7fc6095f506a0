// SPDX-License-Identifier: MIT
// Tests the paper's scenarios on its `chemical` data set, with few splits: results of the right
// size.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "experiments/scenarios.hpp"

namespace knotwork::experiments {
namespace {

class ReproduceChemical : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("KNOTWORK_DATA_DIR");
    if (!folder || !std::filesystem::exists(std::filesystem::path(folder) / "chemical.csv")) {
      GTEST_SKIP() << "chemical.csv is not there: KNOTWORK_DATA_DIR must name the folder it is in.";
    }
    datasets_ = load_datasets({"chemical"}, folder);
    options_.splits = 2;
  }

  Report run(const std::string& scenario) {
    Study study = open_study("");
    const Watch watch;
    return scenarios().at(scenario).run({datasets_, options_, study, watch});
  }

  std::vector<Dataset> datasets_;
  ExperimentOptions options_;
};

TEST_F(ReproduceChemical, Scenario1CollapsesUnlessThePenaltyRisesSlowly) {
  for (const Row& row : run("scenario1").rows) {
    const bool learns = row.optimizer != "cg";
    EXPECT_NEAR(row.errors.train.mean, learns ? 0.31 : 1.0, 0.03) << row.network << row.optimizer;
    EXPECT_NEAR(row.errors.test.mean, learns ? 0.32 : 1.0, 0.05) << row.network << row.optimizer;
  }
}

TEST_F(ReproduceChemical, Scenario2PrefersSplines) {
  options_.grid_step = 5;
  options_.iterations = 300;
  const std::vector<Row> rows = run("scenario2").rows;
  for (const Row& row : rows) {
    EXPECT_GT(row.errors.train.mean, 0.2) << row.network << row.grid;
    EXPECT_LT(row.errors.test.mean, 0.4) << row.network << row.grid;
  }
  // With the paper's own penalties, because the grid is too coarse here.
  ASSERT_EQ(rows[2].grid, "none");
  ASSERT_EQ(rows[5].network, "spline");
  EXPECT_LT(rows[5].errors.train.mean, rows[2].errors.train.mean);
  EXPECT_LT(rows[5].errors.test.mean, rows[2].errors.test.mean);
}

}  // namespace
}  // namespace knotwork::experiments
