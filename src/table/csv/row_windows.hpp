// SPDX-License-Identifier: MIT
// Windows divides a CSV text of any length into pieces of whole rows.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "files/text_source.hpp"
#include "table/csv/cell_scanner.hpp"

namespace knotwork::csv {

// Limit for a row: a quote that is never closed joins all following rows into one.
inline constexpr std::size_t kMaxRowBytes = 268'435'456;

// The number of bytes of `text` that are whole rows with their line ends; `text` starts at the
// start of a row and may end anywhere. Blank lines and comments after the last row are not counted:
// they belong to the next piece, which shows whether the table continues.
std::size_t whole_rows(std::string_view text, const Dialect& dialect);

// Cuts at the ends of rows, even if quotes contain line ends. The same text is always cut at the
// same places.
class Windows {
 public:
  Windows(files::TextSource& text, std::string source, std::size_t bytes);

  // Bytes from the start of the text on: at least kSampleBytes, or all. Call it before next().
  std::string_view start();
  bool is_whole() const { return at_end_ && end_ - begin_ <= window_; }
  // The comment sign must outlive this object.
  void set_dialect(const Dialect& dialect) { dialect_ = dialect; }
  // The next whole rows, valid until the next call of next(). Empty at the end.
  std::string_view next();
  bool is_last() const { return last_; }
  // Takes back the last result of next(); the next call gives more rows.
  void put_back_for_more();

 private:
  void fill();
  void grow();
  std::string_view pending() const { return {buffer_.data() + begin_, end_ - begin_}; }
  std::string_view in_window() const { return pending().substr(0, window_); }

  files::TextSource& text_;
  std::string source_;
  std::size_t window_;               // largest number of bytes of one result
  std::vector<char> buffer_;         // a window, and the bytes that show whether the file is text
  std::size_t begin_ = 0, end_ = 0;  // the bytes that next() has not returned yet
  std::size_t given_ = 0;            // bytes of the last result of next(), before begin_
  Dialect dialect_ = {};
  bool started_ = false;
  bool at_end_ = false;  // of the source
  bool last_ = false;
};

}  // namespace knotwork::csv
