// SPDX-License-Identifier: MIT
// Tests figures with two axes: scatter, histogram, dependence, reliability.
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

#include "figures/test_figures.hpp"

namespace knotwork::figures {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<Element> markers_in(const std::string& document) {
  return with_attribute(elements_named(document, "path"), "stroke-linecap", "round");
}

std::vector<Element> dashed_lines_in(const std::string& document) {
  return with_attribute(elements_named(document, "line"), "stroke-dasharray", "6 4");
}

TEST(ScatterFigure, HasAMarkForEachPointThatHasAPlace) {
  const std::string document = scatter_figure(
      {.x_label = "true",
       .y_label = "predicted",
       .groups = {{"test", {{1, 2}, {3, NAN}, {1e300, 4}, {5, 6}, {-INFINITY, 1}}}}});
  check_page(document);
  EXPECT_THAT(beginnings(markers_in(document)), SizeIs(2));
  EXPECT_EQ(description_of(document), "2 points, predicted against true: 2 test.");
  EXPECT_THAT(texts_of(document), ::testing::IsSupersetOf({"test", "true", "predicted"}));
}

TEST(ScatterFigure, DiagonalFigureIsSquareWithOneRange) {
  const std::string document =
      scatter_figure({.groups = {{"", {{0, 10}, {4, 4}, {10, 5}}}}, .guide = GuideLine::diagonal});
  check_page(document);
  const Element frame = frame_in(document);
  EXPECT_EQ(frame.attributes.at("width"), frame.attributes.at("height"));
  EXPECT_EQ(frame.attributes.at("data-x"), frame.attributes.at("data-y"));
  const auto guides = dashed_lines_in(document);
  ASSERT_THAT(guides, SizeIs(1));
  // (4, 4) is on the guide line, which goes from the lower left corner to the upper right one.
  const double left = number_of(frame, "x"), top = number_of(frame, "y");
  const double size = number_of(frame, "width");
  EXPECT_NEAR(number_of(guides[0], "x1"), left, 0.01);
  EXPECT_NEAR(number_of(guides[0], "y1"), top + size, 0.01);
  EXPECT_NEAR(number_of(guides[0], "y2"), top, 0.01);
  const FigurePoint middle = beginnings(markers_in(document)).at(1);
  EXPECT_NEAR(middle.x - left, top + size - middle.y, 0.11);
  EXPECT_NEAR(middle.x - left, size * (4 + 0.4) / 10.8, 0.11);
  EXPECT_THAT(description_of(document), HasSubstr("line of equal values"));
}

TEST(ScatterFigure, GuideAtZeroIsInTheFrameWhereverThePointsAre) {
  const std::string document =
      scatter_figure({.groups = {{"", {{1, 5}, {2, 7}}}}, .guide = GuideLine::zero});
  check_page(document);
  const auto guides = dashed_lines_in(document);
  ASSERT_THAT(guides, SizeIs(1));
  EXPECT_EQ(number_of(guides[0], "y1"), number_of(guides[0], "y2"));
  for (const FigurePoint& point : beginnings(markers_in(document))) {
    EXPECT_LT(point.y, number_of(guides[0], "y1"));
  }
  EXPECT_THAT(dashed_lines_in(scatter_figure({.groups = {{"", {{1, 5}}}}})), IsEmpty());
}

TEST(ScatterFigure, ThousandPointsAreShort) {
  FigurePoints points;
  for (int i = 0; i < 1000; ++i) points.push_back({std::sin(i), std::cos(2 * i)});
  const std::string document = scatter_figure({.groups = {{"", points}}});
  check_page(document);
  EXPECT_THAT(beginnings(markers_in(document)), SizeIs(1000));
  EXPECT_LT(document.size(), 20000u);
  EXPECT_GT(markers_in(document).size(), 1u) << "one shape would not show where points are dense";
}

TEST(ScatterFigure, GroupsDifferInMarkerAndColour) {
  ScatterFigure figure;
  for (int i = 0; i < 5; ++i) figure.groups.push_back({"g" + std::to_string(i), {{i * 1.0, 1}}});
  const std::string document = scatter_figure(figure);
  check_page(document);
  std::set<std::string> shapes, colours;
  for (const Element& path : elements_named(document, "path")) {
    const auto& all = path.attributes;
    const std::string& d = all.at("d");
    const bool filled = all.at("fill") != "none";
    shapes.insert(d.substr(d.find_first_not_of("M0123456789.,")) +
                  (filled ? "" : all.at("stroke-linecap") + all.at("stroke-width")));
    colours.insert(all.at(filled ? "fill" : "stroke"));
  }
  EXPECT_THAT(shapes, SizeIs(5));
  EXPECT_THAT(colours, SizeIs(5 + 1));  // the last one is white, within the rings
}

TEST(HistogramFigure, BarsAreAsHighAsTheirShare) {
  const std::string document = histogram_figure(
      {.title = "residuals", .x_label = "MPa", .bars = {{-1, 0, 1, 2}, {1, 3, 0}}});
  check_page(document);
  const auto paths = elements_named(document, "path");
  ASSERT_THAT(paths, SizeIs(1));
  const FigurePoints tops = beginnings(paths);
  ASSERT_THAT(tops, SizeIs(2));  // an empty bin has no bar
  const Element frame = frame_in(document);
  const double bottom = number_of(frame, "y") + number_of(frame, "height");
  EXPECT_NEAR((bottom - tops[1].y) / (bottom - tops[0].y), 3, 0.01);
  EXPECT_EQ(frame.attributes.at("data-y"), "0 78.75 linear");
  EXPECT_THAT(texts_of(document), ::testing::IsSupersetOf({"MPa", "share of all (%)"}));
  EXPECT_EQ(description_of(document),
            "A histogram of 3 bins from -1 to 2; most, 75%, are from 0 to 1.");
}

TEST(HistogramFigure, LeavesOutBinsWithoutAPlace) {
  const std::string document =
      histogram_figure({.bars = {{-1e300, -1, 0, 1, 1e200}, {1e308, 3, 1e308, 2}}});
  check_page(document);
  EXPECT_THAT(beginnings(elements_named(document, "path")), SizeIs(2));
}

TEST(PointFigures, RefuseWhatTheyCannotDraw) {
  EXPECT_THAT(message_of([] { scatter_figure({}); }), HasSubstr("at least one group"));
  EXPECT_THAT(message_of([] { histogram_figure({}); }), HasSubstr("at least one bin"));
  const auto refusal = [](const InputHistogram& bars) {
    return message_of([&] { histogram_figure({.bars = bars}); });
  };
  EXPECT_THAT(refusal({{0, 1}, {0}}), HasSubstr("above 0"));
  EXPECT_THAT(refusal({{0, 1}, {1, 2}}), HasSubstr("The histogram has 2 counts and 2 edges"));
  EXPECT_THAT(refusal({{0, -1}, {1}}), HasSubstr("ascend"));
  EXPECT_THAT(refusal({{0, 1}, {-1}}), HasSubstr("counts -1 in bin 1"));
}

RC_GTEST_PROP(PointFigures, StayOnThePageWhateverTheData, ()) {
  const auto guide = *rc::gen::element(GuideLine::none, GuideLine::diagonal, GuideLine::zero);
  check_page(scatter_figure({"t", "x", "y", {{"a", any_points()}, {"b", any_points()}}, guide}));
}

RC_GTEST_PROP(PointFigures, BearAnyText, (const std::string& text)) {
  check_page(scatter_figure({text, text, text, {{text, {{0, 1}}}}}));
  check_page(histogram_figure({text, text, {{0, 1}, {1}}}));
}

std::vector<Element> stroked_lines(const std::string& document, const std::string& colour) {
  return with_attribute(elements_named(document, "path"), "stroke", colour);
}

std::vector<Element> rug_in(const std::string& document) {
  return stroked_lines(document, "#555555");
}
std::vector<Element> single_in(const std::string& document) {
  return stroked_lines(document, "#b9c4d2");
}

TEST(DependenceFigure, DrawsTheMeanAboveSingleRowsAndARugBelow) {
  const std::string document = dependence_figure({.x_label = "age",
                                                  .y_label = "strength",
                                                  .means = {{"", {{0, 1}, {1, 3}, {2, 2}}}},
                                                  .single = {{{0, 0}, {2, 1}}, {{0, 2}, {2, 5}}},
                                                  .strokes = {0, 0.5, 0.5, 2, 99, NAN}});
  check_page(document);
  const auto paths = elements_named(document, "path");
  ASSERT_THAT(paths, SizeIs(3));
  EXPECT_THAT(beginnings(single_in(document)), SizeIs(2));
  EXPECT_EQ(paths[0].attributes.at("stroke"), "#b9c4d2") << "single rows are drawn first";
  EXPECT_EQ(paths[1].attributes.at("data-name"), "mean");
  EXPECT_GT(number_of(paths[1], "stroke-width"), 2);
  EXPECT_THAT(texts_of(document), IsSupersetOf({"mean", "single rows", "where rows lie", "age"}));
  EXPECT_EQ(description_of(document),
            "strength against age; mean: from 1 at 0 to 2 at 2, lowest 1 at 0, highest 3 at 1; "
            "2 single rows.");

  // Equal rows share one stroke, and rows outside the lines have none.
  const FigurePoints rug = beginnings(rug_in(document));
  ASSERT_THAT(rug, SizeIs(3));
  const Element frame = frame_in(document);
  const double unit = number_of(frame, "width") / 2.08;
  EXPECT_NEAR(rug[1].x - rug[0].x, 0.5 * unit, 0.51);
  EXPECT_NEAR(rug[2].x - rug[0].x, 2 * unit, 0.51);
  EXPECT_NEAR(rug[0].y, number_of(frame, "y") + number_of(frame, "height"), 0.01);
}

TEST(DependenceFigure, MissingCellsHaveRingsRightOfEverythingElse) {
  const auto rings_in = [](const std::string& document) {
    std::vector<Element> rings;
    for (const Element& circle : elements_named(document, "circle")) {
      if (circle.attributes.at("fill") != "#12355b" && circle.attributes.contains("stroke")) {
        rings.push_back(circle);
      }
    }
    return rings;
  };
  const std::string numbers = dependence_figure(
      {.x_label = "age", .means = {{"", {{0, 1}, {1, 3}, {2, 2}}}}, .missing = {7}});
  check_page(numbers);
  EXPECT_THAT(texts_of(numbers), Contains("cell is missing"));
  EXPECT_THAT(description_of(numbers), HasSubstr(", 7 where the cell is missing."));
  const auto rings = rings_in(numbers);
  ASSERT_THAT(rings, SizeIs(2)) << "one of them in the legend";
  const Element frame = frame_in(numbers);
  const double right = number_of(frame, "x") + number_of(frame, "width");
  EXPECT_LT(number_of(rings[1], "cx"), right);
  EXPECT_GT(number_of(rings[1], "cx"), right - 0.1 * number_of(frame, "width"));
  EXPECT_GT(number_of(rings[1], "cy"), number_of(frame, "y")) << "the axis has room for it";

  const std::string texts = dependence_figure({.means = {{"a", {{0, 1}, {1, 3}}}},
                                               .categories = {"red", "blue"},
                                               .missing = {2}});
  check_page(texts);
  EXPECT_THAT(texts_of(texts), IsSupersetOf({"red", "blue", "(missing)"}));
  EXPECT_NEAR(number_of(rings_in(texts)[1], "cx"),
              number_of(frame_in(texts), "x") + number_of(frame_in(texts), "width") * 5 / 6, 0.1);
  EXPECT_THAT(texts_of(dependence_figure({.means = {{"", {{0, 1}, {1, 3}}}}})),
              Not(Contains("cell is missing")));
  EXPECT_THROW(dependence_figure({.means = {{"", {{0, 1}, {1, 3}}}}, .missing = {1, 2}}), Error);
}

TEST(DependenceFigure, SeveralMeansDifferAndAreNamed) {
  const std::string document = dependence_figure(
      {.means = {{"a<b", {{0, 1}, {1, 2}}}, {"c", {{0, 2}, {1, NAN}, {2, 1}, {3, 1}}}}});
  check_page(document);
  const auto paths = elements_named(document, "path");
  ASSERT_THAT(paths, SizeIs(2));
  EXPECT_EQ(paths[0].attributes.at("data-name"), "a&lt;b");
  EXPECT_FALSE(paths[0].attributes.contains("stroke-dasharray"));
  EXPECT_TRUE(paths[1].attributes.contains("stroke-dasharray"));
  EXPECT_THAT(texts_of(document), Not(Contains("single rows")));
}

TEST(DependenceFigure, CategoriesHaveNamesAndDotsThatAreNotJoined) {
  const std::string document = dependence_figure({.means = {{"", {{0, 1}, {1, 3}, {2, 2}, {7, 2}}}},
                                                  .single = {{{0, 0}, {1, 1}, {2, 2}}},
                                                  .strokes = {0, 0, 0, 0, 0, 2},
                                                  .categories = {"red", "a<b", "blue"}});
  check_page(document);
  EXPECT_THAT(texts_of(document), IsSupersetOf({"red", "a&lt;b", "blue"}));
  EXPECT_THAT(document, Not(HasSubstr("data-name")));
  EXPECT_THAT(beginnings(single_in(document)), SizeIs(3));
  const FigurePoints dots = beginnings(stroked_lines(document, "#12355b"));
  ASSERT_THAT(dots, SizeIs(3)) << "there is no category 7";
  const Element frame = frame_in(document);
  const double slot = number_of(frame, "width") / 3;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(dots[i].x, number_of(frame, "x") + (static_cast<double>(i) + 0.5) * slot, 0.06);
  }
  // Five rows side by side around the place of red, one row at the place of blue.
  const FigurePoints rug = beginnings(rug_in(document));
  ASSERT_THAT(rug, SizeIs(6));
  EXPECT_NEAR((rug[0].x + rug[4].x) / 2, dots[0].x, 0.6);
  EXPECT_NEAR(rug[5].x, dots[2].x, 0.6);
  EXPECT_THAT(description_of(document), HasSubstr("mean: red 1, a&lt;b 3, blue 2"));
}

