// SPDX-License-Identifier: MIT
#include <fmt/ranges.h>

#include "export/c/c_parts.hpp"
#include "export/c/c_text.hpp"

#include <knotwork/version.hpp>

namespace knotwork::exporting {
namespace {

constexpr std::string_view kLine = " * ", kDeeper = " *           ";

std::string quoted(const std::string& text) {
  return fmt::format("'{}'", c_comment_text(text));
}

std::string paragraph(const std::string& text) {
  return c_comment_lines(text, kLine, kLine);
}

std::string about_targets(const Model& model) {
  std::vector<std::string> names;
  for (const TargetColumn& target : model.targets) names.push_back(quoted(target.column));
  const std::string list = fmt::format("{}", fmt::join(names, ", "));
  if (model.classifies()) return "the probability of each class of " + list;
  return model.targets.front().quantiles.size() > 1 ? "quantiles of " + list : list;
}

std::string about_network(const Model& model) {
  std::string text = fmt::format("{} inputs", model.inputs.size());
  for (const Layer& layer : model.members.front().layers()) {
    append(text, " - {} {}{}", layer.outputs, layer.activation->name(),
           layer.kind == LayerKind::bank ? " (each of one input)" : "");
  }
  if (model.members.size() > 1) append(text, "; the mean of {} networks", model.members.size());
  return text;
}

std::string about_numbers(const ExportColumn& column) {
  std::string text = quoted(column.name) + ", a number";
  if (column.low <= column.high) {
    append(text, "; from {} to {} in training", column.low, column.high);
  }
  if (column.fill == column.fill) {
    append(text, "; NaN where it is missing, which counts as {}", column.fill);
  } else if (column.indicated) {
    text += "; NaN where it is missing";
  } else {
    text += "; NaN gives NaN";
  }
  return text + ".";
}

std::string inputs_part(const CContext& context) {
  std::string text;
  const std::vector<ExportColumn>& columns = context.columns.columns;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const ExportColumn& column = columns[c];
    const std::string first = fmt::format(" *   {:<8}", fmt::format("in[{}]", c));
    if (!column.text) {
      text += c_comment_lines(about_numbers(column), first, kDeeper);
      continue;
    }
    text += c_comment_lines(
        quoted(column.name) +
            ", a text, by the number of its category; -1 where it is missing or none of these:",
        first, kDeeper);
    for (std::size_t k = 0; k < column.categories.size(); ++k) {
      append(text, "{}{} {}\n", kDeeper, k, quoted(column.categories[k]));
    }
  }
  return text;
}

std::string outputs_part(const CContext& context) {
  std::string text;
  const Model& model = context.model;
  std::size_t k = 0;
  const auto add = [&](const std::string& what) {
    text += c_comment_lines(what, fmt::format(" *   {:<8}", fmt::format("out[{}]", k)), kDeeper);
    ++k;
  };
  for (const TargetColumn& target : model.targets) {
    const std::string column = quoted(target.column);
    for (const std::string& label : target.classes) {
      add("The probability of " + quoted(label) + ".");
    }
    for (const double level : target.quantiles) {
      add(fmt::format("{}, the quantile {}.", column, level));
    }
    if (target.classes.empty() && target.quantiles.empty()) add(column + ".");
  }
  return text;
}

}  // namespace

std::string c_comment(const CContext& context) {
  const Model& model = context.model;
  const std::string& name = context.name;
  std::string text = "/*\n";
  text += paragraph(fmt::format("{}(in, out) predicts {}.", name, about_targets(model)));
  text += paragraph(about_network(model) + ".");
  if (!model.training.data.empty() && !model.training.is_private) {
    text += paragraph("Trained on " + c_comment_text(model.training.data) + ".");
  }
  text += paragraph(fmt::format("Written by Knotwork {} from the parameters {}.",
                                KNOTWORK_VERSION_STRING, model.parameters_sha256()));
  append(text, " *\n");
  text += paragraph(fmt::format("`in` and `out` have the type {}; the network computes in {}.",
                                c_type(context.type), c_type(context.precision)));
  append(text, " *\n * `in` has {}_inputs elements:\n", name);
  text += inputs_part(context);
  append(text, " *\n * `out` has {}_outputs elements{}:\n", name,
         model.classifies() ? "" : ", in the units of the target");
  text += outputs_part(context);
  return text + " */\n";
}

}  // namespace knotwork::exporting
