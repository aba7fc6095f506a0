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
  if (window_rows_.size() == 1) expect_texts();
  if (pass_ && window.rows() > 0) take_labels(*cursor, window);
  if (window.rows() > 0) return true;
  if (rows_ == 0) {
    fail(ErrorKind::bad_data, in_file(source_),
         "has a header in line {} but no rows; a table needs at least one row.",
         layout_.first_line);
  }
  return false;
}

void Stream::expect_texts() {
  expected_ = tally_->text_so_far(rows_);
  if (std::find(expected_.begin(), expected_.end(), true) == expected_.end()) return;
  pass_.emplace(layout_, meanings_, expected_);
}

// An invalid text may not be the first error of the table; the second pass reports it.
void Stream::take_labels(const CellScanner& cursor, Table& window) {
  try {
    pass_->take_rows(cursor, window.rows(), window, nullptr);
  } catch (const Error&) {
    pass_.reset();
  }
}

std::vector<bool> Stream::find_text_columns() const {
  return tally_->find_text_columns(rows_);
}

void Stream::begin_labels(const std::vector<bool>& is_text) {
  text_.rewind();
  line_ = 1;
  window_ = 0;
  begin();
  pass_.emplace(layout_, meanings_, is_text);
}

bool Stream::next_labels(Table& window) {
  const std::optional<CellScanner> cursor = next_window();
  const std::size_t rows = cursor ? window_rows_.at(window_++) : 0;
  for (std::vector<double>& column : window.columns) column.resize(rows);
  if (rows == 0) return false;
  line_ = pass_->take_rows(*cursor, rows, window, monitor_).line();
  return true;
}

}  // namespace knotwork::csv
