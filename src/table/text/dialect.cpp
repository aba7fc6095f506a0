// SPDX-License-Identifier: MIT
#include "table/text/dialect.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/fail.hpp"
#include "table/csv/cell_value.hpp"

namespace knotwork::csv {
namespace {

// The most frequent of comma, semicolon, tab and bar outside quotes in the first of these lines, or
// 0 if it has none. In a tie the comma loses, because it also occurs inside names and numbers; a
// comma between two digits counts only if no other delimiter occurs, and never if it is the decimal
// sign.
char most_frequent_delimiter(std::string_view text, bool decimal_comma) {
  constexpr std::array<char, 4> kCandidates{'\t', ';', '|', ','};
  std::array<std::size_t, kCandidates.size()> counts{};
  std::size_t decimal_commas = 0;
  // A quote opens a quoted cell only where a cell starts; elsewhere (5" pipe) it is a character.
  bool cell_start = true;
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p != end; ++p) {
    if (CellScanner::is_line_end(*p)) break;
    if (*p == '"' && cell_start) {
      p = closing_quote(p + 1, end);
      if (p == end) break;
      cell_start = false;
      continue;
    }
    const auto candidate = std::find(kCandidates.begin(), kCandidates.end(), *p);
    if (candidate != kCandidates.end()) {
      ++counts[static_cast<std::size_t>(candidate - kCandidates.begin())];
      cell_start = true;
      if (*p == ',' && p != text.data() && p + 1 != end && is_digit(p[-1]) && is_digit(p[1])) {
        ++decimal_commas;
      }
    } else if (*p != ' ') {
      cell_start = false;
    }
  }
  // With a decimal comma, 2,5;3,5 is two numbers.
  if (decimal_comma || counts[0] + counts[1] + counts[2] != 0) counts[3] -= decimal_commas;
  const auto most = std::max_element(counts.begin(), counts.end());
  if (*most == 0) return 0;
  return kCandidates[static_cast<std::size_t>(most - counts.begin())];
}

// The numbers of cells of all lines up to one that is not whole.
std::vector<std::size_t> cell_counts(CellScanner cursor) {
  std::vector<std::size_t> counts;
  for (cursor.skip_empty_lines(); !cursor.at_end(); cursor.skip_empty_lines()) {
    std::size_t cells = 1;
    while (cursor.take_cell().defect == Cell::Defect::none && cursor.at_delimiter()) {
      cursor.skip_delimiter();
      ++cells;
    }
    if (!cursor.at_end() && !CellScanner::is_line_end(*cursor.mark())) break;
    counts.push_back(cells);
    cursor.take_line_end();
  }
  return counts;
}

bool all_equal(const std::vector<std::size_t>& counts) {
  return std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) == counts.end();
}

// R writes a header without a name for the first column, which has the names of the rows.
bool fit_together(const std::vector<std::size_t>& counts) {
  if (counts.size() < 2 || counts.front() < 2) return false;
  if (all_equal(counts)) return true;
  const std::vector<std::size_t> rows(counts.begin() + 1, counts.end());
  return rows.size() > 1 && rows.front() == counts.front() + 1 && all_equal(rows);
}

bool is_plain_number(const Cell& cell, bool decimal_comma) {
  double ignored = 0;
  return parse_number(cell.text, ignored, decimal_comma ? ',' : '.') == NumberText::number;
}

// Whether spaces divide the lines into equally many cells, and some of these are numbers: texts of
// several words are not cells.
bool is_divided_by_spaces(std::string_view sample, const CsvOptions& options) {
  const CellScanner start(sample, {.delimiter = kRunsOfSpaces, .comment = options.comment});
  if (!fit_together(cell_counts(start))) return false;
  CellScanner cursor = start;
  for (cursor.skip_empty_lines(); !cursor.at_end(); cursor.skip_empty_lines()) {
    while (true) {
      const Cell cell = cursor.take_cell();
      if (cell.defect != Cell::Defect::none) return false;
      if (is_plain_number(cell, options.cells.decimal_comma)) return true;
      if (!cursor.at_delimiter()) break;
      cursor.skip_delimiter();
    }
    cursor.take_line_end();
  }
  return false;
}

