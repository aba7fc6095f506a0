// SPDX-License-Identifier: MIT
#include <fmt/ranges.h>

#include <algorithm>

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

std::string about_dates(const ExportColumn& column) {
  std::string text = quoted(column.name) + ", a date, in seconds since 1970-01-01 UTC";
  if (column.low <= column.high) {
    append(text, "; from {} to {} in training", short_date(column.low), short_date(column.high));
  }
  const bool may_be_missing = column.filled || column.indicated;
  return text + (may_be_missing ? "; NaN where it is missing." : "; NaN gives NaN.");
}

// Where there are many texts, only the first ones.
std::string about_texts(const CContext& context, std::size_t c, std::string_view first) {
  constexpr std::size_t kMost = 40, kSome = 6;
  const ExportColumn& column = context.columns.columns[c];
  const std::vector<std::string>& texts = column.texts();
  const bool all = texts.size() <= kMost;
  std::string what =
      quoted(column.name) + (column.levels ? ", a text, by its number; -1 for any other text, NaN "
                                             "where it is missing"
                                           : ", a text, by the number of its category; -1 where it "
                                             "is missing or none of these");
  what += all ? ":"
              : fmt::format("; {} texts, which are in {}_texts_{}:", texts.size(), context.name, c);
  std::string text = c_comment_lines(what, first, kDeeper);
  for (std::size_t k = 0; k < (all ? texts.size() : kSome); ++k) {
    append(text, "{}{} {}\n", kDeeper, k, quoted(texts[k]));
  }
  if (!all) append(text, "{}...\n", kDeeper);
  return text;
}

// How the elements of text columns are found.
std::string texts_part(const CContext& context) {
  const std::vector<ExportColumn>& columns = context.columns.columns;
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [](const ExportColumn& column) { return column.text; });
  if (found == columns.end()) return "";
  return " *\n" + paragraph(fmt::format("{0}_text_{1}(text) gives in[{1}] for a text in UTF-8{2}; "
                                        "NULL and \"\" are missing.",
                                        context.name, found - columns.begin(),
                                        std::count_if(columns.begin(), columns.end(),
                                                      [](const ExportColumn& column) {
                                                        return column.text;
                                                      }) > 1
                                            ? ", and so on for the other columns of texts"
                                            : ""));
}

std::string inputs_part(const CContext& context) {
  std::string text;
  const std::vector<ExportColumn>& columns = context.columns.columns;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const ExportColumn& column = columns[c];
    const std::string first = fmt::format(" *   {:<8}", fmt::format("in[{}]", c));
    if (column.text) {
      text += about_texts(context, c, first);
    } else {
      text += c_comment_lines(column.date ? about_dates(column) : about_numbers(column), first,
                              kDeeper);
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
  text += inputs_part(context) + texts_part(context);
  append(text, " *\n * `out` has {}_outputs elements{}:\n", name,
         model.classifies() ? "" : ", in the units of the target");
  text += outputs_part(context);
  return text + " */\n";
}

}  // namespace knotwork::exporting