TEST(DependenceFigure, DatesAreBelowTheAxis) {
  const DependenceFigure figure{.x_label = "sold",
                                .y_label = "price",
                                .means = {{"", {{1577836800, 1}, {1709208000, 3}}}},
                                .dates = true};
  const std::string document = dependence_figure(figure);
  check_page(document);
  EXPECT_THAT(texts_of(document), IsSupersetOf({"2020", "2021", "2022", "2023", "2024"}));
  EXPECT_EQ(description_of(document),
            "price against sold; mean: from 1 at 2020-01-01 to 3 at 2024-02-29 12:00, lowest 1 at "
            "2020-01-01, highest 3 at 2024-02-29 12:00.");
  EXPECT_THAT(frame_in(document).attributes.at("data-x"), ::testing::EndsWith(" date"));
}

TEST(DependenceFigure, LongOrManyNamesAreTurnedOrLeftOut) {
  const auto names_of = [](std::size_t count, const std::string& name) {
    DependenceFigure figure{.means = {{"", {{0, 1}}}}};
    for (std::size_t i = 0; i < count; ++i) figure.categories.push_back(name);
    const std::string document = dependence_figure(figure);
    check_page(document);
    std::vector<Element> turned;
    for (const Element& text : elements_named(document, "text")) {
      if (text.attributes.contains("transform")) turned.push_back(text);
    }
    return turned;
  };
  EXPECT_THAT(names_of(3, "short"), IsEmpty());
  EXPECT_THAT(names_of(12, "not so short"), SizeIs(12));
  EXPECT_THAT(names_of(100, "many"), SizeIs(25));
  EXPECT_THAT(names_of(8, std::string(60, 'x')).at(0).text, HasSubstr("xxx..."));
}

