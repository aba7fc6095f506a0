// SPDX-License-Identifier: MIT
#include "table/csv/csv_stream.hpp"

#include <algorithm>
#include <utility>

#include "base/fail.hpp"
#include "parallel/watched_work.hpp"
#include "table/csv/row_parser.hpp"
#include "table/text/dialect.hpp"
#include "table/text/text_start.hpp"

namespace knotwork::csv {
namespace {

// True if a row follows the one at the cursor. Errors in that row are reported elsewhere.
bool has_second_line(CellScanner cursor) {
  while (true) {
    if (cursor.take_cell().defect != Cell::Defect::none) return true;
    if (!cursor.at_delimiter()) break;
    cursor.skip_delimiter();
  }
  cursor.take_line_end();
  cursor.skip_empty_lines();
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

files::TextSource& Stream::csv_text() {
  return json_ ? static_cast<files::TextSource&>(*json_) : text_;
}

// The first window must have two rows: the second shows whether the first is a header.
void Stream::begin() {
  windows_.emplace(csv_text(), source_, window_bytes_);
  if (!json_ && is_json_lines(windows_->start(), source_)) {
    options_ = options_for_json(options_, source_);
    json_.emplace(text_, source_, options_, monitor_);
    windows_.emplace(*json_, source_, window_bytes_);
  }
  const std::string sample(sample_of(windows_->start()));
  dialect_ = find_dialect(sample, options_);
  dialect_.counts_quoted_lines = !json_;
  const std::size_t first_line = json_ ? kLineOfJsonNames : 1;
  windows_->set_dialect(dialect_);
  while (true) {
    CellScanner cursor = start_of(windows_->next(), source_, dialect_, first_line);
    if (!windows_->is_last() && !has_second_line(cursor)) {
      windows_->put_back_for_more();
      continue;
    }
    CellScanner sampled(sample, dialect_, first_line);
    sampled.skip_empty_lines();
    layout_ = take_layout(cursor, source_, meanings_, options_, sampled);
    if (json_) layout_.has_header.reset();
    first_ = cursor;
    return;
  }
}

std::optional<CellScanner> Stream::next_window() {
  if (first_) return std::exchange(first_, std::nullopt);
  if (windows_->is_last()) return std::nullopt;
  const std::string_view text = windows_->next();
  if (text.empty()) return std::nullopt;
  return CellScanner(text, dialect_, line_);
}

bool Stream::next_rows(Table& window) {
  const std::optional<CellScanner> cursor = next_window();
  for (std::vector<double>& column : window.columns) column.clear();
  window.lines.clear();
  if (cursor) {
    const auto check = [this](std::size_t) { parallel::check_stop(monitor_); };
    line_ = read_rows(*cursor, layout_, meanings_, *tally_, window, blank_, check).line();
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

std::vector<Remark> Stream::remarks() const {
  std::vector<Remark> all = layout_.remarks;
  const auto append = [&](const std::vector<Remark>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  if (json_) append(json_->remarks());
  append(layout_.remarks_on(blank_));
  return all;
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
  csv_text().rewind();
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
  table.remarks = remarks();
  tally_->describe(table, rows_, pass_ ? &*pass_ : nullptr);
}

}  // namespace knotwork::csv
