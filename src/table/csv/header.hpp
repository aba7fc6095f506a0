// SPDX-License-Identifier: MIT
// CsvHeader has what the first lines of a CSV text and the options say about its columns.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/table.hpp>

#include "base/fail.hpp"
#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/cells/column_decision.hpp"

namespace knotwork::csv {

// Each column takes some hundred bytes before the first number is read.
inline constexpr std::size_t kMaxColumns = 1'000'000;

struct CsvHeader {
  static constexpr std::size_t kUnread = std::numeric_limits<std::size_t>::max();

  std::string source;
  std::size_t first_line = 1;       // of the header, or of the first row if there is no header
  std::vector<std::string> names;   // for each column of the file
  std::vector<std::size_t> slots;   // for each column of the file, its column in the table, if any
  std::vector<std::size_t> chosen;  // for each column of the table, its column in the file
  std::vector<ColumnWish> wishes;   // for each column of the file
  std::optional<bool> has_header = {};
  std::vector<Remark> remarks = {};

  // `column` counts in the file, from 0.
  Where place(std::size_t line, std::size_t column) const {
    return {.file = source,
            .line = line,
            .column = column + 1,
            .column_name = column < names.size() ? names[column] : std::string()};
  }
  template <class... Args>
  [[noreturn]] void refuse(std::size_t line, std::size_t column, fmt::format_string<Args...> text,
                           Args&&... args) const {
    fail(ErrorKind::bad_data, place(line, column), text, std::forward<Args>(args)...);
  }
  template <class... Args>
  [[noreturn]] void refuse(std::size_t line, std::size_t column, Hint hint,
                           fmt::format_string<Args...> text, Args&&... args) const {
    fail(ErrorKind::bad_data, place(line, column), std::move(hint), text,
         std::forward<Args>(args)...);
  }

  // A table with the chosen columns and no rows.
  Table empty_table() const;
  // Takes the next cell as a whole; it may contain any bytes.
  Cell take_cell(CellScanner& cursor, std::size_t column) const;
  void refuse_nul(const Cell& cell, std::size_t column) const;
  bool has_one_column() const { return slots.size() == 1; }
  // What to say about blank lines between the rows.
  std::vector<Remark> remarks_on(const BlankLines& blank) const;
  // Refuses a row that has too few or too many cells, after `cells` cells. The row begins with the
  // characters of `line_start`.
  [[noreturn]] void refuse_ragged(CellScanner cursor, std::size_t cells,
                                  std::string_view line_start) const;
};

// The names of all columns, even invalid ones. The cursor must be at the first line that is neither
// blank nor a comment, and so must the cursor of the sample, from which it is guessed whether this
// line is a header.
std::vector<std::string> take_names(CellScanner& cursor, std::string source,
                                    const CellReader& meanings, const CsvOptions& options,
                                    const CellScanner& sample);
// Like take_names(), but also applies all options. Moves the cursor to the first row.
CsvHeader take_layout(CellScanner& cursor, std::string source, const CellReader& meanings,
                      const CsvOptions& options, const CellScanner& sample);

}  // namespace knotwork::csv
