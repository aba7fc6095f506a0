// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "figures/drawing/test_xml.hpp"
#include "report/figures/model_figures.hpp"
#include "report/figures/thinned.hpp"
#include "report/model/test_reports.hpp"

namespace knotwork::report {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<std::string> names_of(const ModelReport& report) {
  std::vector<std::string> names;
  for (const NamedFigure& figure : report_figures(report)) names.push_back(figure.name);
  return names;
}

TEST(ReportFigures, AreThoseOfThePage) {
  EXPECT_THAT(names_of(regression_report()),
              IsSupersetOf({"objective", "validation", "predicted-against-true", "residuals",
                            "residual-histogram", "importance", "dependence-size",
                            "dependence-place", "network", "activation-1-1", "activation-1-8"}));
  EXPECT_THAT(names_of(classes_report()), IsSupersetOf({"confusion", "reliability"}));
  EXPECT_THAT(names_of(ensemble_report()),
              IsSupersetOf({"objective-networks", "activation-3-1-4"}));
  EXPECT_THAT(names_of(bare_report()), Not(Contains("objective")));
}

TEST(ReportFigures, AreCompleteDocumentsWithNamesForFiles) {
  for (const ModelReport& report : {regression_report(), ensemble_report(), quantiles_report(),
                                    classes_report(), bare_report(), hostile_report()}) {
    const std::vector<std::string> names = names_of(report);
    EXPECT_THAT(names, Each(MatchesRegex("[a-z0-9][a-z0-9-]*")));
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    for (const NamedFigure& figure : report_figures(report)) {
      EXPECT_NO_THROW(figures::check_page(figure.svg)) << figure.name;
    }
  }
}

TEST(ReportFigures, OfColumnsThatLookAlikeHaveNamesOfTheirOwn) {
  ModelReport report = regression_report();
  report.dependence[0].column = "a b";
  report.dependence[1].column = "A.b!";
  EXPECT_THAT(names_of(report), IsSupersetOf({"dependence-a-b", "dependence-a-b-2"}));
}

PageFigure figure_named(const PageFigures& figures, const std::string& name) {
  const auto found = std::find_if(figures.begin(), figures.end(),
                                  [&](const PageFigure& figure) { return figure.name == name; });
  return found == figures.end() ? PageFigure{} : *found;
}

TEST(ReportFigures, OfManyClassesShowThoseWithMostRows) {
  std::vector<std::string> classes;
  for (int k = 0; k < 150; ++k) classes.push_back("kind" + std::to_string(k));
  ModelReport report = classes_report(classes);
  report.check->scores.classes->confusion[149][149] = 4000;
  report.check->reliability[149].bins.back().rows = 4000;
  const PageFigures figures = prediction_figures(report);
  const PageFigure confusion = figure_named(figures, "confusion");
  EXPECT_THAT(confusion.caption, HasSubstr("The figure shows the 40 most frequent of 150 classes"));
  EXPECT_THAT(confusion.svg, HasSubstr("in 40 classes"));
  EXPECT_THAT(confusion.svg, HasSubstr("5872 of"));  // 4000 of the last, 48 of 39 others
  const PageFigure reliability = figure_named(figures, "reliability");
  EXPECT_THAT(reliability.caption,
              HasSubstr("The figure shows the 6 most frequent of 150 classes"));
  EXPECT_THAT(reliability.svg, HasSubstr(">kind149<"));
  EXPECT_THAT(dependence_figures(report).front().caption,
              HasSubstr("The figure shows the means of 6 of 150 predictions."));
  EXPECT_THAT(dependence_figures(classes_report()).front().caption,
              Not(HasSubstr("shows the means")));
  EXPECT_THAT(figure_named(prediction_figures(classes_report()), "confusion").caption,
              Not(HasSubstr("The figure shows")));
}

TEST(ReportFigures, OfManyNetworksSayHowManyAreShown) {
  const PageFigures figures = course_figures(regression_report(4, 0, 8));
  for (const char* name : {"objective-networks", "validation"}) {
    const PageFigure figure = figure_named(figures, name);
    EXPECT_THAT(figure.caption, HasSubstr(" The figure shows 6 of 8 networks.")) << name;
    const auto texts = figures::elements_named(figure.svg, "text");
    EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [](const auto& one) {
      return one.text.find("6 of 8 networks") != std::string::npos;
    })) << name;
  }
  const PageFigure all = figure_named(course_figures(ensemble_report()), "objective-networks");
  EXPECT_THAT(all.svg, HasSubstr(">Objective of the networks<"));
  EXPECT_THAT(all.caption, Not(HasSubstr("The figure shows")));
}

