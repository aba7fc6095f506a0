// SPDX-License-Identifier: MIT
#include "table/csv/csv_stream.hpp"

#include <algorithm>
#include <utility>

#include "base/fail.hpp"
#include "parallel/watched_work.hpp"
#include "table/csv/row_parser.hpp"
#include "table/csv/text_start.hpp"

namespace knotwork::csv {
namespace {

// The first line that is not blank shows the delimiter, if the end of the line is in the text.
bool has_whole_line(std::string_view text) {
  bool whole = false;
  guess_delimiter(text, false, &whole);
  return whole;
}

// True if a row follows the one at the cursor. Errors in that row are reported elsewhere.
bool has_second_line(CellScanner cursor) {
  while (true) {
    if (cursor.take_cell().defect != Cell::Defect::none) return true;
    if (!cursor.at_delimiter()) break;
    cursor.skip_delimiter();
  }
  cursor.take_line_end();
  return !cursor.at_end();
}

}  // namespace

Stream::Stream(files::TextSource& text, std::string source, const CsvOptions& options,
               std::size_t window_bytes, const Monitor* monitor)
    : text_(text),
      source_(std::move(source)),
      options_(options),
      window_bytes_(window_bytes),
      monitor_(monitor),
      meanings_(options.cells) {
  begin();
  tally_.emplace(layout_, meanings_);
}

// The first window must have two rows: the second shows whether the first is a header.
void Stream::begin() {
  windows_.emplace(text_, source_, window_bytes_);
  std::string_view start = windows_->start();
  while (!windows_->is_whole() && !has_whole_line(start)) start = windows_->longer_start();
  delimiter_ = start_of(start, source_, options_).delimiter();
  windows_->set_delimiter(delimiter_);
  CsvOptions known = options_;
  known.delimiter = delimiter_;
  while (true) {
    CellScanner cursor = start_of(windows_->next(), source_, known);
    if (!windows_->is_last() && !has_second_line(cursor)) {
      windows_->put_back_for_more();
      continue;
    }
    layout_ = take_layout(cursor, source_, meanings_, known);
    first_ = cursor;
    return;
  }
}

std::optional<CellScanner> Stream::next_window() {
  if (first_) return std::exchange(first_, std::nullopt);
  if (windows_->is_last()) return std::nullopt;
  const std::string_view text = windows_->next();
  if (text.empty()) return std::nullopt;
  return CellScanner(text, delimiter_, line_);
}

bool Stream::next_rows(Table& window) {
  const std::optional<CellScanner> cursor = next_window();
  for (std::vector<double>& column : window.columns) column.clear();
  window.lines.clear();
  if (cursor) {
    const auto check = [this](std::size_t) { parallel::check_stop(monitor_); };
    line_ = read_rows(*cursor, layout_, meanings_, *tally_, window, check).line();
  }
  window_rows_.push_back(window.rows());
  rows_ += window.rows();
  tally_->count_numbers(window, false);
  if (window_rows_.size() == 1) expect_readings();
  if (pass_ && window.rows() > 0) read_as_expected(*cursor, window);
  if (window.rows() > 0) return true;
  if (rows_ == 0) {
    fail(ErrorKind::bad_data, in_file(source_),
         "has a header in line {} but no rows; a table needs at least one row.",
         layout_.first_line);
  }
  return false;
}

void Stream::expect_readings() {
  expected_ = tally_->readings_so_far(rows_);
  if (needs_second_pass(expected_)) pass_.emplace(layout_, meanings_, expected_);
}

// An invalid cell may not be the first error of the table; the second pass reports it.
void Stream::read_as_expected(const CellScanner& cursor, Table& window) {
  try {
    pass_->take_rows(cursor, window.rows(), window, nullptr);
  } catch (const Error&) {
    pass_.reset();
    is_broken_off_ = true;
  }
}

const ColumnReadings& Stream::decide() {
  readings_ = tally_->decide(rows_);
  return readings_;
}

std::vector<bool> Stream::columns_to_read_again() const {
  std::vector<bool> again(readings_.size());
  if (readings_ == expected_ && !is_broken_off_) return again;
  for (std::size_t c = 0; c < again.size(); ++c) {
    // Where the first pass expected something else, it did not keep the numbers.
    again[c] = needs_second_pass(readings_[c]) || needs_second_pass(expected_[c]);
  }
  return again;
}

void Stream::begin_again() {
  text_.rewind();
  line_ = 1;
  window_ = 0;
  begin();
  ColumnReadings readings = readings_;
  for (std::size_t c = 0; c < readings.size(); ++c) {
    if (needs_second_pass(readings[c]) || !needs_second_pass(expected_[c])) continue;
    readings[c].kind = ColumnReading::Kind::formatted;
    if (!readings[c].format) {
      readings[c].format = ColumnFormat{.column = {}, .decimal_comma = meanings_.decimal() == ','};
    }
  }
  pass_.emplace(layout_, meanings_, readings);
}

bool Stream::next_again(Table& window) {
  const std::optional<CellScanner> cursor = next_window();
  const std::size_t rows = cursor ? window_rows_.at(window_++) : 0;
  for (std::vector<double>& column : window.columns) column.resize(rows);
  if (rows == 0) return false;
  line_ = pass_->take_rows(*cursor, rows, window, monitor_).line();
  return true;
}

std::vector<Dictionary::Sorted> Stream::labels() const {
  return pass_ ? pass_->finish(monitor_) : std::vector<Dictionary::Sorted>(layout_.chosen.size());
}

void Stream::describe(Table& table) const {
  tally_->describe(table, rows_, pass_ ? &*pass_ : nullptr);
}

}  // namespace knotwork::csv
