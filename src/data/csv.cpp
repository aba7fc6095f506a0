// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <knotwork/table.hpp>

#include "base/fail.hpp"
#include "data/csv_cursor.hpp"
#include "data/csv_text.hpp"

namespace knotwork {
namespace {

using csv::Cell;
using csv::Cursor;
using csv::NumberText;
using csv::shown;

char checked_delimiter(char delimiter, std::string_view text) {
  if (delimiter == 0) return csv::guess_delimiter(text);
  constexpr std::string_view kAllowed = ",;\t |:";
  if (kAllowed.find(delimiter) == std::string_view::npos) {
    fail(ErrorKind::bad_option,
         "The delimiter '{}' cannot separate numbers; use a comma, a semicolon, a tab, a space, "
         "'|' or ':'.",
         shown({&delimiter, 1}));
  }
  return delimiter;
}

// Quotes keep the blanks of a name, but a number is a number with or without them.
std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

class Parser {
 public:
  Parser(std::string_view text, std::string source, const CsvOptions& options)
      : cursor_(text, checked_delimiter(options.delimiter, text)), options_(options) {
    table_.source = std::move(source);
  }

  Table parse() {
    cursor_.skip_blank_lines();
    if (cursor_.at_end()) {
      fail(ErrorKind::bad_data, "{} is empty, but a table needs at least one row of numbers.",
           table_.source);
    }
    take_names();
    table_.columns.resize(table_.names.size());
    while (start_row()) take_row();
    if (table_.rows() == 0) {
      fail(ErrorKind::bad_data,
           "{} has a header in line {} and nothing below it, but a table needs at least one row of "
           "numbers.",
           table_.source, first_line_);
    }
    return std::move(table_);
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(std::size_t line, std::size_t column, fmt::format_string<Args...> text,
                           Args&&... args) const {
    const std::string name = column < table_.names.size()
                                 ? fmt::format(" ('{}')", shown(table_.names[column]))
                                 : std::string();
    fail(ErrorKind::bad_data, "{}, line {}, column {}{}: {}", table_.source, line, column + 1, name,
         fmt::format(text, std::forward<Args>(args)...));
  }

  Cell take_whole_cell(std::size_t column) {
    const Cell cell = cursor_.take_cell();
    if (cell.defect == Cell::Defect::unterminated_quote) {
      refuse(cell.line, column,
             "the quote that opens this cell is never closed; add the other \".");
    }
    if (cell.defect == Cell::Defect::text_after_quote) {
      refuse(cell.line, column,
             "text follows the closing quote; quote the whole cell, and write a quote inside it "
             "as \"\".");
    }
    if (cell.text.find('\0') != std::string_view::npos) {
      refuse(cell.line, column, "the cell holds a NUL byte; save the table as UTF-8 text.");
    }
    return cell;
  }

  // From the first line, which stays to be read as a row when it is not a header.
  void take_names() {
    const Cursor start = cursor_;
    first_line_ = cursor_.line();
    std::vector<Cell> cells{take_whole_cell(0)};
    while (cursor_.at_delimiter()) {
      cursor_.skip_delimiter();
      cells.push_back(take_whole_cell(cells.size()));
    }
    cursor_.take_line_end();
    const bool header = options_.header.value_or(std::any_of(cells.begin(), cells.end(), is_word));
    for (std::size_t c = 0; c < cells.size(); ++c) {
      std::string name = header ? cells[c].unescaped() : std::string();
      if (name.empty()) name = fmt::format("c{}", c + 1);
      table_.names.push_back(std::move(name));
    }
    if (header) {
      check_names(cells);
    } else {
      cursor_ = start;
    }
  }

  // A missing value at the top of a table without header must not turn its first row into names.
  static bool is_word(const Cell& cell) {
    const std::string_view text = trimmed(cell.text);
    double ignored = 0;
    return csv::parse_number(text, ignored) == NumberText::word && !csv::is_missing_marker(text);
  }

  void check_names(const std::vector<Cell>& cells) const {
    std::unordered_map<std::string_view, std::size_t> seen;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      // Names go into model files, whose JSON header must be valid UTF-8.
      if (!csv::is_utf8(table_.names[c])) {
        refuse(cells[c].line, c, "the name is not UTF-8; save the table as UTF-8 text.");
      }
      const auto [first, added] = seen.emplace(table_.names[c], c);
      if (!added) {
        refuse(cells[c].line, c,
               "column {} has this name already, but every column needs a name of its own.",
               first->second + 1);
      }
    }
  }

