// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "figures/test_figures.hpp"

namespace knotwork::figures {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;

// 2-2-1, with curves in the middle.
NetworkFigure small() {
  NetworkFigure figure{.title = "t"};
  figure.layers = {
      {"inputs", {"a<b", "age"}},
      {"hidden", {"", ""}, {{1, -0.1}, {0, NAN}}, {{{0, 0}, {1, 1}}, {{0, 1}, {1, 0}}}},
      {"output", {"price"}, {{2, 2}}}};
  return figure;
}

NetworkFigure of_sizes(const std::vector<std::size_t>& sizes) {
  NetworkFigure figure;
  for (const std::size_t size : sizes) {
    NetworkLayer layer{"layer", std::vector<std::string>(size, "node")};
    if (!figure.layers.empty()) {
      layer.weights.assign(size, std::vector<double>(figure.layers.back().nodes.size(), 1));
    }
    figure.layers.push_back(layer);
  }
  return figure;
}

std::vector<Element> stroked(const std::string& document, const std::string& colour) {
  return with_attribute(elements_named(document, "path"), "stroke", colour);
}

TEST(NetworkFigure, ShowsNodesNamesAndCurves) {
  const std::string document = network_figure(small());
  check_page(document);
  const auto nodes = elements_named(document, "circle");
  ASSERT_THAT(nodes, SizeIs(5));
  EXPECT_EQ(nodes[0].attributes.at("cx"), nodes[1].attributes.at("cx"));
  EXPECT_LT(number_of(nodes[1], "cx"), number_of(nodes[2], "cx"));
  EXPECT_GT(number_of(nodes[2], "r"), number_of(nodes[0], "r"));
  EXPECT_THAT(texts_of(document), IsSupersetOf({"a&lt;b", "age", "price", "inputs", "hidden",
                                                "output", "weight above 0", "weight below 0"}));
  EXPECT_THAT(stroked(document, "#12355b"), SizeIs(2 + 1)) << "two curves and a strong line";
  EXPECT_EQ(description_of(document),
            "A network from left to right: inputs, 2 nodes; hidden, 2 nodes; output, 1 node. "
            "Within a layer, larger weights have broader lines.");
}

TEST(NetworkFigure, LinesAreAsStrongAsWeightsAndDashedBelowZero) {
  const std::string document = network_figure(small());
  // Within the first layer, 1 is the largest weight; 0 and NaN are not drawn. In the second layer
  // both weights are equal.
  const auto strong = stroked(document, "#12355b").at(0), weak = stroked(document, "#f3ddd0").at(0);
  EXPECT_GT(number_of(strong, "stroke-width"), 2 * number_of(weak, "stroke-width"));
  EXPECT_FALSE(strong.attributes.contains("stroke-dasharray"));
  EXPECT_TRUE(weak.attributes.contains("stroke-dasharray"));
  EXPECT_THAT(beginnings({strong}), SizeIs(1));
  EXPECT_THAT(beginnings({weak}), SizeIs(1));
  EXPECT_THAT(beginnings(stroked(document, "#7f9ab8")), SizeIs(2));
  // From the right end of "a<b" to the left end of the first neuron.
  const auto nodes = elements_named(document, "circle");
  const FigurePoint begin = beginnings({strong}).at(0);
  EXPECT_NEAR(begin.x, number_of(nodes[0], "cx") + number_of(nodes[0], "r"), 0.01);
  EXPECT_NEAR(begin.y, number_of(nodes[0], "cy"), 0.01);
}

TEST(NetworkFigure, LegendHasOnlyWhatOccurs) {
  EXPECT_THAT(texts_of(network_figure(of_sizes({2, 1}))),
              AllOf(Contains("weight above 0"), Not(Contains("weight below 0"))));
  EXPECT_THAT(texts_of(network_figure(of_sizes({2}))), Not(Contains(HasSubstr("weight"))));
}

TEST(NetworkFigure, CountsWhatItDoesNotDraw) {
  NetworkFigure figure = of_sizes({30, 200, 1});
  const std::string document = network_figure(figure);
  check_page(document);
  EXPECT_THAT(elements_named(document, "circle"), SizeIs(12 + 12 + 1));
  EXPECT_THAT(beginnings(elements_named(document, "path")), SizeIs(12 * 12 + 12));
  EXPECT_THAT(texts_of(document), IsSupersetOf({"+18 more", "+188 more"}));
  EXPECT_LT(document.size(), 12000u);
  EXPECT_THAT(description_of(document), HasSubstr("200 nodes"));
  figure.most_nodes = 200;
  const std::string all = network_figure(figure);
  EXPECT_THAT(elements_named(all, "circle"), SizeIs(231));
  EXPECT_THAT(texts_of(all), Not(Contains(HasSubstr("more"))));
}

TEST(NetworkFigure, CountsNodesThatWereNotHandedOver) {
  NetworkFigure figure = of_sizes({3, 12, 1});
  figure.layers[1].nodes_in_all = 4096;
  const std::string document = network_figure(figure);
  EXPECT_THAT(elements_named(document, "circle"), SizeIs(3 + 12 + 1));
  EXPECT_THAT(texts_of(document), Contains("+4084 more"));
  EXPECT_THAT(description_of(document), HasSubstr("4096 nodes"));
}

TEST(NetworkFigure, LinesAreInProportionToTheLargestThatIsDrawn) {
  NetworkFigure figure = of_sizes({1, 3});
  figure.most_nodes = 2;
  figure.layers[1].weights = {{1}, {0.1}, {-1000}};
  const std::string document = network_figure(figure);
  EXPECT_THAT(stroked(document, "#12355b"), SizeIs(1));
  EXPECT_THAT(texts_of(document), Not(Contains("weight below 0")));
}

TEST(NetworkFigure, LongNamesCanBeToldApartByTheirEnds) {
  NetworkFigure figure = of_sizes({2, 1});
  const std::string beginning = "occupation of the person that answered = ";
  figure.layers[0].nodes = {beginning + "farmer", beginning + "sailor"};
  const std::vector<std::string> texts = texts_of(network_figure(figure));
  EXPECT_THAT(texts, IsSupersetOf<::testing::Matcher<std::string>>(
                         {AllOf(HasSubstr("occup"), EndsWith("farmer")), EndsWith("sailor")}));
}

TEST(NetworkFigure, IsNarrowUnlessThereAreManyLayers) {
  for (const auto& sizes : std::vector<std::vector<std::size_t>>{
           {8, 5, 1}, {6, 4, 1}, {10, 64, 64, 3}, {30, 200, 1}, {1}, {5, 5, 5, 5, 5, 5, 1}}) {
    const std::string document = network_figure(of_sizes(sizes));
    check_page(document);
    EXPECT_LE(number_of(elements_named(document, "svg").at(0), "width"), 480.1);
  }
}

TEST(NetworkFigure, CurvesOfManyPointsAreThinnedButKeepTheirEnds) {
  const auto path = [](std::size_t count) {
    NetworkFigure figure = of_sizes({1});
    FigurePoints curve;
    for (std::size_t i = 0; i < count; ++i) curve.push_back({static_cast<double>(i), 0});
    figure.layers[0].curves = {curve};
    return elements_named(network_figure(figure), "path").at(0).attributes.at("d");
  };
  const std::string full = path(20), thinned = path(1001);
  EXPECT_EQ(std::count(full.begin(), full.end(), ','), 20);
  EXPECT_LE(std::count(thinned.begin(), thinned.end(), ','), 26);
  EXPECT_EQ(full.substr(full.rfind('L')), thinned.substr(thinned.rfind('L')));
}

TEST(NetworkFigure, RefusesWhatDoesNotFitTogether) {
  const auto refusal = [](auto change) {
    NetworkFigure figure = small();
    change(figure);
    return message_of([&] { network_figure(figure); });
  };
  using Figure = NetworkFigure&;
  EXPECT_THAT(refusal([](Figure f) { f.layers.clear(); }), HasSubstr("needs layers"));
  EXPECT_THAT(refusal([](Figure f) { f.most_nodes = 0; }), HasSubstr("at least 1"));
  EXPECT_THAT(refusal([](Figure f) { f.layers[0].nodes.clear(); }), HasSubstr("Layer 1"));
  EXPECT_THAT(refusal([](Figure f) { f.layers[1].curves.pop_back(); }),
              HasSubstr("2 nodes and 1 curves"));
  EXPECT_THAT(refusal([](Figure f) { f.layers[1].weights.pop_back(); }),
              AllOf(HasSubstr("layer 2"), HasSubstr("its 2 nodes")));
  EXPECT_THAT(refusal([](Figure f) { f.layers[2].weights[0].pop_back(); }),
              AllOf(HasSubstr("layer 3"), HasSubstr("each of the 2 nodes of the layer before")));
  EXPECT_THAT(refusal([](Figure f) { f.layers[0].weights = {{}, {}}; }), HasSubstr("layer 1"));
}

RC_GTEST_PROP(NetworkFigure, StaysOnThePageWhateverTheData, (const std::string& text)) {
  const auto sizes = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(1, 16)));
  NetworkFigure figure = of_sizes(sizes);
  figure.title = text;
  figure.most_nodes = *rc::gen::inRange<std::size_t>(1, 16);
  for (NetworkLayer& layer : figure.layers) {
    layer.name = text;
    layer.nodes.assign(layer.nodes.size(), text);
    for (auto& row : layer.weights) row[0] = *any_number();
    if (*rc::gen::arbitrary<bool>()) layer.curves.assign(layer.nodes.size(), any_points());
  }
  check_page(network_figure(figure));
}

}  // namespace
}  // namespace knotwork::figures
