// SPDX-License-Identifier: MIT
#include "cli/output/network_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/options/training_options.hpp"
#include "cli/output/plain_words.hpp"

#include <knotwork/figures.hpp>
#include <knotwork/guarantees.hpp>

namespace knotwork::cli {
namespace {

constexpr std::size_t kScale = 10;   // characters that the scale of a plot takes
constexpr std::size_t kBetween = 2;  // between plots side by side
constexpr std::size_t kInARow = 3;

// "20 splines" or "20 tanh"; only the number, "1", if the activation is the identity.
std::string describe_layer(const Layer& layer) {
  const std::string_view name = layer.activation->name();
  if (name == "identity") return fmt::format("{}", layer.outputs);
  if (name == "spline") return count(layer.outputs, name);
  return fmt::format("{} {}", layer.outputs, name);
}

// The value of the sampled curve between its points.
double value_at(const FigurePoints& curve, double x) {
  const double share = (x - curve.front().x) / (curve.back().x - curve.front().x);
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(curve.size() - 1);
  const auto left = std::min(static_cast<std::size_t>(place), curve.size() - 2);
  return std::lerp(curve[left].y, curve[left + 1].y, place - static_cast<double>(left));
}

std::vector<std::string> draw(const MovedActivation& neuron, std::size_t width,
                              std::size_t height) {
  const auto curve = [](const FigurePoints& points) {
    return [&points](double x) { return value_at(points, x); };
  };
  return plot_curves({{'.', curve(neuron.initial)}, {'*', curve(neuron.learned)}},
                     {neuron.learned.front().x, neuron.learned.back().x, width, height});
}

}  // namespace

std::string describe_network(const Model& model) {
  const Network& network = model.members.front();
  std::string text = count(network.inputs(), "input");
  for (const Layer& layer : network.layers()) text += " - " + describe_layer(layer);
  if (model.members.size() > 1) text += fmt::format(", ensemble of {}", model.members.size());
  return text + ", " + count(count_parameters(model), "parameter");
}

std::size_t count_parameters(const Model& model) {
  return model.members.size() * model.members.front().parameters().size();
}

std::optional<double> bound_on_changes(const Model& model) {
  if (options_of(model).max_slope == 0) return std::nullopt;
  return lipschitz_bound(model.members);
}

std::string describe_bound(const Model& model) {
  const std::optional<double> bound = bound_on_changes(model);
  if (!bound) return "";
  const std::string slopes =
      fmt::format("no spline is steeper than {}; ", options_of(model).max_slope);
  if (std::isinf(*bound)) return slopes + "other activations have no known bound";
  return slopes +
         fmt::format("scaled outputs change by at most {:.4g} times the change of scaled inputs",
                     *bound);
}

std::string neuron_name(const MovedActivation& neuron, const Model& model) {
  const std::string name = fmt::format("{}:{}", neuron.layer + 1, neuron.neuron + 1);
  return model.members.size() == 1 ? name : fmt::format("{}:{}", neuron.member + 1, name);
}

std::vector<std::string> plot_neurons(const std::vector<MovedActivation>& neurons,
                                      const Model& model, std::size_t width) {
  constexpr std::size_t kNarrowest = 12, kWidest = 28, kHeight = 7;
  const std::size_t each = (width + kBetween) / kInARow;
  const std::size_t room = each > kScale + kBetween ? each - kScale - kBetween : 0;
  std::vector<TitledPlot> plots;
  for (const MovedActivation& neuron : neurons) {
    plots.push_back({"neuron " + neuron_name(neuron, model),
                     draw(neuron, std::clamp(room, kNarrowest, kWidest), kHeight)});
  }
  return curves_side_by_side(plots, std::max(width, kScale + kNarrowest));
}

std::vector<std::string> plot_neuron(const MovedActivation& neuron, std::size_t width) {
  constexpr std::size_t kNarrowest = 12, kWidest = 60, kHeight = 15;
  return draw(neuron, std::clamp(width > kScale ? width - kScale : 0, kNarrowest, kWidest),
              kHeight);
}

}  // namespace knotwork::cli
