// SPDX-License-Identifier: MIT
#include <knotwork/encoding.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <knotwork/named_table.hpp>

#include "base/fail.hpp"
#include "data/csv_disguise.hpp"
#include "data/csv_text.hpp"

namespace knotwork {
namespace {

using csv::shown;
using csv::shown_option;

// Two numbers that rise by one are no sign of anything.
constexpr std::size_t kFewestRowNumbers = 3;

constexpr std::array<std::pair<InputKind, std::string_view>, 3> kNames{
    {{InputKind::numeric, "numeric"},
     {InputKind::category, "category"},
     {InputKind::missing, "missing"}}};

// Of at least one value, which it reorders.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

class Fit {
 public:
  Fit(const Table& table, std::span<const std::size_t> rows, std::span<const std::string> keep)
      : table_(table), rows_(rows), keep_(keep) {}

  void add(std::size_t column) {
    if (table_.is_text(column)) {
      add_text(column);
    } else {
      add_numbers(column);
    }
  }

  Encoding finish() {
    if (!encoding_.inputs.empty()) return std::move(encoding_);
    if (first_reason_.empty()) {
      fail(ErrorKind::bad_data, "There is no column of {} for an input; at least one is needed.",
           table_.source);
    }
    fail(ErrorKind::bad_data,
         "No column of {} can be an input ({}); at least one must differ from row to row.",
         table_.source, first_reason_);
  }

 private:
  void add_numbers(std::size_t column) {
    const std::vector<double>& cells = table_.columns[column];
    InputColumn input = {.column = table_.names[column]};
    std::vector<double> values;
    values.reserve(rows_.size());
    for (const std::size_t row : rows_) {
      const double cell = cells[row];
      if (std::isnan(cell)) continue;
      if (std::isinf(cell)) {
        fail(ErrorKind::bad_data, "The number in {} is {}; it must be finite.",
             table_.where(row, column), cell);
      }
      input.low = std::min(input.low, cell);
      input.high = std::max(input.high, cell);
      values.push_back(cell);
    }
    const auto rows = static_cast<double>(rows_.size());
    const std::size_t missing = rows_.size() - values.size();
    const bool indicate = static_cast<double>(missing) > kMissingIndicatorShare * rows;
    if (values.empty()) {
      leave_out(column, "it has no value in any training row");
      return;
    }
    if (input.low < input.high) {
      if (looks_like_row_numbers(cells)) {
        remark("Column '{}' looks like a row number; {} leaves it out.", shown(input.column),
               shown_option("--drop", input.column));
      }
      input.fill = median_of(values);
      encoding_.inputs.push_back(input);
    } else if (indicate) {
      remark(
          "Column '{}' is the same in every training row that has it; only whether it is missing "
          "became an input.",
          shown(input.column));
    } else {
      leave_out(column, "it is the same in every training row");
    }
    if (indicate) {
      encoding_.inputs.push_back({.column = input.column, .kind = InputKind::missing});
    }
  }

  // Training rows have gaps where others are held out, so the numbers have the same gaps.
  bool looks_like_row_numbers(const std::vector<double>& cells) const {
    if (rows_.size() < kFewestRowNumbers) return false;
    const double start = cells[rows_.front()] - static_cast<double>(rows_.front());
    return start == std::floor(start) &&
           std::all_of(rows_.begin(), rows_.end(), [&](std::size_t row) {
             return cells[row] == start + static_cast<double>(row);
           });
  }

