// SPDX-License-Identifier: MIT
// A CSV text of any length, read in windows of rows with the parts that read_csv() is made of: what
// it takes and what it refuses is the same.
//
// Which columns are text is known only when all rows have been read. Most often it can be told from
// the first window, and their texts are read on the way; else a second pass reads them, as in
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
  Stream(files::TextSource& text, std::string source, const CsvOptions& options,
         std::size_t window_bytes = kWindowBytes);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  const CsvHeader& layout() const { return layout_; }

  // The first pass. Replaces the rows of `window` by the next ones; false when there are none. What
  // stands in columns that turn out to be text are the numbers of their texts if has_labels() then
  // says so.
  bool next_rows(Table& window);
  // After it, for every column of the table. Refuses the first cell that does not fit its column.
  std::vector<bool> find_text_columns() const;

  bool has_labels(const std::vector<bool>& is_text) const { return pass_ && expected_ == is_text; }

  // The second pass: the numbers of the texts of these columns.
  void begin_labels(const std::vector<bool>& is_text);
  bool next_labels(Table& window);
  // What the numbers mean.
  std::vector<Dictionary::Sorted> labels() const { return pass_->finish(); }

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
  CellReader meanings_;
  std::optional<Windows> windows_;
  CsvHeader layout_;
  std::optional<CellScanner> first_;  // behind the header in the first window, until that is read
  char delimiter_ = ',';
  std::size_t line_ = 1;
  std::optional<ColumnTypes> tally_;
  std::vector<bool> expected_;  // columns whose texts are read in the first pass
  std::optional<TextColumnReader> pass_;
  std::size_t rows_ = 0;
  std::vector<std::size_t> window_rows_;  // as the first pass found them
  std::size_t window_ = 0;                // the next one of the second pass
};

}  // namespace knotwork::csv
