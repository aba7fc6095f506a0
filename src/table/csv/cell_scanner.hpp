// SPDX-License-Identifier: MIT
// CellScanner is a position in a CSV text that moves cell by cell and knows its line.
//
// Lines end with LF, CRLF or CR. Blanks (spaces, and tabs where they are not the delimiter) around
// a cell are ignored; with kRunsOfSpaces they are the delimiter. A cell that starts with a quote
// ends at the next single quote; inside it a doubled quote means one quote, and delimiters and line
// ends are ordinary characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "table/csv/short_number.hpp"

#include <knotwork/table.hpp>

namespace knotwork::csv {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct Cell {
  enum class Defect { none, unterminated_quote, text_after_quote };

  std::string_view text;  // without surrounding blanks and quotes; doubled quotes not yet replaced
  std::size_t line = 1;   // line where the cell starts
  bool quoted = false;
  Defect defect = Defect::none;

  std::string unescaped() const;
  // The content without a copy if no quote is doubled; otherwise stored in `buffer`.
  std::string_view content(std::string& buffer) const;
};

// The closing quote of a cell whose text starts at `p`, or `end`.
const char* closing_quote(const char* p, const char* end);

// How a text is divided into lines and cells.
struct Dialect {
  char delimiter = ',';           // or kRunsOfSpaces
  std::string_view comment = {};  // lines that begin with it are skipped; empty: no line
  // Whether a line end inside quotes begins a new line of the file, for the lines in messages.
  bool counts_quoted_lines = true;
};

class CellScanner {
 public:
  // `line` is the number of the text's first line. The comment sign must outlive the scanner.
  CellScanner(std::string_view text, const Dialect& dialect, std::size_t line = 1)
      : at_(text.data()),
        end_(text.data() + text.size()),
        line_(line),
        dialect_(dialect),
        is_spaced_(dialect.delimiter == kRunsOfSpaces) {}

  std::size_t line() const { return line_; }
  bool at_end() const { return at_ == end_; }
  bool at_delimiter() const { return is_delimiter(at_); }
  void skip_delimiter() { ++at_; }

  // For loops that track the position within a line themselves.
  const char* mark() const { return at_; }
  std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - at_); }
  void go_in_line(const char* mark) { at_ = mark; }
  char delimiter() const { return dialect_.delimiter; }
  bool is_delimiter(const char* p) const {
    if (p == end_) return false;
    return is_spaced_ ? is_blank(*p) : *p == dialect_.delimiter;
  }
  static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

  // Reads an unquoted finite number that is a whole cell and starts at `p`, in the cursor's line.
  // The result ends where the cell does, after its blanks.
  Number number_at(const char* p) const;

  // Takes any cell. Afterwards the cursor is at the delimiter or line end after it, unless the cell
  // has a defect.
  Cell take_cell();

  // Moves past the line end at the cursor, if there is one.
  void take_line_end() {
    if (at_ == end_) return;
    take_bytes_of_line_end();
    ++line_;
  }

  // At the start of a line: whether it is blank, or a comment.
  bool at_blank_line() const {
    const char* const stop = past_blanks(at_);
    return stop == end_ || is_line_end(*stop);
  }
  bool at_comment() const {
    if (dialect_.comment.empty()) return false;
    const char* const first = past_blanks(at_);
    return std::string_view(first, static_cast<std::size_t>(end_ - first))
        .starts_with(dialect_.comment);
  }
  // From the start of a line to the start of the next one, whatever the line contains.
  void skip_line() {
    while (at_ != end_ && !is_line_end(*at_)) ++at_;
    if (at_ != end_) take_line_end();
  }
  // At the start of a line: moves past blank lines and comments.
  void skip_empty_lines() {
    while (at_ != end_ && (at_blank_line() || at_comment())) skip_line();
  }

 private:
  bool ends_cell(const char* p) const { return p == end_ || is_delimiter(p) || is_line_end(*p); }
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != dialect_.delimiter; }
  const char* past_blanks(const char* p) const {
    while (p != end_ && is_blank(*p)) ++p;
    return p;
  }
  // The delimiter or line end after the blanks that follow a cell. Of a run of spaces the last one
  // is the delimiter, but a run at the end of a line divides nothing.
  const char* past_cell(const char* last) const {
    const char* const next = past_blanks(last);
    return is_spaced_ && next != last && next != end_ && !is_line_end(*next) ? next - 1 : next;
  }
  void take_bytes_of_line_end() {
    if (*at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n') ++at_;
    ++at_;
  }
  Cell take_quoted_cell(const char* first);

  const char* at_;
  const char* end_;
  std::size_t line_;
  Dialect dialect_;
  bool is_spaced_;  // runs of spaces divide the cells
};

// Blank lines between the rows of a table.
struct BlankLines {
  std::size_t count = 0;
  std::size_t first = 0;  // the line of the first one
};

// Finds the rows of a text one after the other, past comments and blank lines. In a table of one
// column a blank line between rows is a row whose cell is missing.
class RowStarts {
 public:
  explicit RowStarts(bool has_one_column) : has_one_column_(has_one_column) {}

  // From the start of a line to the next row. False if no row follows.
  bool next(CellScanner& cursor) {
    return has_one_column_ ? next_of_one_column(cursor) : next_of_several(cursor);
  }
  // Those before the rows found so far.
  const BlankLines& blank_lines() const { return blank_; }

 private:
  bool next_of_several(CellScanner& cursor);
  bool next_of_one_column(CellScanner& cursor);
  void count_blank_line(std::size_t line) {
    if (blank_.count++ == 0) blank_.first = line;
  }

  bool has_one_column_;
  const char* next_content_ = nullptr;  // the next line that is neither blank nor a comment
  BlankLines blank_;
};

}  // namespace knotwork::csv
