// SPDX-License-Identifier: MIT
#include "table/csv/cell_scanner.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
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

char guess_delimiter(std::string_view text, bool decimal_comma, bool* whole_line) {
  if (whole_line) *whole_line = false;
  constexpr std::array<char, 4> kCandidates{'\t', ';', '|', ','};
  std::array<std::size_t, kCandidates.size()> counts{};
  std::size_t decimal_commas = 0;
  // A quote opens a quoted cell only where a cell starts; elsewhere (5" pipe) it is a character.
  bool cell_start = true;
  bool blank = true;
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p != end; ++p) {
    if (*p == '\n' || *p == '\r') {
      if (!blank) {
        if (whole_line) *whole_line = true;
        break;
      }
      counts = {};
      cell_start = true;
      continue;
    }
    blank = blank && (*p == ' ' || *p == '\t');
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
  if (*most == 0) return decimal_comma ? ';' : ',';
  return kCandidates[static_cast<std::size_t>(most - counts.begin())];
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
  const char* const end = past_blanks(result.ptr);
  return ends_cell(end) ? Number{end, value} : Number{};
}

Cell CellScanner::take_cell() {
  const char* const first = past_blanks(at_);
  if (first != end_ && *first == '"') return take_quoted_cell(first + 1);
  const char* last = first;
  while (!ends_cell(last)) ++last;
  at_ = last;
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
      take_line_end();
    } else {
      ++at_;
    }
  }
  at_ = past_blanks(last + 1);
  if (!ends_cell(at_)) cell.defect = Cell::Defect::text_after_quote;
  return cell;
}

}  // namespace knotwork::csv
