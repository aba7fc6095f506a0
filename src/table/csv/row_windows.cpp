// SPDX-License-Identifier: MIT
#include "table/csv/row_windows.hpp"

#include <algorithm>
#include <utility>

#include "base/fail.hpp"
#include "table/csv/cell_scanner.hpp"
#include "table/csv/text_start.hpp"

namespace knotwork::csv {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

class Cutter {
 public:
  Cutter(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {}

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
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != delimiter_; }

  // The first quote from `at` on that opens a cell, which means that it is at the cell's start.
  std::size_t opening_quote(std::size_t at) const {
    for (std::size_t q = text_.find('"', at); q != kNone; q = text_.find('"', q + 1)) {
      std::size_t before = q;
      while (before > at && is_blank(text_[before - 1])) --before;
      if (before == 0) return q;
      // A quote after a closing quote does not open another cell.
      if (before == at) continue;
      if (text_[before - 1] == delimiter_ || CellScanner::is_line_end(text_[before - 1])) return q;
    }
    return kNone;
  }

  // The position after the last line end in [from, to) that ends a row; `from` is not inside
  // quotes.
  std::size_t row_end(std::size_t from, std::size_t to) const {
    std::size_t end = kNone;
    for (std::size_t p = to; p > from; --p) {
      const char c = text_[p - 1];
      if (CellScanner::is_line_end(c)) {
        // A CR that is the last byte may be followed by LF.
        if (c == '\r' && p == text_.size()) continue;
        // CR and LF together are one line end.
        if (end == kNone || !(c == '\r' && end == p + 1 && text_[p] == '\n')) end = p;
      } else if (end != kNone && !is_blank(c)) {
        return end;
      }
    }
    // A line that starts with a quoted cell is not blank.
    return from > 0 ? end : kNone;
  }

  std::string_view text_;
  char delimiter_;
};

}  // namespace

std::size_t whole_rows(std::string_view text, char delimiter) {
  return Cutter(text, delimiter).cut();
}

Windows::Windows(files::TextSource& text, std::string source, std::size_t bytes)
    : text_(text),
      source_(std::move(source)),
      window_(std::max<std::size_t>(bytes, 16)),
      buffer_(std::max(window_, kStartBytes)) {}

std::string_view Windows::start() {
  fill();
  return in_window();
}

std::string_view Windows::longer_start() {
  grow();
  return start();
}

void Windows::fill() {
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
  if (!std::exchange(started_, true)) begin_ = end_ - text_of(pending(), source_).size();
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
    const std::size_t rows = last_ ? all.size() : whole_rows(all, delimiter_);
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