ReliabilityFigure reliability() {
  return {"Reliability", {{"yes", {{0, 0}, {0.5, 0.25}, {1, 1}}, {100, 25, 0}}}};
}

std::vector<double> breadths(const std::string& document) {
  std::vector<double> all;
  for (const Element& path : with_attribute(elements_named(document, "path"), "opacity", "0.7")) {
    all.push_back(number_of(path, "stroke-width"));
  }
  return all;
}

TEST(ReliabilityFigure, DotsAreAsLargeAsTheirBinsHaveRows) {
  const std::string document = reliability_figure(reliability());
  check_page(document);
  const auto sizes = breadths(document);
  ASSERT_THAT(sizes, SizeIs(3));
  EXPECT_NEAR(sizes[0] / sizes[1], 2, 1e-9) << "the area is four times as large";
  EXPECT_GT(sizes[2], 0);
  EXPECT_THAT(texts_of(document),
              IsSupersetOf({"predicted probability", "observed share", "yes", "more rows"}));
  EXPECT_EQ(description_of(document),
            "Observed share against predicted probability, and the line of equal values: yes, "
            "3 bins, on average 0.05 apart.");
}

TEST(ReliabilityFigure, HasTheDiagonalAndNamedCurves) {
  const std::string document = reliability_figure(reliability());
  const auto guides = with_attribute(elements_named(document, "line"), "stroke", "#8a8a8a");
  const auto curves = with_attribute(elements_named(document, "path"), "data-name", "yes");
  ASSERT_THAT(guides, SizeIs(1));
  ASSERT_THAT(curves, SizeIs(1));
  // The curve begins at (0, 0), like the diagonal.
  const FigurePoint begin = beginnings(curves).at(0);
  EXPECT_NEAR(begin.x, number_of(guides[0], "x1"), 0.01);
  EXPECT_NEAR(begin.y, number_of(guides[0], "y1"), 0.01);
  const Element frame = frame_in(document);
  EXPECT_EQ(frame.attributes.at("data-x"), frame.attributes.at("data-y"));
  EXPECT_EQ(frame.attributes.at("width"), frame.attributes.at("height"));
}

