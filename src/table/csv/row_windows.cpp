// SPDX-License-Identifier: MIT
#include "table/csv/row_windows.hpp"

#include <algorithm>
#include <utility>

#include "base/fail.hpp"
#include "table/csv/cell_scanner.hpp"
#include "table/text/dialect.hpp"
#include "table/text/json_lines.hpp"
#include "table/text/text_start.hpp"

namespace knotwork::csv {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
// Enough for guesses, and to see whether the bytes are text.
constexpr std::size_t kBufferBytes = kSampleBytes + kStartBytes;

class Cutter {
 public:
  Cutter(std::string_view text, const Dialect& dialect)
      : text_(text), dialect_(dialect), is_spaced_(dialect.delimiter == kRunsOfSpaces) {}

  std::size_t cut() const {
    std::size_t best = 0;
    for (std::size_t at = 0;;) {
      const std::size_t quote = opening_quote(at);
      const std::size_t end = row_end(at, std::min(quote, text_.size()));
      if (end != kNone) best = end;
      if (quote == kNone) return best;
      const char* const last = text_.data() + text_.size();
      const char* const close = closing_quote(text_.data() + quote + 1, last);
      // A quote that is the last byte may be the first of a doubled quote.
      if (last - close < 2) return best;
      at = static_cast<std::size_t>(close - text_.data()) + 1;
    }
  }

 private:
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != dialect_.delimiter; }

  // The first quote from `at` on that opens a cell, which means that it is at the cell's start.
  std::size_t opening_quote(std::size_t at) const {
    std::size_t q = text_.find('"', at);
    while (q != kNone) {
      if (const std::size_t end = end_of_comment(at, q); end != kNone) {
        q = text_.find('"', end);
        continue;
      }
      if (opens_cell(at, q)) return q;
      q = text_.find('"', q + 1);
    }
    return kNone;
  }

  bool opens_cell(std::size_t at, std::size_t quote) const {
    std::size_t before = quote;
    while (before > at && is_blank(text_[before - 1])) --before;
    if (before == 0 || (is_spaced_ && before < quote)) return true;
    // A quote after a closing quote does not open another cell.
    if (before == at) return false;
    return text_[before - 1] == dialect_.delimiter || CellScanner::is_line_end(text_[before - 1]);
  }

  // The end of the comment that contains a position after `at`, if there is one.
  std::size_t end_of_comment(std::size_t at, std::size_t position) const {
    if (dialect_.comment.empty()) return kNone;
    std::size_t begin = position;
    while (begin > at && !CellScanner::is_line_end(text_[begin - 1])) --begin;
    // The rest of a row with quotes is no comment.
    if (begin == at && at > 0) return kNone;
    if (!is_comment(begin, text_.size())) return kNone;
    return std::min(text_.find_first_of("\r\n", position), text_.size());
  }

  bool is_comment(std::size_t begin, std::size_t end) const {
    if (dialect_.comment.empty()) return false;
    while (begin < end && is_blank(text_[begin])) ++begin;
    return text_.substr(begin, end - begin).starts_with(dialect_.comment);
  }

  bool is_blank_line(std::size_t begin, std::size_t end) const {
    while (begin < end && is_blank(text_[begin])) ++begin;
    return begin == end;
  }

  // The position after the last line end in [from, to) that ends a row; `from` is not inside
  // quotes.
  std::size_t row_end(std::size_t from, std::size_t to) const {
    // Goes backwards line by line. What follows the last line end is not whole.
    std::size_t end = line_end_before(from, to);
    while (end != kNone) {
      std::size_t last = end - 1;
      if (last > from && text_[last] == '\n' && text_[last - 1] == '\r') --last;
      const std::size_t previous = line_end_before(from, last);
      const std::size_t begin = previous == kNone ? from : previous;
      // A line that starts with a quoted cell is a row.
      const bool continues = previous == kNone && from > 0;
      if (continues || (!is_blank_line(begin, last) && !is_comment(begin, last))) return end;
      end = previous;
    }
    return kNone;
  }

  // The position after the last line end in [from, to).
  std::size_t line_end_before(std::size_t from, std::size_t to) const {
    for (std::size_t p = to; p > from; --p) {
      // A CR that is the last byte may be followed by LF.
      if (!CellScanner::is_line_end(text_[p - 1])) continue;
      if (text_[p - 1] == '\r' && p == text_.size()) continue;
      return p;
    }
    return kNone;
  }

  std::string_view text_;
  const Dialect& dialect_;
  bool is_spaced_;
};

}  // namespace

std::size_t whole_rows(std::string_view text, const Dialect& dialect) {
  return Cutter(text, dialect).cut();
}

Windows::Windows(files::TextSource& text, std::string source, std::size_t bytes)
    : text_(text),
      source_(std::move(source)),
      window_(std::max<std::size_t>(bytes, 16)),
      buffer_(std::max(window_, kBufferBytes)) {}

std::string_view Windows::start() {
  fill();
  return pending();
}

void Windows::fill() {
  // The buffer is larger than a small window, and need not be full.
  if (started_ && end_ - begin_ > window_) return;
  if (begin_ > 0) {
    std::copy(buffer_.data() + begin_, buffer_.data() + end_, buffer_.data());
    end_ -= std::exchange(begin_, 0);
    given_ = 0;
  }
  while (!at_end_ && end_ < buffer_.size()) {
    const auto got = text_.read(std::span(buffer_).subspan(end_));
    at_end_ = got.empty();
    end_ += got.size();
  }
  if (std::exchange(started_, true)) return;
  // The stream reads JSON lines in another way.
  if (!is_json_lines(pending(), source_)) begin_ = end_ - text_of(pending(), source_).size();
}

void Windows::grow() {
  if (window_ >= kMaxRowBytes) {
    fail(ErrorKind::bad_data, in_file(source_),
         "has a row of more than {} bytes, the limit; a closing quote may be missing.",
         kMaxRowBytes);
  }
  window_ *= 2;
  buffer_.resize(std::max(window_, buffer_.size()));
}

std::string_view Windows::next() {
  while (true) {
    fill();
    last_ = is_whole();
    const std::string_view all = in_window();
    const std::size_t rows = last_ ? all.size() : whole_rows(all, dialect_);
    if (rows > 0 || last_) {
      begin_ += rows;
      given_ = rows;
      return all.substr(0, rows);
    }
    grow();
  }
}

void Windows::put_back_for_more() {
  begin_ -= std::exchange(given_, 0);
  grow();
}

}  // namespace knotwork::csv