// Whether a cell between the tabs of the first line contains several numbers.
bool has_numbers_between_tabs(CellScanner cursor, bool decimal_comma) {
  while (true) {
    const Cell cell = cursor.take_cell();
    if (cell.defect != Cell::Defect::none) return false;
    std::size_t numbers = 0;
    for (CellScanner part(cell.text, {.delimiter = kRunsOfSpaces}); !part.at_end();) {
      if (!is_plain_number(part.take_cell(), decimal_comma)) break;
      ++numbers;
      if (part.at_delimiter()) part.skip_delimiter();
    }
    if (numbers > 1) return true;
    if (!cursor.at_delimiter()) return false;
    cursor.skip_delimiter();
  }
}

char guess_delimiter(std::string_view sample, const CsvOptions& options) {
  const bool decimal_comma = options.cells.decimal_comma;
  CellScanner start(sample, {.delimiter = ',', .comment = options.comment});
  start.skip_empty_lines();
  const std::string_view text(start.mark(), start.bytes_left());
  const char frequent = most_frequent_delimiter(text, decimal_comma);
  if (frequent == 0) {
    if (is_divided_by_spaces(sample, options)) return kRunsOfSpaces;
    return decimal_comma ? ';' : ',';
  }
  // Tabs may fill up a column of a table that is divided by spaces.
  if (frequent == '\t') {
    const CellScanner tabs(text, {.delimiter = '\t', .comment = options.comment});
    const bool doubtful =
        !all_equal(cell_counts(tabs)) || has_numbers_between_tabs(tabs, decimal_comma);
    if (doubtful && is_divided_by_spaces(sample, options)) return kRunsOfSpaces;
  }
  return frequent;
}

char checked_delimiter(std::string_view sample, const CsvOptions& options) {
  const char delimiter = options.delimiter;
  if (delimiter == 0) return guess_delimiter(sample, options);
  constexpr std::string_view kAllowed = ",;\t |:";
  if (delimiter != kRunsOfSpaces && kAllowed.find(delimiter) == std::string_view::npos) {
    fail(ErrorKind::bad_option,
         "The delimiter '{}' cannot separate cells; use a comma, a semicolon, a tab, a space, "
         "'|' or ':'.",
         shown({&delimiter, 1}));
  }
  return delimiter;
}

void check_comment(std::string_view comment, char delimiter) {
  if (comment.empty()) return;
  const char first = comment.front();
  const bool is_possible = first != ' ' && first != '\t' && first != '"' && first != delimiter &&
                           comment.find_first_of("\r\n") == std::string_view::npos;
  if (is_possible) return;
  fail(ErrorKind::bad_option, of_option("comment"),
       "A line cannot begin with the comment sign '{}'; it must not begin with a blank, a quote "
       "or the delimiter, and must not contain a line end.",
       shown(comment));
}

}  // namespace

std::string_view sample_of(std::string_view text) {
  const bool is_cut = text.size() > kSampleBytes;
  text = text.substr(0, kSampleBytes);
  std::size_t end = 0;
  for (std::size_t lines = 0; lines < kSampleLines; ++lines) {
    std::size_t at = text.find_first_of("\r\n", end);
    if (at == std::string_view::npos) return is_cut && end > 0 ? text.substr(0, end) : text;
    if (text.substr(at).starts_with("\r\n")) ++at;
    end = at + 1;
  }
  return text.substr(0, end);
}

Dialect find_dialect(std::string_view sample, const CsvOptions& options) {
  const Dialect dialect{.delimiter = checked_delimiter(sample, options),
                        .comment = options.comment};
  check_comment(options.comment, dialect.delimiter);
  return dialect;
}

}  // namespace knotwork::csv
