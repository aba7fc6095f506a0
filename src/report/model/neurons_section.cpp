// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "figures/drawing/legend.hpp"
#include "parallel/watched_work.hpp"
#include "report/compact_svg.hpp"
#include "report/html.hpp"
#include "report/model/sections.hpp"
#include "report/wording.hpp"

namespace knotwork::report {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;  // value and text

std::string choice(std::string_view id, std::string_view label, const Options& options) {
  std::string markup =
      fmt::format("<p><label for=\"{0}\">{1}</label> <select id=\"{0}\">", id, escaped(label));
  for (const auto& [value, text] : options) {
    markup += fmt::format("<option value=\"{}\">{}</option>", escaped(value), escaped(text));
  }
  return markup + "</select></p>\n";
}

std::string tick_box(std::string_view id, std::string_view label) {
  return fmt::format("<p><label><input type=\"checkbox\" id=\"{}\"/> {}</label></p>\n", id,
                     escaped(label));
}

template <class Holds>
bool any_neuron(const ModelReport& report, const Holds& holds) {
  return std::any_of(report.neurons.begin(), report.neurons.end(), holds);
}

bool has_control_points(const ModelReport& report) {
  return any_neuron(report, [](const NeuronReport& one) { return !one.control_points.empty(); });
}

// There are so many neurons that the order of the model would hide the interesting ones.
bool farthest_first(const ModelReport& report) {
  constexpr std::size_t kMany = 12;
  return report.neurons.size() > kMany &&
         any_neuron(report, [](const NeuronReport& one) { return one.moved > 0; });
}

// Only orders that can make a difference; the current order of the cards comes first.
std::string sort_choice(const ModelReport& report) {
  const auto some = [&](const auto& holds) { return any_neuron(report, holds); };
  Options options = {{"place", "order of the model"}};
  if (some([](const NeuronReport& one) { return one.moved > 0; })) {
    options.emplace_back("moved", "moved farthest");
    if (farthest_first(report)) std::swap(options[0], options[1]);
  }
  const bool rows = some([](const NeuronReport& one) { return !one.received.counts.empty(); });
  if (rows && has_control_points(report)) {
    options.emplace_back("tails", "most in the tails");
    options.emplace_back("unused", "most unused points");
  }
  if (some([](const NeuronReport& one) { return one.closest.has_value(); })) {
    options.emplace_back("r2", "most like a known function");
    options.emplace_back("-r2", "least like a known function");
  }
  if (report.model.members.size() > 1) options.emplace_back("layer", "layer");
  return choice("sort", "Sort by", options);
}

std::string network_choice(const ModelReport& report) {
  std::set<std::size_t> members;
  for (const NeuronReport& neuron : report.neurons) members.insert(neuron.member + 1);
  if (members.size() < 2) return "";
  Options options = {{"", "all networks"}};
  for (const std::size_t member : members) {
    options.emplace_back(std::to_string(member), fmt::format("network {}", member));
  }
  return choice("network-filter", "Network", options);
}

std::string layer_choice(const ModelReport& report) {
  std::set<std::size_t> layers;
  for (const NeuronReport& neuron : report.neurons) layers.insert(neuron.layer + 1);
  if (layers.size() < 2) return "";
  Options options = {{"", "all layers"}};
  const std::size_t last = report.model.members.front().layers().size();
  for (const std::size_t layer : layers) {
    options.emplace_back(std::to_string(layer),
                         layer == last ? "output layer" : fmt::format("layer {}", layer));
  }
  return choice("layer-filter", "Layer", options);
}

std::string controls(const ModelReport& report) {
  std::string markup =
      "<form class=\"controls\" id=\"controls\" hidden=\"\" aria-label=\"Sort and filter neurons\">"
      "\n" +
      sort_choice(report) + network_choice(report) + layer_choice(report) +
      "<p><label for=\"text-filter\">Contains</label> <input type=\"search\" id=\"text-filter\" "
      "placeholder=\"e.g. tanh\" autocomplete=\"off\"/></p>\n";
  if (!report.data.empty()) {
    if (has_control_points(report)) {
      markup += tick_box("tails-filter", "only neurons with more than 5 % in the tails");
    }
    markup += tick_box("dead-filter", "only dead");
  }
  return markup + "<p id=\"shown\" role=\"status\"></p>\n</form>\n";
}

std::string player() {
  return "<div class=\"player\" id=\"player\" hidden=\"\" role=\"group\" "
         "aria-label=\"How the activations formed\">\n"
         "<button type=\"button\" id=\"play\">Play</button>\n"
         "<label for=\"time\">How the activations formed</label>\n"
         "<input type=\"range\" id=\"time\" min=\"0\" max=\"0\" value=\"0\"/>\n"
         "<output id=\"time-text\" for=\"time\"></output>\n</div>\n";
}

std::string legend(const ModelReport& report) {
  std::vector<ActivationPanel> panels;
  for (const NeuronReport& neuron : report.neurons) panels.push_back(panel_of(neuron));
  std::string markup = "<ul class=\"legend\">\n";
  for (const figures::LegendEntry& entry : figures::activation_legend(panels)) {
    constexpr double kHeight = 18;
    figures::Svg svg(figures::LegendEntry::kWidth, kHeight, entry.name, "");
    entry.draw(svg, 0, kHeight / 2);
    markup +=
        fmt::format("<li>{}{}</li>\n", compact_svg(std::move(svg).finish()), escaped(entry.name));
  }
  return markup + "</ul>\n";
}

std::string introduction(const ModelReport& report) {
  std::string text =
      "Every card is one learned activation: the neuron's output (vertical) for its input "
      "(horizontal).";
  if (!report.data.empty()) text += " The gray bars are a histogram of its inputs.";
  if (has_control_points(report)) {
    text +=
        " The outermost control points are off the curve because they only shape its ends: the "
        "curve is drawn between the second and the second-to-last control point, and its tails "
        "continue it on both sides.";
    if (!report.data.empty()) text += " Points that no row touches are not determined by the data.";
  }
  text +=
      " The closest known function only describes the curve; the network uses the curve itself.";
  return paragraph(text);
}

std::string how_many(const ModelReport& report) {
  if (report.neurons.size() >= report.neurons_in_all) return "";
  return fmt::format("<p class=\"note\">The page shows {} of {} learned activations.</p>\n",
                     report.neurons.size(), report.neurons_in_all);
}

std::vector<std::size_t> order_of_cards(const ModelReport& report) {
  std::vector<std::size_t> order(report.neurons.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!farthest_first(report)) return order;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return report.neurons[a].moved > report.neurons[b].moved;
  });
  return order;
}

}  // namespace

std::string neurons_section(const ModelReport& report, Monitor* monitor) {
  if (report.neurons.empty()) return "";
  parallel::WatchedWork work(monitor, Phase::writing, static_cast<double>(report.neurons.size()));
  const std::string data = snapshot_data(report);
  std::string markup = introduction(report) + how_many(report);
  markup +=
      "<p class=\"note\" id=\"without-script\">Sorting, filtering, the cursor and the slider need "
      "JavaScript; the figures do not.</p>\n";
  markup += controls(report);
  if (!data.empty()) markup += player();
  markup += legend(report);
  markup += "<ol class=\"neurons\" id=\"neuron-list\">\n";
  for (const std::size_t k : order_of_cards(report)) {
    markup += neuron_card(report, report.neurons[k], k);
    work.advance();
  }
  markup += "</ol>\n" + data;
  return section("neurons", "What the neurons learned", markup);
}

}  // namespace knotwork::report
