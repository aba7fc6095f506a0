// SPDX-License-Identifier: MIT
// A CSV text of any length, in pieces that consist of whole rows.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "files/text_source.hpp"

namespace knotwork::csv {

// A quote that is never closed makes one row of all that follows it.
inline constexpr std::size_t kMaxRowBytes = 268'435'456;

// How many bytes of `text`, which starts at the start of a row and may end anywhere, are whole rows
// with their line ends. Blank lines behind the last of them belong to what follows: only there will
// it be known whether the table goes on.
std::size_t whole_rows(std::string_view text, char delimiter);

// Cuts where rows end, whatever stands between quotes. The same text is always cut in the same way.
class Windows {
 public:
  Windows(files::TextSource& text, std::string source, std::size_t bytes);

  // The bytes of the first window, wherever they end, to find out the delimiter by.
  std::string_view start();
  // More of them, unless they are all there are.
  std::string_view longer_start();
  bool is_whole() const { return at_end_ && end_ - begin_ <= window_; }
  void set_delimiter(char delimiter) { delimiter_ = delimiter; }
  // The next whole rows, until next() is called again. Nothing at the end.
  std::string_view next();
  bool is_last() const { return last_; }
  // Takes back what next() gave last; when called again it will give more.
  void put_back_for_more();

 private:
  void fill();
  void grow();
  std::string_view pending() const { return {buffer_.data() + begin_, end_ - begin_}; }
  std::string_view in_window() const { return pending().substr(0, window_); }

  files::TextSource& text_;
  std::string source_;
  std::size_t window_;               // most bytes that are given at once
  std::vector<char> buffer_;         // holds a window, and what tells whether the bytes are a text
  std::size_t begin_ = 0, end_ = 0;  // what has not been given yet
  std::size_t given_ = 0;            // bytes that next() gave last, before begin_
  char delimiter_ = ',';
  bool started_ = false;
  bool at_end_ = false;  // of the source
  bool last_ = false;
};

}  // namespace knotwork::csv
