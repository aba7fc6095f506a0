// SPDX-License-Identifier: MIT
#include "experiments/statistics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

namespace knotwork::experiments {
namespace {

RC_GTEST_PROP(Statistics, AShiftMovesTheMeanAndNotTheDeviation, ()) {
  const auto whole =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-99, 99)));
  const std::vector<double> values(whole.begin(), whole.end());
  std::vector<double> shifted = values;
  for (double& value : shifted) value += 7;
  const MeanDeviation before = mean_deviation(values), after = mean_deviation(shifted);
  RC_ASSERT(std::abs(after.mean - before.mean - 7) < 1e-9);
  RC_ASSERT(std::abs(after.deviation - before.deviation) < 1e-9);
}

TEST(Statistics, AgreesWithinOneDeviationOfWhatIsPrinted) {
  EXPECT_TRUE(agrees({0.3049, 0}, {0.29, 0.01}));
  EXPECT_FALSE(agrees({0.3051, 0}, {0.29, 0.01}));
  EXPECT_TRUE(agrees({0.2751, 0}, {0.29, 0.01}));
  EXPECT_FALSE(agrees({0.2749, 0}, {0.29, 0.01}));
  EXPECT_TRUE(agrees({1.0003, 0}, {1.00, 0.00})) << "1.00 is printed for both";
}

TEST(Statistics, TheMedianStandsInTheMiddle) {
  EXPECT_EQ(median(std::vector<double>{5, -3, 1}), 1);
  EXPECT_EQ(median(std::vector<double>{4, 1, 2, 9}), 3);
}

}  // namespace
}  // namespace knotwork::experiments
