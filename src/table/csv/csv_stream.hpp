// SPDX-License-Identifier: MIT
// Stream reads a CSV text of any length in windows of rows. It shares its parts with read_csv(),
// so it accepts and refuses the same texts.
//
// Only after the last row is it known how the columns are read. Usually the first window already
// shows it, and texts, dates and numbers with signs are read in the first pass; otherwise a second
// pass reads them, as in read_csv().
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
#include "table/csv/second_pass.hpp"
#include "table/text/json_lines.hpp"

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
  // none. Text columns get the numbers of their texts, and formatted ones their values, in all
  // columns but columns_to_read_again().
  bool next_rows(Table& window);
  // How each column is read. Call after the first pass. Refuses the first cell that does not fit
  // its column.
  const ColumnReadings& decide();
  // The columns whose cells the second pass reads; none if no second pass is needed.
  std::vector<bool> columns_to_read_again() const;

  // The second pass.
  void begin_again();
  bool next_again(Table& window);

  // After the last pass: what the numbers of texts mean, for each column.
  std::vector<Dictionary::Sorted> labels() const;
  // Completes the description of the table: dates, formats and remarks.
  void describe(Table& table) const;

  std::size_t rows() const { return rows_; }
  // What was decided about the text. Call after the first pass.
  std::vector<Remark> remarks() const;

 private:
  void begin();
  // The text, or JSON lines as CSV.
  files::TextSource& csv_text();
  std::optional<CellScanner> next_window();
  void expect_readings();
  void read_as_expected(const CellScanner& cursor, Table& window);

  files::TextSource& text_;
  std::string source_;
  CsvOptions options_;
  std::size_t window_bytes_;
  const Monitor* monitor_;
  CellReader meanings_;
  std::optional<Windows> windows_;
  CsvHeader layout_;
  std::optional<CellScanner> first_;  // after the header, until the first window is read
  Dialect dialect_ = {};
  std::optional<JsonLinesText> json_;
  std::size_t line_ = 1;
  BlankLines blank_ = {};
  std::optional<ColumnTypes> tally_;
  ColumnReadings expected_;  // as the first pass reads the columns
  bool is_broken_off_ = false;  // the first pass stopped to read as expected
  ColumnReadings readings_;     // as decided
  std::optional<SecondPass> pass_;
  std::size_t rows_ = 0;
  std::vector<std::size_t> window_rows_;  // of each window of the first pass
  std::size_t window_ = 0;                // index of the next window of the second pass
};

}  // namespace knotwork::csv
