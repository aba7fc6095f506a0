// SPDX-License-Identifier: MIT
// Tests figures of rows: bars, and the confusion of classes.
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "figures/heat_map.hpp"
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

std::vector<Element> bars_in(const std::string& document) {
  return with_attribute(elements_named(document, "rect"), "fill", "#9fb6d1");
}

std::vector<Element> intervals_in(const std::string& document) {
  return with_attribute(elements_named(document, "line"), "stroke", "#12355b");
}

TEST(BarFigure, BarsAreInProportionAndBeginAtZero) {
  const std::string document =
      bar_figure({.label = "MPa", .rows = {{"age", 4, 0}, {"slag", -2, 0}, {"water", 1, 0}}});
  check_page(document);
  const auto bars = bars_in(document);
  ASSERT_THAT(bars, SizeIs(3));
  const double unit = number_of(bars[2], "width");
  EXPECT_NEAR(number_of(bars[0], "width"), 4 * unit, 0.05);
  EXPECT_NEAR(number_of(bars[1], "width"), 2 * unit, 0.05);
  EXPECT_EQ(number_of(bars[0], "x"), number_of(bars[2], "x"));
  EXPECT_NEAR(number_of(bars[1], "x") + 2 * unit, number_of(bars[0], "x"), 0.05);
  EXPECT_THAT(texts_of(document), ::testing::IsSupersetOf({"age", "slag", "water", "MPa"}));
  EXPECT_THAT(intervals_in(document), IsEmpty());
}

TEST(BarFigure, IntervalsReachOneDeviationToEitherSide) {
  const std::string document = bar_figure({.rows = {{"age", 4, 1}, {"slag", 2, 0}}});
  check_page(document);
  const auto bars = bars_in(document);
  const double unit = number_of(bars[1], "width") / 2, zero = number_of(bars[1], "x");
  const auto lines = intervals_in(document);
  ASSERT_THAT(lines, SizeIs(3 + 3));  // each with two ends; the last three are in the legend
  EXPECT_NEAR(number_of(lines[3], "x1"), zero + 3 * unit, 0.05);
  EXPECT_NEAR(number_of(lines[3], "x2"), zero + 5 * unit, 0.05);
  EXPECT_THAT(texts_of(document), Contains("4 \u00B1 1"));
}

TEST(BarFigure, NamesTheLongestToThoseWhoCannotSeeIt) {
  BarFigure figure{.rows = {{"a", 1, 0}, {"b", -5, 0.5}, {"c", 3, 0}}};
  EXPECT_EQ(description_of(bar_figure(figure)), "3 bars: b, -5 \u00B1 0.5; c, 3; a, 1.");
  figure.rows.push_back({"d", 2, 0});
  figure.rows.push_back({"e", NAN, 0});
  EXPECT_EQ(description_of(bar_figure(figure)),
            "5 bars; the longest: b, -5 \u00B1 0.5; c, 3; d, 2.");
}

TEST(BarFigure, SaysWhatHasNoValueAndDrawsNoImpossibleInterval) {
  const std::string document =
      bar_figure({.rows = {{"a", NAN, 1}, {"b", 1e300, 0}, {"c", 1, INFINITY}, {"d", 1, NAN}}});
  check_page(document);
  EXPECT_THAT(bars_in(document), SizeIs(2));
  EXPECT_THAT(intervals_in(document), IsEmpty());
  const auto texts = texts_of(document);
  EXPECT_EQ(std::count(texts.begin(), texts.end(), "no value"), 2);
}

TEST(BarFigure, CutsNamesThatWouldReachTheirValues) {
  const std::string name(100, 'n');
  const auto texts = texts_of(bar_figure({.rows = {{name, 1, 0}}}));
  EXPECT_THAT(texts, Not(Contains(name)));
  EXPECT_THAT(texts, Contains(::testing::EndsWith("n...")));
}

TEST(BarFigure, NeedsRows) {
  EXPECT_THAT(message_of([] { bar_figure({}); }), HasSubstr("at least one row"));
}

RC_GTEST_PROP(BarFigure, StaysOnThePageWhateverTheData, (const std::string& text)) {
  BarFigure figure{text, text, {}};
  const auto rows = *rc::gen::inRange<std::size_t>(1, 6);
  for (std::size_t i = 0; i < rows; ++i)
    figure.rows.push_back({text, *any_number(), *any_number()});
  check_page(bar_figure(figure));
}

ConfusionFigure two_classes() {
  return {"Confusion", {"a<b", "c"}, {{30, 10}, {0, 20}}};
}

ConfusionFigure of_size(std::size_t classes) {
  ConfusionFigure figure{"", {}, {}};
  for (std::size_t i = 0; i < classes; ++i) {
    figure.classes.push_back("class " + std::to_string(i));
    figure.counts.emplace_back(classes, 1);
    figure.counts[i][i] = 123;
  }
  return figure;
}