// In gray, the diagonal is neither dashed nor as dark as a curve.
TEST(ReliabilityFigure, DiagonalIsNotTakenForACurve) {
  ReliabilityFigure figure = reliability();
  figure.series.resize(6, figure.series[0]);
  const std::string document = reliability_figure(figure);
  const auto diagonal = with_attribute(elements_named(document, "line"), "stroke", "#8a8a8a");
  ASSERT_THAT(diagonal, SizeIs(1));
  EXPECT_FALSE(diagonal[0].attributes.contains("stroke-dasharray"));
  const auto curves = with_attribute(elements_named(document, "path"), "data-name", "yes");
  ASSERT_THAT(curves, SizeIs(6));
  for (const Element& curve : curves) {
    EXPECT_GT(number_of(curve, "stroke-width"), 1.3 * number_of(diagonal[0], "stroke-width"));
    EXPECT_LT(grey_of(curve.attributes.at("stroke")), grey_of("#8a8a8a") - 15);
  }
}

TEST(ReliabilityFigure, WhatIsNoProbabilityHasNoPlace) {
  ReliabilityFigure figure = reliability();
  figure.series[0].points = {{0.5, 1.5}, {NAN, 0.5}, {0.5, 0.5}};
  const std::string document = reliability_figure(figure);
  check_page(document);
  EXPECT_THAT(breadths(document), SizeIs(1));
}

