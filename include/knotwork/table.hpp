// SPDX-License-Identifier: MIT
// A table of numbers with named columns, and how it comes out of a CSV file.
//
// Comma, semicolon or tab between cells (guessed from the first line), quotes, CRLF, a byte-order
// mark, exponents; with or without a header (guessed: a first line of numbers only is data, and the
// columns are then called c1, c2, ...; so is column k when its name is empty). Blank lines may
// stand before and after the table. Every cell must hold a finite number, and every row one for
// each column. Every refusal names the file, the line and the column.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/matrix_view.hpp>

namespace knotwork {

struct KNOTWORK_API Table {
  std::string source;                        // for messages: a file name, "builtin:planted", ...
  std::vector<std::string> names;            // one for each column, all different
  std::vector<std::vector<double>> columns;  // columns[c][r]

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  // Throws bad_data unless every column has a name and all have equally many rows.
  void check() const;
  // Throws bad_data with the closest name when there is none called so.
  std::size_t index_of(std::string_view name) const;
};

struct CsvOptions {
  char delimiter = 0;               // 0: guess; else comma, semicolon, tab, space, '|' or ':'
  std::optional<bool> header = {};  // empty: guess
};

KNOTWORK_API Table read_csv(const std::filesystem::path& path, const CsvOptions& options = {});
KNOTWORK_API Table parse_csv(std::string_view text, std::string source,
                             const CsvOptions& options = {});
// Shortest digits that read back as the same number; names are quoted where they must be. When all
// names look like numbers, only CsvOptions::header = true reads them back as names.
KNOTWORK_API std::string to_csv(const Table& table);

}  // namespace knotwork
