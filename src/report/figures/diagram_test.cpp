// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/drawing/test_xml.hpp"
#include "report/figures/diagram_nodes.hpp"
#include "report/figures/model_figures.hpp"
#include "report/model/test_reports.hpp"

namespace knotwork::report {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;

std::shared_ptr<const Activation> identity() {
  return builtin_activations().at("identity").make({});
}

std::span<double> weights(Network& network, std::size_t l) {
  return network.values(network.tensor(fmt::format("layers.{}.weight", l)));
}

std::vector<std::string> texts_of(const PageFigure& figure) {
  std::vector<std::string> texts;
  for (const auto& text : figures::elements_named(figure.svg, "text")) texts.push_back(text.text);
  return texts;
}

TEST(ShownNodes, AreThoseWithTheLargestWeightsInTheirOrder) {
  Network network({{3, 5, identity()}, {5, 4, identity()}});
  const std::vector<double> in = {0, 1, -3,  // weights to the first node
                                  0, 0, 0,  0, 2, 0, 0, 0, 0, 0, 0, 0};
  std::copy(in.begin(), in.end(), weights(network, 0).begin());
  // An output depends strongly on neurons 4 and 1; -7 is as strong as 7.
  weights(network, 1)[3] = -7;
  weights(network, 1)[2 * 5 + 0] = 5;
  weights(network, 1)[1] = 1;
  EXPECT_THAT(shown_nodes(network, 2),
              ElementsAre(ElementsAre(1, 2), ElementsAre(0, 3), ElementsAre(0, 1)));
  EXPECT_THAT(shown_nodes(network, 12), ElementsAre(SizeIs(3), SizeIs(5), SizeIs(4)));
  weights(network, 1)[2] = NAN;
  EXPECT_THAT(shown_nodes(network, 1)[1], ElementsAre(3));
}

TEST(ShownNodes, OfABankEveryInputHasItsStrongestSpline) {
  Network network({{4, 12, make_spline_activation(), LayerKind::bank}, {12, 1, identity()}});
  const std::vector<double> out = {1, 2, 1, 0, 0, 0, 9, 8, 7, 0, 0, 3};
  std::copy(out.begin(), out.end(), weights(network, 1).begin());
  const auto shown = shown_nodes(network, 3);
  EXPECT_THAT(shown[0], ElementsAre(0, 2, 3));
  EXPECT_THAT(shown[1], ElementsAre(1, 6, 11)) << "not the three of the strongest input";
  EXPECT_THAT(shown_nodes(network, 5)[1], ElementsAre(1, 3, 6, 7, 11));
}

TEST(Diagram, DrawsTheNeuronsThatDoTheWorkAndSaysSo) {
  ModelReport report = regression_report(20);
  for (double& weight : weights(report.model.members.front(), 1)) weight = 0;
  weights(report.model.members.front(), 1)[19] = 4;
  const PageFigure figure = diagram(report);
  EXPECT_THAT(figure.caption,
              HasSubstr("The figure shows only the 12 strongest of 20 nodes of layer 1;"));
  EXPECT_THAT(texts_of(figure), Contains("+8 more"));
  EXPECT_THAT(diagram(regression_report()).caption, Not(HasSubstr("The figure shows")));
}

TEST(Diagram, LargeLayersAreNotCopied) {
  ModelReport report = regression_report(3000);
  report.model.members = {make_network({4, 3000, 3000, 1}, make_spline_activation(), identity())};
  report.model.members.front().initialize(1);
  const PageFigure figure = diagram(report);
  EXPECT_THAT(figures::elements_named(figure.svg, "circle"), SizeIs(4 + 12 + 12 + 1));
  EXPECT_THAT(
      figure.caption,
      HasSubstr(
          "the 12 strongest of 3000 nodes of layer 1, the 12 strongest of 3000 nodes of layer 2"));
}

TEST(Diagram, NamesOutputsByWhatTellsThemApart) {
  EXPECT_THAT(texts_of(diagram(classes_report())),
              IsSupersetOf({"setosa", "versicolor", "virginica", "place = north"}));
  EXPECT_THAT(texts_of(diagram(classes_report({"no", "yes"}))),
              AllOf(Contains("yes"), Not(Contains("no"))));
  EXPECT_THAT(texts_of(diagram(quantiles_report())),
              IsSupersetOf({"quantile 0.05", "quantile 0.5", "quantile 0.95"}));
}

}  // namespace
}  // namespace knotwork::report
