// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/test_figures.hpp"

namespace knotwork::figures {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

ScoreFigure sample() {
  ScoreFigure figure;
  figure.title = "NRMSE";
  figure.label = "lower is better";
  figure.rows = {{"spline", {0.2, 0.3, 0.4}, 0.3, 0.1}, {"a < b & c", {0.5, 0.5}, 0.5, 0}};
  figure.reference = 0;
  return figure;
}

TEST(ScoreFigure, IsWellFormedAndStaysOnThePage) {
  const std::string svg = score_figure(sample());
  EXPECT_NO_THROW(check_page(svg));
  EXPECT_THAT(texts_of(svg), Contains("spline"));
  EXPECT_THAT(texts_of(svg), Contains("a &lt; b &amp; c"));
}

TEST(ScoreFigure, HasADotForEachScoreAndAMarkForEachMean) {
  const std::string svg = score_figure(sample());
  EXPECT_THAT(elements_named(svg, "circle"), SizeIs(5 + 1));  // the last one is in the legend
  EXPECT_THAT(elements_named(svg, "polygon"), SizeIs(2 + 1));
}

TEST(ScoreFigure, SaysItsNumbersToThoseWhoCannotSeeIt) {
  EXPECT_THAT(elements_named(score_figure(sample()), "desc").at(0).text,
              HasSubstr("spline: 0.3 ± 0.1; a &lt; b &amp; c: 0.5"));
}

TEST(ScoreFigure, PutsBetterScoresToTheLeft) {
  const auto dots = elements_named(score_figure(sample()), "circle");
  const auto x = [&](std::size_t dot) { return std::stod(dots.at(dot).attributes.at("cx")); };
  EXPECT_LT(x(1), x(2));
  EXPECT_LT(x(2), x(3));
  EXPECT_LT(x(3), x(4));
}

TEST(ScoreFigure, ShowsDeviationsThatReachBeyondTheScores) {
  ScoreFigure figure = sample();
  std::vector<double> dots, begins, ends;  // the first is in the legend
  const auto draw = [&] {
    const std::string svg = score_figure(figure);
    EXPECT_NO_THROW(check_page(svg));
    dots = begins = ends = {};
    for (const Element& dot : elements_named(svg, "circle")) dots.push_back(number_of(dot, "cx"));
    for (const Element& bar : with_attribute(elements_named(svg, "line"), "stroke-width", "2.5")) {
      begins.push_back(number_of(bar, "x1"));
      ends.push_back(number_of(bar, "x2"));
    }
  };
  figure.rows = {{"spline", {0.2, 0.4}, 0.3, 0.25}};
  draw();
  EXPECT_NEAR(ends.at(1) - begins.at(1), 2.5 * (dots.at(2) - dots.at(1)), 0.05);

  // A logarithmic axis gets no empty decades towards 0.
  figure.rows = {{"spline", {0.2, 0.4}, 0.3, 0.2999999}, {"tanh", {100, 900}, 500, 600}};
  draw();
  EXPECT_NEAR((ends.at(2) - dots.at(4)) / (dots.at(4) - dots.at(3)),
              std::log(1100.0 / 900) / std::log(9.0), 0.01);
  EXPECT_LT(dots.at(1) - begins.at(1), 2 * (dots.at(2) - dots.at(1)));
}

TEST(ScoreFigure, SaysWhatFailed) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ScoreFigure figure = sample();
  figure.rows[1] = {"wild", {0.5, kInfinity}, kInfinity, kInfinity};
  const std::string svg = score_figure(figure);
  EXPECT_NO_THROW(check_page(svg));
  EXPECT_THAT(texts_of(svg), Contains("wild (failed)"));
  figure.rows.erase(figure.rows.begin());
  figure.rows[0].scores = {kInfinity};
  EXPECT_NO_THROW(check_page(score_figure(figure)));
}

TEST(ScoreFigure, UsesALogarithmicAxisWhereScoresAreFarApart) {
  ScoreFigure figure = sample();
  figure.rows[1].scores = {1000, 1000};
  figure.rows[1].mean = 1000;
  const std::string svg = score_figure(figure);
  EXPECT_NO_THROW(check_page(svg));
  // On a linear axis the first three dots would coincide.
  const auto dots = elements_named(svg, "circle");
  const auto x = [&](std::size_t dot) { return std::stod(dots.at(dot).attributes.at("cx")); };
  EXPECT_GT(x(3) - x(1), 20);
}

TEST(ScoreFigure, NeedsRows) {
  EXPECT_THROW(score_figure({}), Error);
}

}  // namespace
}  // namespace knotwork::figures
