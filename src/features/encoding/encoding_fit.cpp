// SPDX-License-Identifier: MIT
#include "features/encoding/encoding_fit.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "table/csv/cell_value.hpp"

namespace knotwork::features {
namespace {

using csv::shown;

// Two numbers that rise by one prove nothing.
constexpr std::size_t kFewestRowNumbers = 3;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr DateFields kHighest{kInfinity, kInfinity, kInfinity, kInfinity};
constexpr DateFields kLowest{-kInfinity, -kInfinity, -kInfinity, -kInfinity};

// The fields of dates, for statistics about each of them.
constexpr double DateFields::* kFields[] = {&DateFields::year, &DateFields::month,
                                            &DateFields::weekday, &DateFields::hour};

}  // namespace

EncodingFit::EncodingFit(const Table& description, std::span<const std::size_t> columns,
                         const EncodingOptions& options)
    : description_(description),
      columns_(columns),
      options_(options),
      numbers_(columns.size()),
      texts_(columns.size()),
      dates_(columns.size(), Dates{kHighest, kLowest}) {
  for (const std::string& name : options.keep) description.index_of(name);
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
  whole.see(cell, row);
  if (!are_row_numbers) return;
  const double distance = cell - static_cast<double>(row);
  if (!start) start = distance;
  are_row_numbers = *start == std::floor(*start) && cell == *start + static_cast<double>(row);
}

void EncodingFit::Dates::see(const DateFields& date) {
  for (const auto field : kFields) {
    low.*field = std::min(low.*field, date.*field);
    high.*field = std::max(high.*field, date.*field);
  }
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
    const bool is_date = description_.is_date(columns_[k]);
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
      if (is_date) dates_[k].see(date_fields(cell));
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
    for (const auto field : kFields) {
      parallel::put(state, dates_[k].low.*field);
      parallel::put(state, dates_[k].high.*field);
    }
    numbers.whole.put(state);
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
    for (const auto field : kFields) {
      dates_[k].low.*field = std::min(dates_[k].low.*field, reader.number());
      dates_[k].high.*field = std::max(dates_[k].high.*field, reader.number());
    }
    numbers.whole.merge(reader);
    texts_[k].present += reader.size();
    for (std::size_t& count : texts_[k].counts) count += reader.size();
  }
  reader.finish();
}

void check_encoding(const Table& description, const Encoding& encoding) {
  if (!encoding.inputs.empty()) return;
  if (encoding.left_out.empty()) {
    fail(ErrorKind::bad_data, about_file(description.source),
         "No column of {} is an input; training needs at least one.", description.source);
  }
  const LeftOutColumn& first = encoding.left_out.front();
  fail(ErrorKind::bad_data, about_file(description.source), first.hint,
       "No column of {} can be an input (column '{}' was left out: {}); at least one must differ "
       "from row to row.",
       description.source, shown(first.name), first.why);
}

}  // namespace knotwork::features
