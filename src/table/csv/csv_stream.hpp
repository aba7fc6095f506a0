// SPDX-License-Identifier: MIT
// Stream reads a CSV text of any length in windows of rows. It shares its parts with read_csv(),
// so it accepts and refuses the same texts.
//
// Only after the last row is it known which columns are text. Usually the first window already
// shows it, and the texts are numbered in the first pass; otherwise a second pass reads them, as in
// read_csv().
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <knotwork/table.hpp>

#include "table/csv/cell_value.hpp"
#include "table/csv/column_types.hpp"
#include "table/csv/header.hpp"
#include "table/csv/row_windows.hpp"
#include "table/csv/text_columns.hpp"

namespace knotwork::csv {

inline constexpr std::size_t kWindowBytes = std::size_t{1} << 23;

class Stream {
 public:
  // `monitor` may be null and must outlive this object.
  Stream(files::TextSource& text, std::string source, const CsvOptions& options,
         std::size_t window_bytes = kWindowBytes, const Monitor* monitor = nullptr);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  const CsvHeader& layout() const { return layout_; }

  // The first pass. Replaces the rows of `window` by the next rows; returns false if there are
  // none. In text columns the cells are indices of labels, provided that has_labels() is true
  // afterwards.
  bool next_rows(Table& window);
  // Call after the first pass. Refuses the first cell that does not fit its column.
  std::vector<bool> find_text_columns() const;

  bool has_labels(const std::vector<bool>& is_text) const { return pass_ && expected_ == is_text; }

  // Starts the second pass, which numbers the texts of these columns.
  void begin_labels(const std::vector<bool>& is_text);
  bool next_labels(Table& window);
  // What the numbers mean.
  std::vector<Dictionary::Sorted> labels() const { return pass_->finish(monitor_); }

  std::size_t rows() const { return rows_; }

 private:
  void begin();
  std::optional<CellScanner> next_window();
  void expect_texts();
  void take_labels(const CellScanner& cursor, Table& window);

  files::TextSource& text_;
  std::string source_;
  CsvOptions options_;
  std::size_t window_bytes_;
  const Monitor* monitor_;
  CellReader meanings_;
  std::optional<Windows> windows_;
  CsvHeader layout_;
  std::optional<CellScanner> first_;  // after the header, until the first window is read
  char delimiter_ = ',';
  std::size_t line_ = 1;
  std::optional<ColumnTypes> tally_;
  std::vector<bool> expected_;  // columns whose texts the first pass reads
  std::optional<TextColumnReader> pass_;
  std::size_t rows_ = 0;
  std::vector<std::size_t> window_rows_;  // of each window of the first pass
  std::size_t window_ = 0;                // index of the next window of the second pass
};

}  // namespace knotwork::csv