  // Blank lines may end a table, not interrupt it: a row could have been lost there.
  bool start_row() {
    const std::size_t line = cursor_.line();
    const std::size_t blank_lines = cursor_.skip_blank_lines();
    if (cursor_.at_end()) return false;
    if (blank_lines != 0) refuse(line, 0, "the line is blank; only the end of a table may be.");
    return true;
  }

  void take_row() {
    const std::size_t width = table_.columns.size();
    for (std::size_t c = 0; c < width; ++c) {
      double value = 0;
      if (!cursor_.take_number(value)) value = take_unusual_number(c);
      table_.columns[c].push_back(value);
      const bool more = cursor_.at_delimiter();
      if (more != (c + 1 < width)) refuse_ragged(c + 1);
      if (more) cursor_.skip_delimiter();
    }
    cursor_.take_line_end();
  }

  // Quoted numbers, and everything that is to be refused.
  double take_unusual_number(std::size_t column) {
    const Cell cell = take_whole_cell(column);
    const std::string_view text = trimmed(cell.text);
    double value = 0;
    switch (csv::parse_number(text, value)) {
      case NumberText::number:
        return value;
      case NumberText::not_finite:
        refuse(cell.line, column, "'{}' is not a finite number, but every cell must hold one.",
               shown(text));
      case NumberText::out_of_range:
        refuse(cell.line, column,
               "{} is too large for double precision; numbers may go up to 1.79e308.", shown(text));
      case NumberText::word:
        break;
    }
    refuse_word(cell.line, column, text);
  }

  [[noreturn]] void refuse_word(std::size_t line, std::size_t column, std::string_view text) const {
    if (text.empty()) {
      refuse(line, column, "the cell is empty, but every cell must hold a number.");
    }
    if (csv::is_missing_marker(text)) {
      refuse(line, column, "'{}' stands for a missing value, but every cell must hold a number.",
             shown(text));
    }
    std::string without_commas(text);
    std::erase(without_commas, ',');
    double ignored = 0;
    if (csv::parse_number(without_commas, ignored) == NumberText::number) {
      refuse(line, column,
             "'{}' has a comma in it; write numbers with a decimal point and without digit groups.",
             shown(text));
    }
    refuse(line, column, "'{}' is not a number; every cell must hold one, such as 1.5 or -2e3.",
           shown(text));
  }

  [[noreturn]] void refuse_ragged(std::size_t cells) {
    const std::size_t width = table_.columns.size();
    const std::size_t line = cursor_.line();
    while (cursor_.at_delimiter()) {
      cursor_.skip_delimiter();
      take_whole_cell(cells);
      ++cells;
    }
    refuse(line, std::min(cells, width), "the row has {} {}, but it must have {} like line {}.",
           cells, cells == 1 ? "cell" : "cells", width, first_line_);
  }

  Cursor cursor_;
  CsvOptions options_;
  Table table_;
  std::size_t first_line_ = 1;
};

std::string read_text(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    fail(ErrorKind::bad_file, "{} is a folder; name a CSV file.", path.string());
  }
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    const std::string reason = std::generic_category().message(errno);
    fail(ErrorKind::bad_file, "{} cannot be opened ({}); name a CSV file that can be read.",
         path.string(), reason);
  }
  std::string text;
  // The size is only a hint: pipes have none, and a file may grow while it is read.
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  constexpr std::size_t kChunk = std::size_t{1} << 16;
  text.resize(ignored ? kChunk : std::max(kChunk, static_cast<std::size_t>(size) + 1));
  std::size_t used = 0;
  while (const std::size_t got =
             std::fread(text.data() + used, 1, text.size() - used, file.get())) {
    used += got;
    if (used == text.size()) text.resize(2 * used);
  }
  if (std::ferror(file.get())) {
    const std::string reason = std::generic_category().message(errno);
    fail(ErrorKind::bad_file,
         "{} cannot be read to its end ({}); name a CSV file that can be read.", path.string(),
         reason);
  }
  text.resize(used);
  return text;
}

}  // namespace

Table parse_csv(std::string_view text, std::string source, const CsvOptions& options) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return Parser(text, std::move(source), options).parse();
}

Table read_csv(const std::filesystem::path& path, const CsvOptions& options) {
  return parse_csv(read_text(path), path.string(), options);
}

}  // namespace knotwork