  void add_text(std::size_t column) {
    const std::string& name = table_.names[column];
    const std::vector<std::string>& labels = table_.labels[column];
    std::vector<std::size_t> counts(labels.size(), 0);
    std::size_t present = 0;
    for (const std::size_t row : rows_) {
      const double cell = table_.columns[column][row];
      if (std::isnan(cell)) continue;
      ++counts[static_cast<std::size_t>(cell)];
      ++present;
    }
    const auto different =
        counts.size() - static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0u));
    const auto single = static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 1u));
    // What was asked for as text needs no reason to be one.
    const bool asked_for = std::find(keep_.begin(), keep_.end(), name) != keep_.end();
    const std::string disguise = asked_for ? "" : disguise_among(labels, counts);
    if (present == 0) {
      leave_out(column, "it has no value in any training row");
    } else if (different == 1 && present == rows_.size()) {
      leave_out(column, "it is the same in every training row");
    } else if (2 * single > present && !asked_for) {
      leave_out(column, disguise.empty()
                            ? fmt::format("most of its texts occur in one training row only; {} "
                                          "keeps it",
                                          shown_option("--categorical", name))
                            : disguise);
    } else if (different > kMaxCategories) {
      fail(ErrorKind::bad_data,
           "Column '{}' of {} has {} different texts, but at most {} can become inputs; {} "
           "leaves the column out.",
           shown(name), table_.source, different, kMaxCategories, shown_option("--drop", name));
    } else {
      if (!disguise.empty()) remark("Column '{}' was read as text: {}.", shown(name), disguise);
      for (std::size_t l = 0; l < labels.size(); ++l) {
        if (counts[l] == 0) continue;
        encoding_.inputs.push_back(
            {.column = name, .kind = InputKind::category, .category = labels[l]});
      }
    }
  }

  // Why the texts are no numbers though most of them look like some.
  static std::string disguise_among(const std::vector<std::string>& labels,
                                    const std::vector<std::size_t>& counts) {
    std::size_t occurring = 0, disguised = 0;
    std::string first;
    for (std::size_t l = 0; l < labels.size(); ++l) {
      if (counts[l] == 0) continue;
      ++occurring;
      const std::string_view why = csv::disguise_of(labels[l]);
      if (why.empty()) continue;
      if (disguised++ == 0) first = fmt::format("'{}' {}", shown(labels[l]), why);
    }
    return 2 * disguised > occurring ? first : "";
  }

  template <class... Args>
  void remark(fmt::format_string<Args...> text, Args&&... args) {
    encoding_.remarks.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  void leave_out(std::size_t column, std::string_view why) {
    const std::string name = shown(table_.names[column]);
    remark("Column '{}' was left out: {}.", name, why);
    if (first_reason_.empty()) first_reason_ = fmt::format("column '{}': {}", name, why);
  }

  const Table& table_;
  std::span<const std::size_t> rows_;
  std::span<const std::string> keep_;
  Encoding encoding_;
  std::string first_reason_;
};

void check_fit(const Table& table, std::span<const std::size_t> columns,
               std::span<const std::size_t> rows, std::span<const std::string> keep) {
  table.check();
  for (const std::string& name : keep) table.index_of(name);
  for (const std::size_t column : columns) {
    if (column < table.columns.size()) continue;
    fail(ErrorKind::bad_data,
         "There is no column {} in {}; columns are counted from 0 to below {}.", column,
         table.source, table.columns.size());
  }
  if (rows.empty()) {
    fail(ErrorKind::bad_data,
         "There is no training row in {} to make inputs from; at least one is needed.",
         table.source);
  }
  for (const std::size_t row : rows) {
    if (row < table.rows()) continue;
    fail(ErrorKind::bad_data, "There is no row {} in {}; rows are counted from 0 to below {}.", row,
         table.source, table.rows());
  }
}

}  // namespace

std::string_view to_string(InputKind kind) {
  for (const auto& [known, name] : kNames) {
    if (known == kind) return name;
  }
  fail(ErrorKind::bad_option, "There is no kind of input of number {}; there are {} of them.",
       static_cast<int>(kind), kNames.size());
}

InputKind input_kind_from_name(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [kind, known] : kNames) {
    if (known == name) return kind;
    names.emplace_back(known);
  }
  throw Error(ErrorKind::bad_model, unknown_name_message("kind of input", name, names));
}

Encoding fit_encoding(const Table& table, std::span<const std::size_t> columns,
                      std::span<const std::size_t> rows, std::span<const std::string> keep) {
  check_fit(table, columns, rows, keep);
  Fit fit(table, rows, keep);
  for (const std::size_t column : columns) fit.add(column);
  return fit.finish();
}

}  // namespace knotwork
