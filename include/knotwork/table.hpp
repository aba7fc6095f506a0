// SPDX-License-Identifier: MIT
// A table with named columns of numbers or text, and how it comes out of a CSV file.
//
// Comma, semicolon, tab or bar between cells (guessed from the first line), quotes, CRLF, a
// byte-order mark, exponents, gzip. Blank lines may stand before and after the table. Every row has
// a cell for each column. Every refusal names the file, the line and the column.
//
// A header is guessed: the first line is one if it has a word and no number, or if in some column
// it has a word where the second line has a number. Without one, and where a name is empty, column
// k is called c<k>.
//
// A cell is missing when it is empty or says NA, N/A, NaN, null, none or ? (in any case), or one of
// CellFormat::missing (exactly), in quotes or not. A column is text when at least a tenth of its
// other cells are words; fewer are taken for mistakes and refused. So are infinite numbers and
// numbers with a comma (12,5) in a column that is not text, unless the comma is the decimal one.
// Texts are kept as they stand in the file: 1, 1.0 and 01 differ; only blanks outside quotes do not
// count.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/matrix_view.hpp>

namespace knotwork {

// How the text of a cell is read. A model remembers it, so that tables to predict are read as the
// one that it was trained on.
struct CellFormat {
  std::vector<std::string> missing = {};  // further texts that mean a missing cell
  bool missing_words = true;              // NA, N/A, NaN, null, none and ? mean one too
  bool decimal_comma = false;             // 12,5 is a number and 12.5 is not

  bool operator==(const CellFormat&) const = default;
};

struct KNOTWORK_API Table {
  std::string source;              // for messages: a file name, "builtin:planted", ...
  std::vector<std::string> names;  // one for each column, all different
  // columns[c][r]: a number; in a text column the index of its text in labels[c]; NaN where the
  // cell is missing.
  std::vector<std::vector<double>> columns;
  // The different texts of each text column, sorted by their bytes; empty for a column of numbers.
  // May be empty as a whole when no column is text.
  std::vector<std::vector<std::string>> labels = {};
  // Where rows stand in the file: lines[r], or if that is empty first_line + r; 0: nowhere.
  std::size_t first_line = 0;
  std::vector<std::size_t> lines = {};
  // Rows that are some of a larger table have their numbers there: row_numbers[r], or if that is
  // empty first_row + r.
  std::size_t first_row = 0;
  std::vector<std::size_t> row_numbers = {};
  // Where columns stand in the file: positions[c], or if that is empty c + 1.
  std::vector<std::size_t> positions = {};
  CellFormat cells = {};                 // as they were read
  std::vector<std::string> unread = {};  // names of the columns of the file that are not here

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  bool is_text(std::size_t column) const {
    return column < labels.size() && !labels[column].empty();
  }
  // Throws bad_data unless every column has a name, all have equally many rows, the cells of text
  // columns are missing or have a label, labels are sorted, and lines, row numbers and positions
  // fit.
  void check() const;
  // Throws bad_data with the closest name when there is none called so.
  std::size_t index_of(std::string_view name) const;
  // "file.csv, line 7, column 3 ('age')", or with "row 5" (from 0) where lines are not known.
  std::string where(std::size_t row, std::size_t column) const;
};

struct CsvOptions {
  char delimiter = 0;               // 0: guess; else comma, semicolon, tab, space, '|' or ':'
  std::optional<bool> header = {};  // empty: guess
  CellFormat cells = {};
  // Columns that are text, or numbers, whatever they look like: words in a column of numbers are
  // refused. A column of both, or one that the file does not have, is refused.
  std::vector<std::string> categorical = {};
  std::vector<std::string> numeric = {};
  // If given, only these columns are read, in this order; the rest may hold anything that leaves
  // the rows whole. A column that the file does not have is refused with the closest name.
  std::optional<std::vector<std::string>> only = {};
};

// What starts like gzip is unpacked first, whatever its name.
KNOTWORK_API Table read_csv(const std::filesystem::path& path, const CsvOptions& options = {});
KNOTWORK_API Table parse_csv(std::string_view text, std::string source,
                             const CsvOptions& options = {});
// The whole text of a file, unpacked if it is gzip, for parse_csv(). Throws bad_file when it cannot
// be opened, failed_run when reading it ends half-way.
KNOTWORK_API std::string read_csv_text(const std::filesystem::path& path);
// Bytes from elsewhere (standard input), unpacked if they are gzip.
KNOTWORK_API std::string unpack_csv_text(std::string bytes, const std::string& source);
// The names of all columns, without a look at the rows; some may be the same.
KNOTWORK_API std::vector<std::string> parse_csv_names(std::string_view text, std::string source,
                                                      const CsvOptions& options = {});
// Shortest digits that read back as the same number; names and texts are quoted where they must be;
// a missing cell is empty. When names look like numbers, only CsvOptions::header = true reads them
// back as names for sure; when texts do, only CsvOptions::categorical reads them back as texts.
// Without the names in the first line if `with_names` is false.
KNOTWORK_API std::string to_csv(const Table& table, bool with_names = true);

}  // namespace knotwork
