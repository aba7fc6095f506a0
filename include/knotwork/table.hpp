// SPDX-License-Identifier: MIT
// A Table has named columns of numbers or text; read_csv() reads it from a CSV file.
//
// The reader accepts comma, semicolon, tab, bar or runs of spaces between cells (guessed from the
// first lines), quotes, CRLF, a byte-order mark, exponents, gzip, zstd and comments. Blank lines
// are skipped; but in a table of one column a blank line between rows is a row whose cell is
// missing. Every row has a cell for each column. Every error names the file, the line and the
// column.
//
// A header is guessed from the first hundred lines: the first line is a header if it has a word
// where the lines below have numbers, or if it consists of words that do not occur again below.
// Where this is not obvious, a remark says so. Without a header, and where a name is empty, column
// k is named c<k>.
//
// A text of JSON lines, an object in each line, is a table too: its columns are the keys in the
// order in which they first appear, true is 1 and false is 0, null is missing, and so is a key that
// a line does not have. Values that are objects or arrays are refused.
//
// A cell is missing when it is empty or says NA, N/A, NaN, null, none or ? (in any case), or one of
// CellFormat::missing (exactly), in quotes or not. After the last row it is decided how the other
// cells of a column are read, the same way for any order of the rows:
//   - as dates, if 95 % of them are dates in one order, or times of the day;
//   - as numbers, if 95 % of them are numbers with the same signs ($1,234.50, 12 %, 1'234, 3 kg,
//     12,5), or fewer than a tenth are not numbers; cells that do not fit are missing;
//   - as texts otherwise, and also if there are at most 20 different cells and not all are numbers.
// Table::remarks says what was decided. Infinite numbers and numbers that are too large are refused.
// Texts are kept as written in the file: 1, 1.0 and 01 differ; only blanks outside quotes are
// dropped.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/error.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/monitor.hpp>
#include <knotwork/names.hpp>

namespace knotwork {

// The order of the parts of a date, what a number counts since 1970-01-01 UTC, or a time of day
// without a date, which is read as a time of 1970-01-01.
enum class DateOrder {
  year_first,
  day_first,
  month_first,
  unix_seconds,
  unix_milliseconds,
  time_of_day
};
template <>
struct EnumNames<DateOrder> {
  static constexpr EnumFamily family{"order of dates"};
  static constexpr EnumName<DateOrder> all[] = {
      {DateOrder::year_first, "ymd"},
      {DateOrder::day_first, "dmy"},
      {DateOrder::month_first, "mdy"},
      {DateOrder::unix_seconds, "unix"},
      {DateOrder::unix_milliseconds, "unix-ms"},
      {DateOrder::time_of_day, "time"},
  };
};

// How the cells of a column are read that are neither plain numbers nor texts: dates, or numbers
// with signs around and between their digits, such as "$1,234.50". Plain numbers are read too; any
// other cell is missing.
struct ColumnFormat {
  std::string column;
  std::optional<DateOrder> date = {};    // empty: numbers
  std::string prefix = {}, suffix = {};  // "$", "%", "kg", without blanks
  std::string group = {};                // between groups of three digits: "," or " "
  bool decimal_comma = false;

  bool operator==(const ColumnFormat&) const = default;
};

// How the text of a cell is read. A model stores its format, so that tables to predict are read
// like the training table.
struct CellFormat {
  std::vector<std::string> missing = {};  // further texts that mean a missing cell
  bool missing_words = true;              // NA, N/A, NaN, null, none and ? also mean a missing cell
  bool decimal_comma = false;             // 12,5 is a number and 12.5 is not
  std::vector<ColumnFormat> columns = {};  // columns that are read in a way of their own

