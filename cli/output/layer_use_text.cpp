// SPDX-License-Identifier: MIT
#include "cli/output/layer_use_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/output/plain_words.hpp"

namespace knotwork::cli {
namespace {

constexpr double kNotable = 0.05;  // share of the samples in the tails

double in_tails(const LayerUse& layer) {
  return layer.left_tail + layer.right_tail;
}

// "layer 1", in an ensemble "layer 2:1".
std::string name_of(const LayerUse& layer, bool ensemble) {
  return ensemble ? fmt::format("layer {}:{}", layer.member + 1, layer.layer + 1)
                  : fmt::format("layer {}", layer.layer + 1);
}

bool is_ensemble(const std::vector<LayerUse>& layers) {
  return !layers.empty() && layers.back().member > 0;
}

}  // namespace

std::vector<LayerUse> layer_use(const Model& model, const Table& table,
                                std::span<const std::size_t> rows, std::size_t threads,
                                Monitor* monitor) {
  const std::size_t all = rows.empty() ? table.rows() : rows.size();
  const std::size_t taken = std::min(all, kLayerUseRows);
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < taken; ++k) {
    const std::size_t place = k * all / taken;
    chosen.push_back(rows.empty() ? place : rows[place]);
  }
  return knot_use(model, table, chosen, threads, monitor);
}

Json layers_document(const std::vector<LayerUse>& layers) {
  Json list = Json::array();
  for (const LayerUse& layer : layers) {
    Json json = {{"member", layer.member},
                 {"layer", layer.layer},
                 {"input_spread", layer.input_spread},
                 {"spread", layer.output_spread},
                 {"dead", layer.dead}};
    if (layer.splines) {
      json["left_tail"] = layer.left_tail;
      json["right_tail"] = layer.right_tail;
      json["control_points"] = layer.control_points;
      json["untouched"] = layer.untouched;
    }
    json["neurons"] = Json::array();
    for (const NeuronUse& neuron : layer.neurons) {
      Json& own = json["neurons"].emplace_back(Json{{"input_spread", neuron.input_spread},
                                                    {"spread", neuron.output_spread},
                                                    {"dead", neuron.dead}});
      if (!layer.splines) continue;
      own["left_tail"] = neuron.left_tail;
      own["right_tail"] = neuron.right_tail;
      own["untouched"] = neuron.untouched;
    }
    list.push_back(std::move(json));
  }
  return list;
}

std::vector<std::string> describe_layers(const std::vector<LayerUse>& layers) {
  std::vector<std::string> lines;
  for (const LayerUse& layer : layers) {
    std::string line = fmt::format("{}: spread {:.3g} of inputs, {:.3g} of outputs, {} dead",
                                   name_of(layer, is_ensemble(layers)), layer.input_spread,
                                   layer.output_spread, layer.dead);
    if (layer.splines) {
      line += fmt::format(
          "; {:.1f} % left and {:.1f} % right of the knots, {} of {} points untouched",
          100 * layer.left_tail, 100 * layer.right_tail, layer.untouched, layer.control_points);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string describe_trouble(const std::vector<LayerUse>& layers) {
  std::vector<std::string> parts;
  const auto worst = std::max_element(
      layers.begin(), layers.end(),
      [](const LayerUse& a, const LayerUse& b) { return in_tails(a) < in_tails(b); });
  if (worst != layers.end() && in_tails(*worst) > kNotable) {
    parts.push_back(
        fmt::format("{:.0f} % of the inputs of {} are beyond its knots (try --fit-range)",
                    100 * in_tails(*worst), name_of(*worst, is_ensemble(layers))));
  }
  std::size_t dead = 0;
  for (const LayerUse& layer : layers) dead += layer.dead;
  if (dead > 0)
    parts.push_back(fmt::format("{} whose output hardly varies", count(dead, "neuron")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace knotwork::cli