TEST(ConfusionFigure, ShowsCountsAndSharesOfRows) {
  const std::string document = confusion_figure(two_classes());
  check_page(document);
  EXPECT_THAT(texts_of(document), IsSupersetOf({"30", "75%", "10", "25%", "20", "100%", "a&lt;b",
                                                "c", "true class", "predicted class"}));
  EXPECT_EQ(description_of(document),
            "50 of 60 rows in 2 classes are predicted right; most often mistaken: a&lt;b for c "
            "(10).");
}

TEST(ConfusionFigure, ShadesCellsByTheShareOfTheirRow) {
  const std::string document = confusion_figure(two_classes());
  const auto cells = elements_named(document, "path");
  ASSERT_THAT(cells, SizeIs(3)) << "an empty cell is not drawn";
  // From the palest: 25% at the upper right, 75% at the upper left, 100% at the lower right.
  const FigurePoints corners = beginnings(cells);
  EXPECT_EQ(cells[0].attributes.at("fill"), shade_color(0.26));
  EXPECT_EQ(cells[2].attributes.at("fill"), shade_color(1));
  EXPECT_GT(corners[0].x, corners[1].x);
  EXPECT_EQ(corners[0].y, corners[1].y);
  EXPECT_EQ(corners[2].x, corners[0].x);
  EXPECT_GT(corners[2].y, corners[0].y);
}

TEST(ConfusionFigure, NumbersStandOnShadesOnWhichTheyCanBeRead) {
  const auto ink = [](const std::string& number) {
    for (const Element& text : elements_named(confusion_figure(two_classes()), "text")) {
      if (text.text == number) return text.attributes.at("fill");
    }
    return std::string("missing");
  };
  EXPECT_EQ(ink("30"), "#ffffff");
  EXPECT_EQ(ink("10"), "#1a1a1a");
}

TEST(ConfusionFigure, ManyClassesHaveNoNumbersAndFewerNames) {
  const auto drawn = [](std::size_t classes, const std::string& text) {
    const std::string document = confusion_figure(of_size(classes));
    check_page(document);
    EXPECT_LT(number_of(elements_named(document, "svg").at(0), "width"), 590);
    const auto texts = texts_of(document);
    return std::count(texts.begin(), texts.end(), text);
  };
  EXPECT_EQ(drawn(1, "class 0"), 2);
  EXPECT_EQ(drawn(20, "123"), 20);
  EXPECT_EQ(drawn(20, "class 19"), 2);
  EXPECT_EQ(drawn(21, "123"), 0);
  EXPECT_EQ(drawn(100, "123"), 0);
  EXPECT_EQ(drawn(100, "class 1"), 0);
  EXPECT_EQ(drawn(100, "class 0"), 2);
  EXPECT_LT(confusion_figure(of_size(100)).size(), 400000u);
}

TEST(ConfusionFigure, ClassWithoutRowsHasNoShade) {
  const std::string document = confusion_figure({"", {"a", "b"}, {{0, 0}, {0, 0}}});
  check_page(document);
  EXPECT_THAT(elements_named(document, "path"), SizeIs(0));
  EXPECT_EQ(description_of(document), "0 of 0 rows in 2 classes are predicted right.");
}

TEST(ConfusionFigure, RefusesWhatItCannotDraw) {
  const auto refusal = [](std::size_t classes, std::vector<std::vector<double>> counts) {
    ConfusionFigure figure{"", std::vector<std::string>(classes, "a"), std::move(counts)};
    return message_of([&] { confusion_figure(figure); });
  };
  EXPECT_THAT(refusal(0, {}), HasSubstr("1 to 100 classes"));
  EXPECT_THAT(refusal(101, {}), HasSubstr("classes, not 101"));
  EXPECT_THAT(refusal(2, {{1, 2}}), AllOf(HasSubstr("2 classes"), HasSubstr("not 1")));
  EXPECT_THAT(refusal(2, {{1, 2}, {1}}), AllOf(HasSubstr("Row 2"), HasSubstr("has 1 counts")));
  for (const double bad : {-1.0, double{NAN}, double{INFINITY}, 1e300}) {
    EXPECT_THAT(refusal(1, {{bad}}), AllOf(HasSubstr("Row 1"), HasSubstr("at least 0")));
  }
}

RC_GTEST_PROP(ConfusionFigure, StaysOnThePageWhateverTheData, (const std::string& text)) {
  const auto classes = *rc::gen::inRange<std::size_t>(1, 40);
  ConfusionFigure figure{text, std::vector<std::string>(classes, text), {}};
  for (std::size_t i = 0; i < classes; ++i) {
    figure.counts.push_back(*rc::gen::container<std::vector<double>>(
        classes, rc::gen::element<double>(0, 0, 1, 17, 0.5, 12345678, 1e100, 5e-324)));
  }
  check_page(confusion_figure(figure));
}

}  // namespace
}  // namespace knotwork::figures
