// SPDX-License-Identifier: MIT
#include <knotwork/character_plot.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <knotwork/error.hpp>

namespace knotwork {
namespace {

TEST(CharacterPlot, DrawsALineFromCornerToCorner) {
  const auto lines = plot_curves({{'*', [](double x) { return x; }}}, {-1, 1, 5, 5});
  const std::vector<std::string> expected = {
      "       1 |    *", "         |   * ", "         |--*--",
      "         | *   ", "      -1 |*    ", "          -1  1",
  };
  EXPECT_EQ(lines, expected);
}

TEST(CharacterPlot, LaterSeriesLieOnTopAndNonFiniteValuesAreLeftOut) {
  const auto lines = plot_curves(
      {{'.', [](double) { return 0.0; }}, {'#', [](double x) { return x < 0 ? NAN : 0.0; }}},
      {-1, 1, 6, 3});
  EXPECT_EQ(lines[1].substr(10), "...###");
}

TEST(CharacterPlot, SurvivesNothingToDrawAndRefusesNoRoom) {
  EXPECT_EQ(plot_curves({{'*', [](double) { return INFINITY; }}}, {}).size(), 12u);
  EXPECT_THROW(plot_curves({}, {-1, 1, 1, 5}), Error);
  EXPECT_THROW(plot_curves({}, {1, 1, 10, 5}), Error);
}

}  // namespace
}  // namespace knotwork
