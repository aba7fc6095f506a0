// SPDX-License-Identifier: MIT
#include "features/encoding/encoding_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/fail.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/number_lookalike.hpp"

namespace knotwork::features {
namespace {

using csv::shown;

// Two numbers that rise by one prove nothing.
constexpr std::size_t kFewestRowNumbers = 3;

// Explains why texts that mostly look like numbers are not numbers.
std::string disguise_among(const std::vector<std::string>& labels,
                           const std::vector<std::size_t>& counts) {
  std::size_t occurring = 0, disguised = 0;
  std::string first;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    if (counts[l] == 0) continue;
    ++occurring;
    const std::string_view why = csv::why_not_a_number(labels[l]);
    if (why.empty()) continue;
    if (disguised++ == 0) first = fmt::format("'{}' {}", shown(labels[l]), why);
  }
  return 2 * disguised > occurring ? first : "";
}

}  // namespace

EncodingFit::EncodingFit(const Table& description, std::span<const std::size_t> columns,
                         std::span<const std::string> keep)
    : description_(description),
      columns_(columns),
      keep_(keep),
      numbers_(columns.size()),
      texts_(columns.size()) {
  for (const std::string& name : keep) description.index_of(name);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k] >= description.names.size()) {
      fail(ErrorKind::bad_data, about_file(description.source),
           "There is no column {} in {}; it has {} columns, numbered from 0.", columns[k],
           description.source, description.names.size());
    }
    if (description.is_text(columns[k])) {
      texts_[k].counts.resize(description.labels[columns[k]].size());
    }
  }
}

void EncodingFit::Numbers::see(double cell, std::size_t row) {
  low = std::min(low, cell);
  high = std::max(high, cell);
  values.see(cell, row);
  if (!are_row_numbers) return;
  const double distance = cell - static_cast<double>(row);
  if (!start) start = distance;
  are_row_numbers = *start == std::floor(*start) && cell == *start + static_cast<double>(row);
}

// Training rows have gaps where other rows are held out, and row numbers have the same gaps.
bool EncodingFit::Numbers::look_like_row_numbers(std::size_t rows) const {
  return rows >= kFewestRowNumbers && values.seen() == rows && are_row_numbers;
}

void EncodingFit::see(const Table& window, std::size_t first_row,
                      std::span<const std::size_t> rows) {
  rows_ += rows.size();
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const std::vector<double>& cells = window.columns[columns_[k]];
    const bool is_text = description_.is_text(columns_[k]);
    for (const std::size_t row : rows) {
      const double cell = cells[row - first_row];
      if (std::isnan(cell)) continue;
      if (is_text) {
        ++texts_[k].counts[static_cast<std::size_t>(cell)];
        ++texts_[k].present;
        continue;
      }
      if (std::isinf(cell)) {
        fail(ErrorKind::bad_data, window.place(row - first_row, columns_[k]),
             "the number is {}; it must be finite.", cell);
      }
      numbers_[k].see(cell, row);
    }
  }
}

parallel::MergeState EncodingFit::state() const {
  parallel::MergeState state;
  parallel::put(state, rows_);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Numbers& numbers = numbers_[k];
    parallel::put(state, numbers.low);
    parallel::put(state, numbers.high);
    parallel::put(state, std::size_t{numbers.start.has_value()});
    parallel::put(state, numbers.start.value_or(0));
    parallel::put(state, std::size_t{numbers.are_row_numbers});
    numbers.values.put(state);
    parallel::put(state, texts_[k].present);
    for (const std::size_t count : texts_[k].counts) parallel::put(state, count);
  }
  return state;
}

void EncodingFit::merge(std::span<const std::int64_t> state) {
  parallel::StateReader reader(state);
  rows_ += reader.size();
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    Numbers& numbers = numbers_[k];
    numbers.low = std::min(numbers.low, reader.number());
    numbers.high = std::max(numbers.high, reader.number());
    const bool has_start = reader.size() != 0;
    const double start = reader.number();
    const bool are_row_numbers = reader.size() != 0;
    if (!numbers.start && has_start) numbers.start = start;
    numbers.are_row_numbers =
        numbers.are_row_numbers && are_row_numbers && (!has_start || start == *numbers.start);
    numbers.values.merge(reader);
    texts_[k].present += reader.size();
    for (std::size_t& count : texts_[k].counts) count += reader.size();
  }
  reader.finish();
}

// Writes the inputs and remarks of the columns, one after the other.
class EncodingFit::Writer {
 public:
  Writer(const EncodingFit& fit, Encoding& encoding) : fit_(fit), encoding_(encoding) {}

