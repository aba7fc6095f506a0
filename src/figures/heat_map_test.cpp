// SPDX-License-Identifier: MIT
#include "figures/heat_map.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "figures/drawing/label_text.hpp"
#include "figures/test_figures.hpp"

namespace knotwork::figures {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

// Lower scores are better; the best is 0.5 at x = 2^1, y = 2^-1.
HeatMap small_map() {
  return {.title = "grid",
          .x_label = "alpha",
          .y_label = "beta",
          .score_label = "RMSE",
          .x_names = {"2^0", "2^1", "2^2"},
          .y_names = {"2^-2", "2^-1"},
          .scores = {1.5, 1, INFINITY, 1.25, 0.5, NAN}};
}

TEST(PowerName, NamesPowersOfTwoAndOtherNumbers) {
  EXPECT_EQ(power_name(0.125), "2^-3");
  EXPECT_EQ(power_name(1), "2^0");
  EXPECT_EQ(power_name(0.1), "0.1");
  EXPECT_EQ(power_name(0), "0");
  EXPECT_EQ(power_name(-2), "-2");
}

TEST(HeatMap, FindsTheBestCell) {
  HeatMap map = small_map();
  EXPECT_EQ(best_cell(map), 4u);
  map.lower_is_better = false;
  EXPECT_EQ(best_cell(map), 0u);
  map.scores = {NAN, 2, -INFINITY, 2, INFINITY, 1};
  EXPECT_EQ(best_cell(map), 1u);
  map.scores.assign(6, NAN);
  EXPECT_EQ(best_cell(map), std::nullopt);
}

TEST(HeatMap, ShadesByValueOrByRank) {
  HeatMap map = small_map();
  EXPECT_EQ(ShadeScale(map).share(1.25), 0.25);
  map.shading = Shading::rank;
  EXPECT_NEAR(ShadeScale(map).share(1.25), 1.0 / 3, 1e-15);
  map.lower_is_better = false;
  EXPECT_NEAR(ShadeScale(map).share(1.25), 2.0 / 3, 1e-15);
  map.scores.assign(6, 0.7);
  EXPECT_EQ(ShadeScale(map).share(0.7), 1);
}

TEST(HeatMap, ScoresHaveAsManyDigitsAsTheirDifferencesNeed) {
  HeatMap map = small_map();
  EXPECT_EQ(ShadeScale(map).name(1.25), "1.25");
  EXPECT_EQ(ShadeScale(map).name(12345), "12345");
  EXPECT_EQ(ShadeScale(map).name(0), "0");
  map.scores = {1.00001, 1.00002, 1.00003, 1, 1, 1};
  EXPECT_EQ(ShadeScale(map).name(1.00002), "1.000020");
}

TEST(HeatMap, ColoursDarkenSteadilyInGrey) {
  const auto part = [](const std::string& colour, std::size_t i) {
    return std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
  };
  const auto lightness = [&](double share) {
    const std::string colour = shade_color(share);
    const auto linear = [&](std::size_t i) {
      return std::pow((part(colour, i) + 0.055) / 1.055, 2.4);
    };
    const double luminance = 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2);
    return 116 * std::cbrt(luminance) - 16;
  };
  // The result of a simple conversion to gray.
  const auto luma = [&](double share) {
    const std::string colour = shade_color(share);
    return 0.299 * part(colour, 0) + 0.587 * part(colour, 1) + 0.114 * part(colour, 2);
  };
  for (int i = 0; i < 50; ++i) {
    const double before = i / 50.0, after = (i + 1) / 50.0;
    EXPECT_LT(luma(after), luma(before)) << before;
    // Perceptually even: 76 in 50 steps, approximately.
    EXPECT_NEAR(lightness(before) - lightness(after), 76 / 50.0, 0.9) << before;
  }
}

TEST(HeatMapFigure, ShowsScoresNamesAndTheBest) {
  const std::string document = heat_map_figure(small_map());
  check_page(document);
  std::vector<std::string> texts;
  for (const Element& one : elements_named(document, "text")) texts.push_back(one.text);
  EXPECT_THAT(texts, ::testing::IsSupersetOf({"grid", "alpha", "beta", "RMSE (lower is better)",
                                              "1.50", "1.25", "0.500", "failed", "not tried"}));
  EXPECT_THAT(texts, Contains(HasSubstr("best: 0.500 at alpha = 2")));
  EXPECT_EQ(elements_named(document, "desc").at(0).text,
            "6 cells, 1 failed, 1 not tried; best: 0.500 at alpha = 2^1, beta = 2^-1.");

  // The mark of the best score: in the middle column, in the upper row.
  std::vector<Element> marks;
  for (const Element& one : elements_named(document, "rect")) {
    if (one.attributes.contains("stroke") && one.attributes.at("stroke") == "#d9480f") {
      marks.push_back(one);
    }
  }
  ASSERT_THAT(marks, SizeIs(2));  // the first is in the legend
  const auto place = [](const std::vector<Element>& elements, const std::string& text,
                        const char* key) {
    for (const Element& one : elements) {
      if (one.text == text) return std::stod(one.attributes.at(key));
    }
    return double{NAN};
  };
  const std::vector<Element> all = elements_named(document, "text");
  const auto mark = [&](const char* key) { return std::stod(marks[1].attributes.at(key)); };
  const double x = place(all, "0.500", "x"), y = place(all, "0.500", "y");
  EXPECT_TRUE(mark("x") < x && x < mark("x") + mark("width"));
  EXPECT_TRUE(mark("y") < y && y < mark("y") + mark("height"));
  EXPECT_LT(y, place(all, "1.50", "y"));
  EXPECT_GT(x, place(all, "1.50", "x"));
}