  bool operator==(const CellFormat&) const = default;
};

struct KNOTWORK_API Table {
  std::string source;              // for messages: a file name, "builtin:planted", ...
  std::vector<std::string> names;  // one for each column, all different
  // columns[c][r] is a number; in a text column it is the index of the text in labels[c]. NaN:
  // missing.
  std::vector<std::vector<double>> columns;
  // The distinct texts of each text column, sorted by bytes; empty for a numeric column. The outer
  // vector may be empty when no column is text.
  std::vector<std::vector<std::string>> labels = {};
  // Columns of dates: their cells are seconds since 1970-01-01 UTC. Empty: no column.
  std::vector<bool> dates = {};
  // Lines of the rows in the file: lines[r], or if that is empty first_line + r; 0: unknown.
  std::size_t first_line = 0;
  std::vector<std::size_t> lines = {};
  // If the rows are a selection from a larger table, their row numbers there: row_numbers[r], or if
  // that is empty first_row + r.
  std::size_t first_row = 0;
  std::vector<std::size_t> row_numbers = {};
  // Positions of the columns in the file: positions[c], or if that is empty c + 1.
  std::vector<std::size_t> positions = {};
  CellFormat cells = {};  // as they were read
  // Whether the first line of the file has the names; empty: it has no such lines.
  std::optional<bool> has_header = {};
  std::vector<std::string> unread = {};  // names of the columns of the file that are not here
  std::vector<Remark> remarks = {};      // what the reader of the file decided, a sentence each
  // Where a row is, if the source of the rows knows better than lines and numbers. Optional.
  std::function<Where(std::size_t row)> row_place = {};

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
  bool is_text(std::size_t column) const {
    return column < labels.size() && !labels[column].empty();
  }
  bool is_date(std::size_t column) const { return column < dates.size() && dates[column]; }
  // Throws bad_data unless every column has a name, all columns have the same length, the cells of
  // text columns are missing or have a label, labels are sorted, and the sizes of lines, row
  // numbers and positions match.
  void check() const;
  // Throws bad_data with the closest name when there is no such column.
  std::size_t index_of(std::string_view name) const;
  // "file.csv, line 7, column 3 ('age')", or with "row 5" (from 0) where lines are unknown.
  std::string where(std::size_t row, std::size_t column) const;
  // The place as fields of an Error: a row, a cell, or a whole column.
  Where place_of(std::size_t row) const;
  Where place(std::size_t row, std::size_t column) const;
  Where place(std::size_t column) const;
};

struct DateColumn {
  std::string column;
  std::optional<DateOrder> order = {};  // empty: found from the cells

  bool operator==(const DateColumn&) const = default;
};

// A delimiter: spaces and tabs, however many there are. Those at the ends of a line divide nothing.
inline constexpr char kRunsOfSpaces = '\x01';

struct CsvOptions {
  // 0: guess; else comma, semicolon, tab, space, '|', ':' or kRunsOfSpaces.
  char delimiter = 0;
  std::optional<bool> header = {};  // empty: guess
  CellFormat cells = {};
  // Columns that are read as text, or as numbers, whatever their cells look like; words in a column
  // of numbers are refused, numbers with signs are not. A column in both lists, or one that is not in the file, is refused.
  std::vector<std::string> categorical = {};
  std::vector<std::string> numeric = {};
  // In columns of `numeric`, numbers with signs are refused too, except as CellFormat::columns says.
  bool plain_numbers = false;
  // Columns that are read as dates, whatever their cells look like; cells that are no dates are
  // missing. Columns that are never read as dates. Columns named here or above are not read as
  // CellFormat::columns says. A column in contradictory lists is refused.
  std::vector<DateColumn> dates = {};
  std::vector<std::string> no_dates = {};
  // If given, only these columns are read, in this order; other columns may contain anything that
  // keeps the rows intact. A column that is not in the file is refused with the closest name.
  std::optional<std::vector<std::string>> only = {};
  std::string comment = {};       // lines that begin with it are skipped; empty: no line
  bool may_have_no_rows = false;  // a header without rows is a table too
};

// What starts like gzip or zstd is unpacked first, whatever its name. Here and below a Monitor is
// only used during the call.
KNOTWORK_API Table read_csv(const std::filesystem::path& path, const CsvOptions& options = {},
                            Monitor* monitor = nullptr);
KNOTWORK_API Table parse_csv(std::string_view text, std::string source,
                             const CsvOptions& options = {}, Monitor* monitor = nullptr);
// The columns of these names, in their order; the others become `unread`. Throws as read_csv() does
// for CsvOptions::only.
KNOTWORK_API Table choose_columns(Table table, const std::vector<std::string>& names);
// The whole text of a file, unpacked if it is packed, for parse_csv(). Throws bad_file when it
// cannot be opened, failed_run when reading it ends half-way.
KNOTWORK_API std::string read_csv_text(const std::filesystem::path& path,
                                       Monitor* monitor = nullptr);
// Bytes from elsewhere (standard input), unpacked if they are packed.
KNOTWORK_API std::string unpack_csv_text(std::string bytes, const std::string& source,
                                         Monitor* monitor = nullptr);
// The names of all columns, without a look at the rows; some may be the same.
KNOTWORK_API std::vector<std::string> parse_csv_names(std::string_view text, std::string source,
                                                      const CsvOptions& options = {});
// Writes the shortest digits that read back as the same number, and quotes names and texts where
// necessary; a missing cell is empty. If names look like numbers, only CsvOptions::header = true is
// certain to read them back as names; if texts do, only CsvOptions::categorical reads them back as
// texts. If `with_names` is false, the line of names is omitted.
KNOTWORK_API std::string to_csv(const Table& table, bool with_names = true);

}  // namespace knotwork
