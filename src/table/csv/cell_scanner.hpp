// SPDX-License-Identifier: MIT
// CellScanner is a position in a CSV text that moves cell by cell and knows its line.
//
// Lines end with LF, CRLF or CR. Blanks (spaces, and tabs where they are not the delimiter) around
// a cell are ignored. A cell that starts with a quote ends at the next single quote; inside it a
// doubled quote means one quote, and delimiters and line ends are ordinary characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "table/csv/short_number.hpp"

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

// The most frequent of comma, semicolon, tab and bar outside quotes in the first line that is not
// blank. In a tie the comma loses, because it also occurs inside names and numbers; a comma between
// two digits counts only if no other delimiter occurs, and never if it is the decimal sign. If
// given, `whole_line` is set to whether the end of that line is in the text; if it is not, more
// text could change the guess.
char guess_delimiter(std::string_view text, bool decimal_comma = false, bool* whole_line = nullptr);

// The closing quote of a cell whose text starts at `p`, or `end`.
const char* closing_quote(const char* p, const char* end);

class CellScanner {
 public:
  // `line` is the number of the text's first line.
  CellScanner(std::string_view text, char delimiter, std::size_t line = 1)
      : at_(text.data()), end_(text.data() + text.size()), line_(line), delimiter_(delimiter) {}

  std::size_t line() const { return line_; }
  bool at_end() const { return at_ == end_; }
  bool at_delimiter() const { return is_delimiter(at_); }
  void skip_delimiter() { ++at_; }

  // For loops that track the position within a line themselves.
  const char* mark() const { return at_; }
  std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - at_); }
  void go_in_line(const char* mark) { at_ = mark; }
  char delimiter() const { return delimiter_; }
  bool is_delimiter(const char* p) const { return p != end_ && *p == delimiter_; }
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
    if (*at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n') ++at_;
    ++at_;
    ++line_;
  }

  // At the start of a line: skips blank lines and returns their number.
  std::size_t skip_blank_lines() {
    const std::size_t before = line_;
    while (at_ != end_) {
      const char* const stop = past_blanks(at_);
      if (stop != end_ && !is_line_end(*stop)) break;
      at_ = stop;
      if (at_ == end_) return line_ + 1 - before;
      take_line_end();
    }
    return line_ - before;
  }

 private:
  bool ends_cell(const char* p) const { return p == end_ || *p == delimiter_ || is_line_end(*p); }
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != delimiter_; }
  const char* past_blanks(const char* p) const {
    while (p != end_ && is_blank(*p)) ++p;
    return p;
  }
  Cell take_quoted_cell(const char* first);

  const char* at_;
  const char* end_;
  std::size_t line_;
  char delimiter_;
};

}  // namespace knotwork::csv