  void add_numbers(std::size_t column, const Numbers& numbers) {
    InputColumn input = {.column = fit_.description_.names[column]};
    input.low = numbers.low;
    input.high = numbers.high;
    const std::size_t missing = fit_.rows_ - numbers.values.seen();
    const bool indicate =
        static_cast<double>(missing) > kMissingIndicatorShare * static_cast<double>(fit_.rows_);
    if (numbers.values.seen() == 0) {
      leave_out(column, "it has no value in any training row");
      return;
    }
    if (input.low < input.high) {
      if (numbers.look_like_row_numbers(fit_.rows_)) {
        remark({.purpose = "to leave it out", .settings = {{"drop", input.column}}},
               "Column '{}' looks like a row number.", shown(input.column));
      }
      input.fill = numbers.values.median();
      encoding_.inputs.push_back(input);
    } else if (indicate) {
      remark({},
             "Column '{}' has the same value in every training row where it is not missing; its "
             "only input is whether it is missing.",
             shown(input.column));
    } else {
      leave_out(column, "it has the same value in every training row");
    }
    if (indicate) {
      encoding_.inputs.push_back({.column = input.column, .kind = InputKind::missing});
    }
  }

  void add_texts(std::size_t column, const Texts& texts) {
    const std::string& name = fit_.description_.names[column];
    const std::vector<std::string>& labels = fit_.description_.labels[column];
    const std::vector<std::size_t>& counts = texts.counts;
    const auto different =
        counts.size() - static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0u));
    const auto single = static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 1u));
    // A column that was requested as text needs no further reason.
    const bool asked_for =
        std::find(fit_.keep_.begin(), fit_.keep_.end(), name) != fit_.keep_.end();
    const std::string disguise = asked_for ? "" : disguise_among(labels, counts);
    if (texts.present == 0) {
      leave_out(column, "it has no value in any training row");
    } else if (different == 1 && texts.present == fit_.rows_) {
      leave_out(column, "it has the same value in every training row");
    } else if (2 * single > texts.present && !asked_for) {
      if (disguise.empty()) {
        leave_out(column, "most of its texts occur in one training row only",
                  {.purpose = "to keep it", .settings = {{"categorical", name}}});
      } else {
        leave_out(column, disguise);
      }
    } else if (different > kMaxCategories) {
      fail(ErrorKind::bad_data, fit_.description_.place(column),
           Hint{.purpose = "to leave the column out", .settings = {{"drop", name}}},
           "the column has {} different texts, but at most {} can become inputs.", different,
           kMaxCategories);
    } else {
      if (!disguise.empty()) {
        remark({}, "Column '{}' was read as text: {}.", shown(name), disguise);
      }
      for (std::size_t l = 0; l < labels.size(); ++l) {
        if (counts[l] == 0) continue;
        encoding_.inputs.push_back(
            {.column = name, .kind = InputKind::category, .category = labels[l]});
      }
    }
  }

 private:
  template <class... Args>
  void remark(Hint hint, fmt::format_string<Args...> text, Args&&... args) {
    encoding_.remarks.emplace_back(std::move(hint), fmt::format(text, std::forward<Args>(args)...));
  }
  void leave_out(std::size_t column, const std::string& why, Hint hint = {}) {
    const std::string& name = fit_.description_.names[column];
    remark(std::move(hint), "Column '{}' was left out: {}.", shown(name), why);
    encoding_.left_out.push_back({name, why});
  }

  const EncodingFit& fit_;
  Encoding& encoding_;
};

void EncodingFit::finish(Encoding& encoding) const {
  Writer writer(*this, encoding);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    if (description_.is_text(columns_[k])) {
      writer.add_texts(columns_[k], texts_[k]);
    } else {
      writer.add_numbers(columns_[k], numbers_[k]);
    }
  }
}

void check_encoding(const Table& description, const Encoding& encoding) {
  if (!encoding.inputs.empty()) return;
  if (encoding.left_out.empty()) {
    fail(ErrorKind::bad_data, about_file(description.source),
         "No column of {} is an input; training needs at least one.", description.source);
  }
  const LeftOutColumn& first = encoding.left_out.front();
  fail(ErrorKind::bad_data, about_file(description.source),
       "No column of {} can be an input (column '{}' was left out: {}); at least one must differ "
       "from row to row.",
       description.source, shown(first.name), first.why);
}

}  // namespace knotwork::features