TEST(HeatMapFigure, LeavesOutScoresAndNamesThatHaveNoRoom) {
  HeatMap map = small_map();
  map.x_names.assign(60, "10000");
  map.y_names.assign(50, "y");
  map.scores.assign(3000, 0.123);
  const std::string document = heat_map_figure(map);
  check_page(document);
  EXPECT_LT(elements_named(document, "text").size(), 100u);
  EXPECT_GT(elements_named(document, "text").size(), 40u);
}

TEST(HeatMapText, DrawsTheMap) {
  HeatMap map = small_map();
  EXPECT_THAT(heat_map_text(map), ElementsAre("grid", "beta",               //
                                              "2^-1 |----[B]@",             //
                                              "2^-2 |....++++ x",           //
                                              "      2^0 2^1 2^2   alpha",  //
                                              "RMSE: . 1.50 (worst) to @ 0.500 (best)",
                                              "B best: 0.500 at alpha = 2^1, beta = 2^-1",
                                              "x failed, blank: not tried"));
}

TEST(HeatMapText, HasBlocksAndRanks) {
  HeatMap map = small_map();
  map.scores = {1000, 3, 2.9, 2.8, 2.7, 1000};
  EXPECT_THAT(heat_map_text(map, {.unicode = true}), Contains("2^-2 |\u00B7\u00B7\u00B7\u00B7"
                                                              "\u2588\u2588\u2588\u2588"
                                                              "\u2588\u2588\u2588\u2588"));
  map.shading = Shading::rank;
  EXPECT_THAT(heat_map_text(map, {.unicode = true}), Contains("2^-2 |\u00B7\u00B7\u00B7\u00B7"
                                                              "\u2591\u2591\u2591\u2591"
                                                              "\u2592\u2592\u2592\u2592"));
  EXPECT_THAT(heat_map_text(map), Contains(HasSubstr("by rank")));
  EXPECT_THAT(heat_map_text(map), Not(Contains(HasSubstr("failed"))));
}

TEST(HeatMapText, OfManyColumnsNamesSome) {
  HeatMap map{.x_names = {}, .y_names = {"y"}, .scores = {}};
  for (int i = 0; i < 40; ++i) {
    map.x_names.push_back(std::to_string(100 + i));
    map.scores.push_back(i);
  }
  const auto lines = heat_map_text(map);
  EXPECT_EQ(lines[0].substr(0, 9), "y |B@@@@@");
  EXPECT_EQ(lines[1].substr(0, 14), "   100 102 104");
}

TEST(HeatMaps, OfNothingFiniteStillStand) {
  HeatMap map = small_map();
  map.scores.assign(6, NAN);
  check_page(heat_map_figure(map));
  EXPECT_THAT(heat_map_text(map), Not(Contains(HasSubstr("best"))));
  map.scores.assign(6, INFINITY);
  check_page(heat_map_figure(map));
  EXPECT_THAT(heat_map_text(map), Contains("x failed"));
}

TEST(HeatMaps, RefuseWhatDoesNotFit) {
  HeatMap map = small_map();
  map.scores.pop_back();
  for (const auto& message :
       {message_of([&] { heat_map_figure(map); }), message_of([&] { heat_map_text(map); })}) {
    EXPECT_THAT(message, AllOf(HasSubstr("3 columns and 2 rows has 5 scores"), HasSubstr("6")));
  }
  EXPECT_THAT(message_of([] { heat_map_figure({}); }), HasSubstr("one column and one row"));
  EXPECT_THAT(message_of([] { heat_map_text(small_map(), {.width = 10}); }),
              AllOf(HasSubstr("10 characters"), HasSubstr("at least 20")));
  map.x_names.assign(30, "x");
  map.scores.assign(60, 1);
  EXPECT_THAT(message_of([&] { heat_map_text(map, {.width = 30}); }),
              AllOf(HasSubstr("30 columns"), HasSubstr("at least 36")));
}

RC_GTEST_PROP(HeatMaps, StayWithinTheirWidthWhateverTheData,
              (bool lower, bool by_rank, bool unicode, const std::string& text)) {
  HeatMap map{text, text, text, text, {}, {}, {}, lower, by_rank ? Shading::rank : Shading::value};
  map.x_names.assign(*rc::gen::inRange<std::size_t>(1, 30), text);
  map.y_names.assign(*rc::gen::inRange<std::size_t>(1, 4), text);
  for (std::size_t i = 0; i < map.x_names.size() * map.y_names.size(); ++i) {
    map.scores.push_back(*rc::gen::oneOf(
        rc::gen::arbitrary<double>(), rc::gen::element<double>(0, 1, NAN, INFINITY, -INFINITY,
                                                               1e308, -1e308, 5e-324, 1 + 1e-15)));
  }
  check_page(heat_map_figure(map));
  const std::size_t width = *rc::gen::inRange<std::size_t>(45, 120);
  for (const std::string& line : heat_map_text(map, {width, unicode})) {
    RC_ASSERT(count_characters(line) <= width);
    RC_ASSERT(clean_text(line) == line);
  }
}

}  // namespace
}  // namespace knotwork::figures