TEST(ReportFigures, LeaveOutDotsOfAFewRowsUnlessThereAreNoOthers) {
  ModelReport report = classes_report();
  const auto dots = [&] {
    return figures::XmlReader::read(figure_named(prediction_figures(report), "reliability").svg)
        .size();
  };
  const std::size_t all = dots();
  for (Reliability& one : report.check->reliability) one.bins.front().rows = 4;
  EXPECT_LT(dots(), all);
  EXPECT_THAT(figure_named(prediction_figures(report), "reliability").caption,
              HasSubstr("Dots of fewer than 5 rows are left out."));
  for (Reliability& one : report.check->reliability) {
    for (ReliabilityBin& bin : one.bins) bin.rows = 4;
  }
  EXPECT_EQ(dots(), all);
  EXPECT_THAT(figure_named(prediction_figures(report), "reliability").caption,
              Not(HasSubstr("left out")));
}

TEST(FileWord, HasNothingThatAFileSystemCouldMind) {
  EXPECT_EQ(file_word("Age (years)"), "age-years");
  EXPECT_EQ(file_word("../etc"), "etc");
  EXPECT_EQ(file_word("höhe"), "h-he");
  EXPECT_EQ(file_word(""), "column");
  EXPECT_EQ(file_word("日本"), "column");
  EXPECT_THAT(file_word(std::string(200, 'x')), SizeIs(40));
}

double value_at(const FigurePoints& curve, double x) {
  std::size_t k = 1;
  while (k + 1 < curve.size() && curve[k].x < x) ++k;
  const FigurePoint &a = curve[k - 1], &b = curve[k];
  return std::lerp(a.y, b.y, (x - a.x) / (b.x - a.x));
}

TEST(Thinned, LooksTheSameWithFewerPoints) {
  for (std::size_t kind = 0; kind < 6; ++kind) {
    FigurePoints curve;
    for (int k = 0; k <= 200; ++k)
      curve.push_back({0.02 * k - 2, sample_curve(kind, 0.02 * k - 2)});
    const auto [low, high] =
        std::minmax_element(curve.begin(), curve.end(),
                            [](const FigurePoint& a, const FigurePoint& b) { return a.y < b.y; });
    const FigurePoints fewer = thinned(curve, 1e-3);
    EXPECT_LT(fewer.size(), 80u);
    for (const FigurePoint& point : curve) {
      EXPECT_NEAR(value_at(fewer, point.x), point.y, 1.0001e-3 * (high->y - low->y)) << kind;
    }
  }
  EXPECT_THAT(thinned({{0, 0}, {1, 1}, {2, 2}}, 0), SizeIs(2));
  EXPECT_THAT(thinned({{0, 0}, {1, NAN}, {2, 2}}, 1), SizeIs(3));
  EXPECT_THAT(thinned({}, 1), SizeIs(0));
}

TEST(ActivationThumbnail, HasRoomForAllSnapshots) {
  NeuronReport neuron = sample_neuron(0, 0, 0, true, 3);
  neuron.course[0].assign(neuron.learned.size(), 40);
  for (const auto& rect : figures::elements_named(activation_thumbnail(neuron), "rect")) {
    const auto extent = rect.attributes.find("data-y");
    if (extent == rect.attributes.end()) continue;
    double low = 0, high = 0;
    ASSERT_EQ(std::sscanf(extent->second.c_str(), "%lf %lf", &low, &high), 2);
    EXPECT_GT(high, 40);
    return;
  }
  FAIL() << "no frame";
}

}  // namespace
}  // namespace knotwork::report
