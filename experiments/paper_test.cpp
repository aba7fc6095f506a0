// SPDX-License-Identifier: MIT
#include "experiments/paper.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace knotwork::experiments {
namespace {

// In the form of the paper's tables.
std::string printed(const char* scenario, const char* dataset, const char* network) {
  const auto errors = paper_errors(scenario, dataset, network);
  if (!errors) return "";
  return fmt::format("{:.2f} {:.2f} / {:.2f} {:.2f}", errors->train.mean, errors->train.deviation,
                     errors->test.mean, errors->test.deviation);
}

TEST(Paper, TableOfScenario1) {
  EXPECT_EQ(printed("scenario1", "chemical", "tanh"), "1.00 0.00 / 1.00 0.01");
  EXPECT_EQ(printed("scenario1", "chemical", "spline"), "0.29 0.02 / 0.31 0.02");
  EXPECT_EQ(printed("scenario1", "california", "tanh"), "1.02 0.00 / 1.01 0.01");
  EXPECT_EQ(printed("scenario1", "california", "spline"), "0.56 0.01 / 0.57 0.02");
}

TEST(Paper, TableOfScenario2) {
  EXPECT_EQ(printed("scenario2", "chemical", "tanh"), "0.32 0.01 / 0.32 0.02");
  EXPECT_EQ(printed("scenario2", "chemical", "spline"), "0.26 0.01 / 0.28 0.02");
  EXPECT_EQ(printed("scenario2", "california", "tanh"), "0.55 0.01 / 0.55 0.01");
  EXPECT_EQ(printed("scenario2", "california", "spline"), "0.51 0.02 / 0.51 0.02");
}

TEST(Paper, HasNothingElse) {
  EXPECT_EQ(printed("ablation", "chemical", "spline"), "");
}

TEST(Paper, OptimalParameters) {
  EXPECT_EQ(paper_optimum("chemical", "tanh").lambda_w, 1e-3);
  EXPECT_EQ(paper_optimum("california", "tanh").lambda_w, 1e-4);
  EXPECT_FALSE(paper_optimum("california", "tanh").lambda_q);
  EXPECT_EQ(paper_optimum("chemical", "spline").lambda_w, 1e-2);
  EXPECT_EQ(paper_optimum("california", "spline").lambda_w, 1e-3);
  EXPECT_EQ(paper_optimum("chemical", "spline").lambda_q, 1e-4);
  EXPECT_EQ(paper_optimum("california", "spline").lambda_q, 1e-4);
}

}  // namespace
}  // namespace knotwork::experiments
