// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "report/compact_svg.hpp"
#include "report/html.hpp"
#include "report/model/sections.hpp"
#include "report/wording.hpp"

namespace knotwork::report {
namespace {

constexpr double kManyInTheTails = 0.05;

bool is_spline(const NeuronReport& neuron) {
  return !neuron.control_points.empty();
}

// " + 0.3", " − 0.3"; empty for 0.
std::string added(double value) {
  const std::string size = short_number(std::abs(value));
  if (size == "0") return "";
  return (value < 0 ? " \u2212 " : " + ") + size;
}

std::string formula_of(const ClosestFunction& closest) {
  return fmt::format("{} {}({} s{}){}", short_number(closest.a), closest.name,
                     short_number(closest.b), added(closest.c), added(closest.d));
}

std::string fact(std::string_view name, const std::string& markup) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, markup);
}

std::string facts_of(const NeuronReport& neuron) {
  std::string markup;
  if (neuron.closest) {
    // Rounded down, so that 1 means equal.
    const double r2 = std::floor(neuron.closest->r2 * 1e4) / 1e4;
    markup += fact("closest",
                   fmt::format("{}, R² {}<br/><small>{}</small>", escaped(neuron.closest->name),
                               short_number(r2), escaped(formula_of(*neuron.closest))));
  } else {
    markup += fact("closest", neuron.received.counts.empty()
                                  ? "none (the curve is flat)"
                                  : "none (the curve is flat in the range of the inputs)");
  }
  if (!is_spline(neuron)) markup += fact("activation", escaped(neuron.activation));
  if (!neuron.truth.empty()) markup += fact("true curve", escaped(neuron.truth_name));
  markup += fact("moved", short_number(neuron.moved));
  if (is_spline(neuron) && !neuron.received.counts.empty()) {
    markup +=
        fact("in the tails", escaped(fmt::format("{} left, {} right", percent(neuron.left_tail),
                                                 percent(neuron.right_tail))));
    markup += fact("unused points",
                   fmt::format("{} of {}", neuron.untouched, neuron.control_points.size()));
  }
  return "<dl class=\"facts\">\n" + markup + "</dl>\n";
}

// The name of the input of a bank's unit.
std::string column_of(const ModelReport& report, const NeuronReport& neuron) {
  const Layer& layer = report.model.members[neuron.member].layers()[neuron.layer];
  if (layer.kind != LayerKind::bank || layer.sharing != Sharing::neuron) return "";
  return report.model.inputs[neuron.neuron / (layer.outputs / layer.inputs)].name();
}

std::string tags_of(const ModelReport& report, const NeuronReport& neuron) {
  const auto tag = [](const char* kind, std::string_view text) {
    return fmt::format(" <span class=\"tag {}\">{}</span>", kind, escaped(text));
  };
  std::string tags;
  if (const std::string column = column_of(report, neuron); !column.empty()) {
    tags += tag("column", column);
  }
  if (neuron.dead) tags += tag("warn", "dead");
  if (neuron.left_tail + neuron.right_tail > kManyInTheTails)
    tags += tag("warn", "many in the tails");
  return tags;
}

}  // namespace

std::string card_id(const NeuronReport& neuron) {
  return fmt::format("neuron-{}-{}-{}", neuron.member + 1, neuron.layer + 1, neuron.neuron + 1);
}

std::string neuron_card(const ModelReport& report, const NeuronReport& neuron, std::size_t place) {
  // The name that the program uses: "1:4", in an ensemble "2:1:4".
  const std::string member =
      report.model.members.size() > 1 ? fmt::format("{}:", neuron.member + 1) : "";
  std::string numbers = fmt::format(
      "data-name=\"{}{}:{}\" data-place=\"{}\" data-network=\"{}\" data-layer=\"{}\" "
      "data-moved=\"{:.4g}\" "
      "data-tails=\"{:.4g}\" data-unused=\"{}\"",
      member, neuron.layer + 1, neuron.neuron + 1, place, neuron.member + 1, neuron.layer + 1,
      neuron.moved, neuron.left_tail + neuron.right_tail, neuron.untouched);
  if (neuron.closest) numbers += fmt::format(" data-r2=\"{:.6g}\"", neuron.closest->r2);
  if (neuron.dead) numbers += " data-dead=\"\"";
  return fmt::format(
      "<li class=\"neuron\" id=\"{}\" {}>\n<h3>{}{}</h3>\n{}{}</li>\n", card_id(neuron), numbers,
      escaped(neuron_title(report, neuron)), tags_of(report, neuron),
      figure_with_caption(compact_svg(activation_thumbnail(neuron)), ""), facts_of(neuron));
}

}  // namespace knotwork::report
