// SPDX-License-Identifier: MIT
#include <knotwork/export_model.hpp>

#include <algorithm>
#include <limits>
#include <optional>

#include "base/fail.hpp"

namespace knotwork {
namespace {

constexpr double kSecondsOfDay = 86400;

enum class Cells { numbers, texts, dates };

// What the cells of the input's column must be; nothing for an input that is about missing cells,
// which may be in columns of numbers and of dates.
std::optional<Cells> cells_of(const InputColumn& input) {
  if (input.kind == InputKind::missing) return std::nullopt;
  if (input.kind == InputKind::date) return Cells::dates;
  return input.reads_text() ? Cells::texts : Cells::numbers;
}

const char* in_words(Cells cells) {
  return cells == Cells::numbers ? "numbers" : cells == Cells::texts ? "texts" : "dates";
}

// A column of which the model reads only whether cells are missing.
Cells cells_of_column(const Model& model, const std::string& name) {
  for (const ColumnFormat& format : model.cells.columns) {
    if (format.column == name && format.date) return Cells::dates;
  }
  return Cells::numbers;
}

void add_texts(const InputColumn& input, ExportColumn& column) {
  if (input.kind == InputKind::category) column.categories.push_back(input.category);
  if (input.has_levels()) {
    if (column.levels && column.levels != input.levels && *column.levels != *input.levels) {
      fail(ErrorKind::bad_model,
           "The model cannot be exported: two inputs of column '{}' have different lists of texts.",
           input.column);
    }
    column.levels = input.levels;
  }
  if (column.levels && !column.categories.empty()) {
    fail(ErrorKind::bad_model,
         "The model cannot be exported: some inputs of column '{}' are for one text and others for "
         "a list of texts.",
         input.column);
  }
}

void add_range(const InputColumn& input, ExportColumn& column) {
  if (input.kind == InputKind::numeric) {
    column.fill = input.fill;
    column.low = input.low;
    column.high = input.high;
  } else if (input.kind == InputKind::date) {
    column.filled = input.fill == input.fill;
    if (input.part == DatePart::elapsed) {
      column.low = input.low * kSecondsOfDay;
      column.high = input.high * kSecondsOfDay;
    }
  }
}

}  // namespace

ExportColumns export_columns(const Model& model) {
  ExportColumns result;
  std::vector<std::optional<Cells>> cells;
  for (const InputColumn& input : model.inputs) {
    auto column = std::find_if(result.columns.begin(), result.columns.end(),
                               [&](const ExportColumn& c) { return c.name == input.column; });
    if (column == result.columns.end()) {
      column = result.columns.insert(column, {.name = input.column});
      cells.emplace_back();
    }
    const auto place = static_cast<std::size_t>(column - result.columns.begin());
    const std::optional<Cells> needed = cells_of(input);
    const std::optional<Cells> other = cells[place];
    const bool indicates_texts = input.kind == InputKind::missing && other == Cells::texts;
    if ((needed && other && *needed != *other) || indicates_texts ||
        (needed == Cells::texts && column->indicated)) {
      fail(ErrorKind::bad_model,
           "The model cannot be exported: it reads column '{}' both as {} and as {}.", input.column,
           in_words(other.value_or(Cells::numbers)), in_words(needed.value_or(Cells::numbers)));
    }
    if (needed) cells[place] = needed;
    result.inputs.push_back({.column = place, .category = column->categories.size()});
    if (input.kind == InputKind::missing) column->indicated = true;
    add_texts(input, *column);
    add_range(input, *column);
  }
  for (std::size_t c = 0; c < cells.size(); ++c) {
    ExportColumn& column = result.columns[c];
    const Cells own = cells[c] ? *cells[c] : cells_of_column(model, column.name);
    column.text = own == Cells::texts;
    column.date = own == Cells::dates;
    if (!model.training.is_private) continue;
    column.low = std::numeric_limits<double>::infinity();
    column.high = -column.low;
  }
  return result;
}

}  // namespace knotwork
