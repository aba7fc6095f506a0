// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <knotwork/encoding.hpp>

#include "base/fail.hpp"
#include "features/encoding/date_fields.hpp"
#include "table/csv/cell_value.hpp"

namespace knotwork {
namespace {

using csv::shown;
using features::kSecondsOfDay;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostUnseenListed = 5;

bool is_missing(double cell) {
  return std::isnan(cell);
}

void check_no_cell_missing(const Table& table, std::size_t column) {
  const std::vector<double>& cells = table.columns[column];
  const auto missing = std::find_if(cells.begin(), cells.end(), is_missing);
  if (missing == cells.end()) return;
  fail(ErrorKind::bad_data, table.place(static_cast<std::size_t>(missing - cells.begin()), column),
       "the cell is missing, but no cell of this column was missing in training; it needs a "
       "number.");
}

void check_type(const Table& table, std::size_t column, const InputColumn& input) {
  const std::string& name = table.names[column];
  if (!input.reads_text() && table.is_text(column)) {
    const bool is_date = input.kind == InputKind::date;
    fail(ErrorKind::bad_data, table.place(column),
         Hint{.purpose = is_date ? "to read it as dates" : "to read it as numbers",
              .settings = {{is_date ? "date" : "numeric", name}}},
         "the column contains text (such as '{}'), but the model needs {}.",
         shown(table.labels[column].front()), is_date ? "dates" : "numbers");
  }
  if (!input.reads_text() || table.is_text(column)) return;
  const std::vector<double>& cells = table.columns[column];
  if (std::all_of(cells.begin(), cells.end(), is_missing)) return;
  fail(ErrorKind::bad_data, table.place(column),
       Hint{.purpose = "to read it as text", .settings = {{"categorical", name}}},
       "the column contains numbers, but the model needs text.");
}

// The values of a table's labels, which are sorted like the levels of the input.
std::vector<double> values_by_label(const Table& table, std::size_t column,
                                    const InputColumn& input) {
  if (!table.is_text(column)) return {};
  std::vector<double> values;
  values.reserve(table.labels[column].size());
  auto level = input.levels->begin();
  for (const std::string& label : table.labels[column]) {
    // A table with few labels skips many levels at once.
    level = std::lower_bound(level, input.levels->end(), label);
    const bool is_known = level != input.levels->end() && *level == label;
    values.push_back(is_known ? input.values[static_cast<std::size_t>(
                                    level - input.levels->begin())]
                              : input.unseen);
  }
  return values;
}

// The category's index among the labels of its column.
double label_of(const Table& table, std::size_t column, const std::string& category) {
  if (!table.is_text(column)) return kNaN;
  const std::vector<std::string>& labels = table.labels[column];
  const auto found = std::lower_bound(labels.begin(), labels.end(), category);
  if (found == labels.end() || *found != category) return kNaN;
  return static_cast<double>(found - labels.begin());
}

// Marks the labels that are levels of the input.
void mark_known(const std::vector<std::string>& labels, const std::vector<std::string>& levels,
                std::vector<double>& known) {
  for (std::size_t l = 0; l < labels.size(); ++l) {
    if (std::binary_search(levels.begin(), levels.end(), labels[l])) {
      known.push_back(static_cast<double>(l));
    }
  }
}

void count_unseen(EncodingReport::Column& result, const std::vector<double>& cells,
                  const std::vector<std::string>& labels, std::span<const double> known) {
  std::vector<std::size_t> counts(labels.size(), 0);
  for (const double cell : cells) {
    if (!is_missing(cell)) ++counts[static_cast<std::size_t>(cell)];
  }
  for (const double label : known) {
    if (!std::isnan(label)) counts[static_cast<std::size_t>(label)] = 0;
  }
  for (std::size_t l = 0; l < labels.size(); ++l) {
    result.unseen_cells += counts[l];
    if (counts[l] > 0 && result.unseen.size() < kMostUnseenListed) {
      result.unseen.push_back(labels[l]);
    }
  }
}

std::size_t count_outside(const std::vector<double>& cells, double low, double high) {
  if (low > high) return 0;
  return static_cast<std::size_t>(std::count_if(
      cells.begin(), cells.end(), [&](double cell) { return cell < low || cell > high; }));
}

}  // namespace

EncodedTable::EncodedTable(const Table& table, std::span<const InputColumn> inputs)
    : table_(&table), input_columns_(inputs), rows_(table.rows()) {
  table.check();
  readers_.reserve(inputs.size());
  const InputColumn* previous = nullptr;
  std::size_t column = 0;
  for (const InputColumn& input : inputs) {
    // The categories of a column are consecutive inputs; one pass over its cells serves all of
    // them.
    if (!previous || previous->column != input.column || previous->kind != input.kind) {
      column = table.index_of(input.column);
      check_type(table, column, input);
    }
    previous = &input;
    Reader reader = {.column = column,
                     .cells = table.columns[column].data(),
                     .if_missing = 0,
                     .label = kNaN,
                     .kind = input.kind,
                     .part = input.part};
    if (input.kind == InputKind::category) {
      reader.label = label_of(table, column, input.category);
    } else if (input.kind == InputKind::missing) {
      reader.if_missing = 1;
    } else {
      reader.if_missing = input.fill;
      if (std::isnan(input.fill)) check_no_cell_missing(table, column);
      if (input.has_levels()) reader.by_label = values_by_label(table, column, input);
    }
    readers_.push_back(reader);
  }
}

EncodingReport::Column EncodedTable::report_of(std::size_t column) const {
  const std::vector<double>& cells = table_->columns[column];
  EncodingReport::Column result = {.name = table_->names[column], .cells = cells.size()};
  result.missing = static_cast<std::size_t>(std::count_if(cells.begin(), cells.end(), is_missing));
  std::vector<double> known;
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    if (readers_[i].column != column) continue;
    const InputColumn& input = input_columns_[i];
    if (input.kind == InputKind::numeric) {
      result.outside = count_outside(cells, input.low, input.high);
    } else if (input.kind == InputKind::date && input.part == DatePart::elapsed) {
      result.outside = count_outside(cells, input.low * kSecondsOfDay, input.high * kSecondsOfDay);
    } else if (input.kind == InputKind::category) {
      known.push_back(readers_[i].label);
    } else if (input.kind == InputKind::frequency && table_->is_text(column)) {
      mark_known(table_->labels[column], *input.levels, known);
    }
  }
  if (table_->is_text(column)) count_unseen(result, cells, table_->labels[column], known);
  return result;
}

EncodingReport EncodedTable::report() const {
  EncodingReport report;
  std::vector<bool> done(table_->columns.size(), false);
  for (const Reader& reader : readers_) {
    if (done[reader.column]) continue;
    done[reader.column] = true;
    report.columns.push_back(report_of(reader.column));
  }
  return report;
}

}  // namespace knotwork