TEST(DependenceFigure, RefusesNothingToDraw) {
  EXPECT_THAT(message_of([] { dependence_figure({}); }), HasSubstr("at least one mean"));
  EXPECT_THAT(message_of([] { reliability_figure({}); }), HasSubstr("at least one series"));
  ReliabilityFigure figure = reliability();
  figure.series[0].rows.pop_back();
  EXPECT_THAT(message_of([&] { reliability_figure(figure); }),
              AllOf(HasSubstr("'yes' has 3 points and 2 numbers"), HasSubstr("one for each")));
}

RC_GTEST_PROP(DependenceFigure, StaysOnThePageWhateverTheData, (const std::string& text)) {
  DependenceFigure figure{text, text, text, {{text, any_points()}, {"b", any_points()}}};
  figure.single = {any_points(), any_points()};
  figure.strokes = any_numbers(*rc::gen::inRange<std::size_t>(0, 9));
  check_page(dependence_figure(figure));
  figure.dates = true;
  check_page(dependence_figure(figure));
  figure.dates = false;
  figure.categories.assign(*rc::gen::inRange<std::size_t>(1, 60), text);
  check_page(dependence_figure(figure));
  ReliabilitySeries series{text, any_points(), {}};
  series.rows = any_numbers(series.points.size());
  check_page(reliability_figure({text, {series, series}}));
}

}  // namespace
}  // namespace knotwork::figures
