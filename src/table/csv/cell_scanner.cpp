// SPDX-License-Identifier: MIT
#include "table/csv/cell_scanner.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <system_error>

namespace knotwork::csv {

const char* closing_quote(const char* p, const char* end) {
  while (true) {
    p = std::find(p, end, '"');
    if (p == end || p + 1 == end || p[1] != '"') return p;
    p += 2;
  }
}

std::string Cell::unescaped() const {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (quoted && text[i] == '"') ++i;
  }
  return out;
}

std::string_view Cell::content(std::string& buffer) const {
  if (!quoted || text.find('"') == std::string_view::npos) return text;
  buffer = unescaped();
  return buffer;
}

Number CellScanner::number_at(const char* p) const {
  p = past_blanks(p);
  if (p != end_ && *p == '+') {
    ++p;
    if (p != end_ && (*p == '-' || *p == '+')) return {};
  }
  double value = 0;
  const auto result = fast_float::from_chars(p, end_, value);
  if (result.ec != std::errc() || !std::isfinite(value)) return {};
  const char* const end = past_cell(result.ptr);
  return ends_cell(end) ? Number{end, value} : Number{};
}

Cell CellScanner::take_cell() {
  const char* const first = past_blanks(at_);
  if (first != end_ && *first == '"') return take_quoted_cell(first + 1);
  const char* last = first;
  while (!ends_cell(last)) ++last;
  at_ = past_cell(last);
  while (last != first && is_blank(last[-1])) --last;
  return {.text{first, static_cast<std::size_t>(last - first)}, .line = line_};
}

Cell CellScanner::take_quoted_cell(const char* first) {
  Cell cell{.text{}, .line = line_, .quoted = true};
  const char* const last = closing_quote(first, end_);
  if (last == end_) {
    cell.defect = Cell::Defect::unterminated_quote;
    return cell;
  }
  cell.text = {first, static_cast<std::size_t>(last - first)};
  at_ = first;
  while (at_ != last) {
    if (is_line_end(*at_)) {
      take_bytes_of_line_end();
      line_ += dialect_.counts_quoted_lines ? 1 : 0;
    } else {
      ++at_;
    }
  }
  at_ = past_cell(last + 1);
  if (!ends_cell(at_)) cell.defect = Cell::Defect::text_after_quote;
  return cell;
}

bool RowStarts::next_of_several(CellScanner& cursor) {
  const BlankLines before = blank_;
  while (!cursor.at_end()) {
    if (cursor.at_blank_line()) {
      count_blank_line(cursor.line());
    } else if (!cursor.at_comment()) {
      return true;
    }
    cursor.skip_line();
  }
  blank_ = before;  // lines after the last row
  return false;
}

bool RowStarts::next_of_one_column(CellScanner& cursor) {
  // Looks ahead once for all blank lines in a row.
  if (next_content_ == nullptr || cursor.mark() > next_content_) {
    CellScanner ahead = cursor;
    ahead.skip_empty_lines();
    if (ahead.at_end()) return false;
    next_content_ = ahead.mark();
  }
  while (cursor.at_comment()) cursor.skip_line();
  if (cursor.at_blank_line()) count_blank_line(cursor.line());
  return true;
}

}  // namespace knotwork::csv
