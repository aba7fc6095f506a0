// SPDX-License-Identifier: MIT
#include <knotwork/figures.hpp>

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

TEST(SideBySide, PutsAsManyPlotsInARowAsFit) {
  const std::vector<TitledPlot> plots = {
      {"one", {"aaaa", "bbbb"}}, {"a long title", {"ccccc"}}, {"\u20AC", {"dd", "dd"}}};
  const std::vector<std::string> wide = {"one   a ...  \u20AC", "aaaa  ccccc  dd",
                                         "bbbb         dd"};
  EXPECT_EQ(curves_side_by_side(plots, 15), wide);
  const std::vector<std::string> narrow = {"one   a ...", "aaaa  ccccc", "bbbb", "",
                                           "\u20AC",      "dd",          "dd"};
  EXPECT_EQ(curves_side_by_side(plots, 14), narrow);
  EXPECT_TRUE(curves_side_by_side({}, 80).empty());
}

TEST(SideBySide, RefusesAPlotThatIsTooWide) {
  try {
    curves_side_by_side({{"a", {"123"}}, {"b", {"1234"}}}, 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "Plot 2 ('b') is 4 characters wide and does not fit in 3; draw it narrower.");
  }
}

}  // namespace
}  // namespace knotwork
