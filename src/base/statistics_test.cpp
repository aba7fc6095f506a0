// SPDX-License-Identifier: MIT
#include <knotwork/statistics.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace knotwork {
namespace {

TEST(MeanDeviation, IsThatOfASample) {
  const MeanDeviation result = mean_deviation(std::vector<double>{1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(result.mean, 3);
  EXPECT_DOUBLE_EQ(result.deviation, std::sqrt(14.0 / 3));
  EXPECT_EQ(mean_deviation(std::vector<double>{0.25}).deviation, 0);
}

}  // namespace
}  // namespace knotwork
