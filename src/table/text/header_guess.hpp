// SPDX-License-Identifier: MIT
// guess_header() decides whether the first line of a table has the names of its columns.
#pragma once

#include <string>
#include <vector>

#include <knotwork/error.hpp>

#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"

namespace knotwork::csv {

// The cells of a line, up to one that is not whole.
struct LineCells {
  std::vector<CellKind> kinds;
  std::vector<std::string> texts;
};

// The start of a table.
struct FirstLines {
  std::size_t line = 1;  // the number of the first line
  LineCells first;
  std::vector<LineCells> below;  // the lines after it, as far as they are looked at
};
// Reads the line at the cursor and the line below it, and the further lines of the sample, whose
// cursor must be at the same line.
FirstLines read_first_lines(CellScanner cursor, CellScanner sample, const CellReader& meanings);

struct HeaderGuess {
  bool is_header = false;
  std::vector<Remark> remarks = {};  // why, if it is not obvious
};
HeaderGuess guess_header(const FirstLines& lines);

}  // namespace knotwork::csv
