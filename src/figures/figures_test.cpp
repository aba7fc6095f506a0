// SPDX-License-Identifier: MIT
#include <knotwork/figures.hpp>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "figures/test_figures.hpp"

namespace knotwork::figures {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

ActivationPanel full_panel() {
  ActivationPanel panel{.title = "layer 1, neuron 3",
                        .control_points = {{-1, -1}, {0, 0.5}, {1, 1}},
                        .received = {{-2, -1, 0, 1}, {2, 6, 0}}};
  for (double x = -1; x <= 1; x += 0.25) {
    panel.learned.push_back({x, std::sin(x)});
    panel.initial.push_back({x, std::tanh(x)});
    panel.truth.push_back({x, x});
  }
  return panel;
}

TEST(ActivationFigure, ShowsWhatAPanelHas) {
  const std::string document = activation_figure({full_panel()}, {.title = "Figure <1> & more"});
  check_page(document);
  EXPECT_THAT(elements_named(document, "path"), SizeIs(3));
  EXPECT_THAT(elements_named(document, "circle"), SizeIs(3 + 1));  // the last one is in the legend
  EXPECT_EQ(elements_named(document, "title").at(0).text, "Figure &lt;1&gt; &amp; more");
  EXPECT_THAT(elements_named(document, "desc").at(0).text, HasSubstr("layer 1, neuron 3"));
  EXPECT_THAT(texts_of(document),
              ::testing::IsSupersetOf({"learned", "initial", "true", "control points",
                                       "layer 1, neuron 3", "75%", "input", "output"}));
}

TEST(ActivationFigure, LeavesOutWhatAPanelHasNot) {
  ActivationPanel panel;
  panel.learned = {{0, 0}, {1, 1}};
  const std::string document = activation_figure({panel}, {.x_label = "", .y_label = ""});
  EXPECT_THAT(elements_named(document, "path"), SizeIs(1));
  EXPECT_THAT(texts_of(document), ::testing::IsSupersetOf({"learned"}));
  for (const char* absent : {"initial", "true", "control points", "%", "input", "output"}) {
    EXPECT_THAT(texts_of(document), Not(::testing::Contains(HasSubstr(absent))));
  }
}

TEST(ActivationFigure, BarsAreAsHighAsTheirCountsOnTheirOwnScale) {
  ActivationPanel with = full_panel(), without = full_panel();
  without.received.counts = {0, 0, 0};
  const auto bars = [](const ActivationPanel& panel) {
    std::vector<double> heights;
    for (const auto& one : elements_named(activation_figure({panel}), "rect")) {
      if (one.attributes.at("fill") != "#c8c8c8") continue;
      heights.push_back(std::stod(one.attributes.at("height")));
    }
    return heights;
  };
  const std::vector<double> heights = bars(with);
  ASSERT_THAT(heights, SizeIs(2 + 2));  // the last two are in the legend
  EXPECT_NEAR(heights[3] / heights[2], 3, 0.01);
  EXPECT_THAT(bars(without), SizeIs(0));
}

TEST(ActivationFigure, CanBeReadInGrey) {
  const std::string document = activation_figure({full_panel()});
  std::vector<double> greys = {255, grey_of("#c8c8c8")};  // paper and bars
  for (const char* name : {"true", "initial", "learned"}) {
    const auto curve = with_attribute(elements_named(document, "path"), "data-name", name);
    ASSERT_THAT(curve, SizeIs(1)) << name;
    greys.push_back(grey_of(curve[0].attributes.at("stroke")));
    EXPECT_LT(greys.back(), greys[greys.size() - 2] - 35) << name;
  }
}

TEST(ActivationFigure, StandsInOneToThreeColumns) {
  const auto size = [](std::size_t panels, std::size_t columns, const char* key) {
    const std::string document =
        activation_figure(std::vector<ActivationPanel>(panels, full_panel()), {.columns = columns});
    check_page(document);
    return std::stod(elements_named(document, "svg").at(0).attributes.at(key));
  };
  EXPECT_LT(size(4, 1, "width"), size(4, 2, "width"));
  EXPECT_LT(size(4, 2, "width"), size(4, 3, "width"));
  EXPECT_EQ(size(2, 2, "width"), size(2, 3, "width"));
  EXPECT_GT(size(4, 1, "height"), size(4, 2, "height"));
  EXPECT_GE(size(4, 2, "height"), size(4, 3, "height"));
}

TEST(ActivationFigure, RefusesWhatItCannotDraw) {
  const auto refusal = [](const InputHistogram& bars, std::size_t columns = 3) {
    ActivationPanel panel = full_panel();
    panel.received = bars;
    return message_of([&] { activation_figure({full_panel(), panel}, {.columns = columns}); });
  };
  EXPECT_THAT(message_of([] { activation_figure({}); }), HasSubstr("at least one panel"));
  EXPECT_THAT(refusal({}, 0), AllOf(HasSubstr("0 columns"), HasSubstr("1 to 3")));
  EXPECT_THAT(refusal({}, 4), AllOf(HasSubstr("4 columns"), HasSubstr("1 to 3")));
  EXPECT_THAT(
      refusal({{1, 2}, {1, 2}}),
      AllOf(HasSubstr("panel 2"), HasSubstr("2 counts and 2 edges"), HasSubstr("one more")));
  EXPECT_THAT(refusal({{1, 1}, {1}}), AllOf(HasSubstr("panel 2"), HasSubstr("ascend")));
  EXPECT_THAT(refusal({{1, NAN}, {1}}), AllOf(HasSubstr("panel 2"), HasSubstr("finite")));
  EXPECT_THAT(refusal({{1, 2}, {-1}}),
              AllOf(HasSubstr("counts -1 in bin 1"), HasSubstr("least 0")));
  EXPECT_THAT(refusal({{1, 2}, {INFINITY}}), HasSubstr("finite"));
}

TEST(LineFigure, DrawsEverySeriesInALookOfItsOwn) {
  LineFigure figure{.title = "t", .x_label = "weight", .y_label = "RMSE", .log_x = true};
  for (int i = 0; i < 7; ++i) {
    figure.series.push_back({"s" + std::to_string(i), {{1, 1.0 * i}, {10, 2}, {0, 3}}});
  }
  const std::string document = line_figure(figure);
  check_page(document);
  const auto paths = elements_named(document, "path");
  ASSERT_THAT(paths, SizeIs(7));
  std::set<std::string> looks;  // in gray
  for (const auto& path : paths) {
    const auto dashes = path.attributes.find("stroke-dasharray");
    looks.insert(dashes == path.attributes.end() ? "" : dashes->second);
    const std::string& line = path.attributes.at("d");
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 2) << "0 has no place: " << line;
  }
  EXPECT_THAT(looks, SizeIs(7));
  EXPECT_THAT(texts_of(document), ::testing::IsSupersetOf({"s0", "s6", "weight", "RMSE", "t"}));
  EXPECT_THAT(elements_named(document, "desc").at(0).text,
              HasSubstr("RMSE against weight: s0; s1"));
}

TEST(LineFigure, RefusesNothing) {
  EXPECT_THAT(message_of([] { line_figure({}); }), HasSubstr("at least one series"));
}

RC_GTEST_PROP(Figures, StayOnThePageWhateverTheData, (bool log_x, bool log_y)) {
  check_page(line_figure({.title = "t",
                          .x_label = "x",
                          .y_label = "y",
                          .log_x = log_x,
                          .log_y = log_y,
                          .series = {{"a", any_points()}, {"b", any_points()}}}));
  ActivationPanel panel{"t", any_points(), any_points(), any_points(), any_points(), {}};
  if (log_x) panel.received = {{-1e308, -1e101, 0, 5e-324, 1e300}, {1e308, 3, 5e-324, 1e308}};
  check_page(activation_figure({panel, full_panel()}));
}

RC_GTEST_PROP(Figures, BearAnyText, (const std::string& text)) {
  ActivationPanel panel = full_panel();
  panel.title = text;
  check_page(activation_figure({panel}, {text, 1, text, text}));
  check_page(line_figure({text, text, text, false, false, {{text, {{0, 1}}}}}));
  check_page(heat_map_figure({text, text, text, text, {text}, {text}, {1.0}}));
}

}  // namespace
}  // namespace knotwork::figures
