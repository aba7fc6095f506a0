// SPDX-License-Identifier: MIT
// What the first lines of a CSV text and the options say about its columns.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/table.hpp>

#include "base/fail.hpp"
#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"

namespace knotwork::csv {

// Each takes some hundred bytes before the first number is read.
inline constexpr std::size_t kMaxColumns = 1'000'000;

struct CsvHeader {
  static constexpr std::size_t kUnread = std::numeric_limits<std::size_t>::max();
  enum class Declared { nothing, text, numbers };

  std::string source;
  std::size_t first_line = 1;       // of the header, or of the first row where there is none
  std::vector<std::string> names;   // of every column of the file
  std::vector<std::size_t> slots;   // for every column of the file its column in the table, if any
  std::vector<std::size_t> chosen;  // for every column of the table its column in the file
  std::vector<Declared> declared;   // for every column of the file

  // `column` counts in the file, from 0.
  template <class... Args>
  [[noreturn]] void refuse(std::size_t line, std::size_t column, fmt::format_string<Args...> text,
                           Args&&... args) const {
    const std::string name =
        column < names.size() ? fmt::format(" ('{}')", shown(names[column])) : std::string();
    fail(ErrorKind::bad_data, "{}, line {}, column {}{}: {}", source, line, column + 1, name,
         fmt::format(text, std::forward<Args>(args)...));
  }

  // With the chosen columns and no rows.
  Table empty_table() const;
  // The next cell, whole; its bytes may be anything.
  Cell take_cell(CellScanner& cursor, std::size_t column) const;
  void refuse_nul(const Cell& cell, std::size_t column) const;
  [[noreturn]] void refuse_blank_line(std::size_t line) const;
  // A row that ends or goes on where it should not, behind `cells` cells.
  [[noreturn]] void refuse_ragged(CellScanner cursor, std::size_t cells) const;
};

// The names of all columns, whatever they are. The cursor stands at the first line that is not
// blank.
std::vector<std::string> take_names(CellScanner& cursor, std::string source,
                                    const CellReader& meanings, const CsvOptions& options);
// Likewise; afterwards the cursor stands at the first row.
CsvHeader take_layout(CellScanner& cursor, std::string source, const CellReader& meanings,
                      const CsvOptions& options);

}  // namespace knotwork::csv
