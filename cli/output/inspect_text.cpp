// SPDX-License-Identifier: MIT
#include "cli/output/inspect_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "base/quoting.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/network_text.hpp"
#include "cli/output/output.hpp"
#include "cli/output/plain_words.hpp"

#include <knotwork/knots.hpp>
#include <knotwork/model_file.hpp>

namespace knotwork::cli {
namespace {

std::string describe_number(const InputColumn& input) {
  std::string text = fmt::format("number, scaling {}", to_string(input.scaling.kind));
  if (input.low <= input.high) text += fmt::format(", {:.6g} to {:.6g}", input.low, input.high);
  text += std::isnan(input.fill) ? ", missing cells are not allowed"
                                 : fmt::format(", missing counts as {:.6g}", input.fill);
  return text;
}

// "elapsed, year, month, weekday": a pair of a sine and a cosine is one part.
std::string parts_in_words(const std::vector<const InputColumn*>& inputs) {
  std::vector<std::string> parts;
  for (const InputColumn* input : inputs) {
    std::string part(to_string(input->part));
    part.resize(std::min(part.find('_'), part.size()));
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string describe_dates(const std::vector<const InputColumn*>& inputs) {
  constexpr double kSecondsOfDay = 86400;
  std::string text = fmt::format("date, {}", parts_in_words(inputs));
  const auto elapsed = std::find_if(inputs.begin(), inputs.end(), [](const InputColumn* input) {
    return input->part == DatePart::elapsed;
  });
  if (elapsed != inputs.end()) {
    const InputColumn& input = **elapsed;
    text += fmt::format("; scaling {}", to_string(input.scaling.kind));
    if (input.low <= input.high) {
      text += fmt::format(", {} to {}", short_date(input.low * kSecondsOfDay),
                          short_date(input.high * kSecondsOfDay));
    }
  }
  const auto is_never_missing = [](const InputColumn* input) { return std::isnan(input->fill); };
  const bool may_be_missing = std::none_of(inputs.begin(), inputs.end(), is_never_missing);
  if (!may_be_missing) return text + "; missing cells are not allowed";
  if (elapsed == inputs.end()) return text;
  return text + "; missing counts as " + short_date((*elapsed)->fill * kSecondsOfDay);
}

// "mean of price -3.1 ('a') to 4 ('b'), other texts 0.5"
std::string describe_mean(const InputColumn& input) {
  const auto [low, high] = std::minmax_element(input.values.begin(), input.values.end());
  const auto text_of = [&](auto value) {
    return shown((*input.levels)[static_cast<std::size_t>(value - input.values.begin())]);
  };
  return fmt::format("mean of {} {:.6g} ('{}') to {:.6g} ('{}'), other texts {:.6g}",
                     input.category, *low, text_of(low), *high, text_of(high), input.unseen);
}

std::string describe_frequency(const InputColumn& input) {
  const auto [low, high] = std::minmax_element(input.values.begin(), input.values.end());
  return fmt::format("frequency {:.0f} to {:.0f} rows", std::expm1(*low), std::expm1(*high));
}

std::string describe_levels(const std::vector<const InputColumn*>& inputs) {
  constexpr std::size_t kMostMeans = 3;
  std::string text = fmt::format("text, {} texts", inputs.front()->levels->size());
  std::size_t means = 0;
  for (const InputColumn* input : inputs) {
    if (input->kind == InputKind::frequency) {
      text += "; " + describe_frequency(*input);
    } else if (means++ < kMostMeans) {
      text += "; " + describe_mean(*input);
    }
  }
  if (means > kMostMeans) text += fmt::format("; {} more means", means - kMostMeans);
  return text;
}

// One line for each column of a table, even if the column has several inputs.
Lines describe_inputs(const Model& model) {
  constexpr std::size_t kMostTexts = 6;
  Lines lines;
  for (std::size_t first = 0, end = 0; first < model.inputs.size(); first = end) {
    const std::string& column = model.inputs[first].column;
    std::string what;
    std::vector<std::string> texts;
    std::vector<const InputColumn*> dates, levels;
    bool marked = false;
    for (; end < model.inputs.size() && model.inputs[end].column == column; ++end) {
      const InputColumn& input = model.inputs[end];
      if (input.kind == InputKind::numeric) what = describe_number(input);
      if (input.kind == InputKind::category) texts.push_back("'" + input.category + "'");
      if (input.kind == InputKind::missing) marked = true;
      if (input.kind == InputKind::date) dates.push_back(&input);
      if (input.has_levels()) levels.push_back(&input);
    }
    if (!dates.empty()) what = describe_dates(dates);
    if (!levels.empty()) what = describe_levels(levels);
    if (!texts.empty()) {
      what = fmt::format("text, one input for each of {}: {}", texts.size(),
                         listed(texts, kMostTexts));
    }
    if (marked) what += what.empty() ? "1 where the cell is missing" : " and has a separate input";
    lines.push_back(column + ": " + what);
  }
  return lines;
}

Lines describe_targets(const Model& model) {
  Lines lines;
  for (const TargetColumn& target : model.targets) {
    if (!target.classes.empty()) {
      lines.push_back(fmt::format("{}: {} classes: {}", target.column, target.classes.size(),
                                  fmt::join(target.classes, ", ")));
      continue;
    }
    lines.push_back(fmt::format("{}: scaling {}", target.column, to_string(target.scaling.kind)));
    if (!target.quantiles.empty()) {
      lines.back() += fmt::format(", quantiles {}", fmt::join(target.quantiles, ", "));
    }
  }
  return lines;
}

// The knots of a layer's curves, and how many curves are straight.
std::vector<std::string> describe_knots(const Network& network, std::size_t l) {
  constexpr double kStraight = 1e-6;  // curvature, relative to the largest control point
  const SplineLayer layer(network, l);
  double low = HUGE_VAL, high = -HUGE_VAL;
  std::size_t straight = 0, inner = 0;
  for (std::size_t c = 0; c < layer.curves(); ++c) {
    const Knots knots = layer.knots(c);
    low = std::min(low, knots.first);
    high = std::max(high, knots.first + knots.step * static_cast<double>(knots.count - 1));
    const std::span<const double> q = layer.control_points(c);
    double largest = 0;
    for (const double point : q) largest = std::max(largest, std::fabs(point));
    for (std::size_t k = 1; k + 1 < q.size(); ++k, ++inner) {
      if (std::fabs(q[k - 1] - 2 * q[k] + q[k + 1]) <= kStraight * largest) ++straight;
    }
  }
  std::vector<std::string> texts = {fmt::format(
      "{} knots {} {:.4g} {} {:.4g}", layer.knots(0).count, layer.curves() > 1 ? "between" : "from",
      low, layer.curves() > 1 ? "and" : "to", high)};
  if (straight > 0) texts.push_back(fmt::format("{} of {} knots straight", straight, inner));
  return texts;
}

Lines describe_layers(const Model& model, std::size_t width) {
  Lines lines;
  const Network& network = model.members.front();
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    const Layer& layer = network.layers()[l];
    std::vector<std::string> settings;
    const bool splines = SplineLayer::has_splines(network, l);
    if (splines) settings = describe_knots(network, l);
    for (const auto& [name, value] : layer.activation->settings()) {
      if (splines && (name == "knots" || name == "range")) continue;
      settings.push_back(
          std::visit([&](const auto& typed) { return fmt::format("{} {}", name, typed); }, value));
    }
    if (layer.kind == LayerKind::dense) {
      const std::span<const double> weights =
          network.values(network.tensor(fmt::format("layers.{}.weight", l)));
      const auto zeros = std::count(weights.begin(), weights.end(), 0.0);
      if (zeros > 0) {
        settings.push_back(fmt::format("{} of {} weights are 0", zeros, weights.size()));
      }
    }
    lines.push_back(
        fmt::format("{} -> {}, {}", layer.inputs, layer.outputs, layer.activation->name()));
    for (const std::string& line : flow(settings, width - 2)) lines.push_back("  " + line);
  }
  return lines;
}

Lines describe_neurons(const Model& model) {
  Lines lines;
  for (const MovedActivation& neuron : moved_activations(model)) {
    const auto [low, high] =
        std::minmax_element(neuron.control_points.begin(), neuron.control_points.end(),
                            [](const auto& a, const auto& b) { return a.y < b.y; });
    lines.push_back(fmt::format("{}: moved {:.4f}, control points from {:.4g} to {:.4g}",
                                neuron_name(neuron, model), neuron.distance, low->y, high->y));
  }
  return lines;
}

}  // namespace

Lines section(const std::string& heading, const Lines& lines) {
  Lines text;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    text.push_back(fmt::format("{:<{}}{}", k == 0 ? heading : "", kIndent, lines[k]));
  }
  return text;
}

std::optional<std::uintmax_t> size_of_file(const std::string& path) {
  std::error_code is_a_pipe;
  const std::uintmax_t bytes = std::filesystem::file_size(path, is_a_pipe);
  return is_a_pipe ? std::nullopt : std::optional(bytes);
}

Lines describe_model(const Model& model, const std::string& path, std::size_t width) {
  const Summary& summary = model.training;
  const std::size_t room = width > 2 * kIndent ? width - kIndent : kIndent;
  Lines text;
  const auto add = [&](const char* heading, const Lines& lines) {
    add_lines(text, section(heading, lines));
  };
  const std::optional<std::uintmax_t> bytes = size_of_file(path);
  add("file", {fmt::format("{} ({}format {}, written by version {})", path,
                           bytes ? fmt::format("{} bytes, ", *bytes) : "",
                           model_format(model), summary.version)});
  add("network", {fmt::format("{}, {}", describe_network(model), to_string(model.precision))});
  add("layers", describe_layers(model, room));
  const std::string bound = describe_bound(model);
  if (!bound.empty()) add("bounds", {bound});
  add("inputs", describe_inputs(model));
  add("targets", describe_targets(model));
  add("training", {fmt::format("{}, {} of {}, stopped {}", duration(summary.seconds),
                               count(summary.iterations, "iteration"), summary.optimizer,
                               in_words(summary.reason))});
  if (summary.train) add("train", {describe(*summary.train)});
  if (summary.validation) add("validation", {describe(*summary.validation)});
  if (summary.test) add("test", {describe(*summary.test)});
  std::vector<std::string> options;
  for (const auto& [name, value] : summary.options) {
    if (!value.empty()) options.push_back(name + " " + value);
  }
  add("options", flow(options, room));
  if (summary.is_private) {
    add("private", {"the name of the training table, the ranges of its columns,",
                    "the remarks and the hash of its rows were left out"});
  }
  add("remarks", remark_texts(summary.remarks));
  add("neurons", describe_neurons(model));
  return text;
}

}  // namespace knotwork::cli
