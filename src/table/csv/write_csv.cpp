// SPDX-License-Identifier: MIT
#include "table/csv/write_csv.hpp"

#include <fmt/compile.h>

#include <cmath>
#include <iterator>
#include <string_view>

#include "table/csv/cells/date_seconds.hpp"

namespace knotwork::csv {
namespace {

// True if any reader might take a character for a delimiter, a quote or padding.
bool needs_quotes(std::string_view text) {
  return text.empty() || text.find_first_of(",;\t|:\"\r\n") != std::string_view::npos ||
         text.starts_with(' ') || text.ends_with(' ') || text.starts_with("\xEF\xBB\xBF");
}

void append_text(fmt::memory_buffer& out, std::string_view text) {
  if (!needs_quotes(text)) {
    out.append(text);
    return;
  }
  out.push_back('"');
  for (const char c : text) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
}

void append_cell(fmt::memory_buffer& out, const Table& table, std::size_t row, std::size_t column) {
  const double cell = table.columns[column][row];
  if (std::isnan(cell)) {
    // A row of one empty cell would be a blank line.
    if (table.columns.size() == 1) out.append(std::string_view("\"\""));
  } else if (table.is_text(column)) {
    append_text(out, table.labels[column][static_cast<std::size_t>(cell)]);
  } else if (table.is_date(column) && is_in_calendar(cell)) {
    out.append(iso_date(cell));
  } else {
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), cell);
  }
}

}  // namespace

void append_names(const Table& table, fmt::memory_buffer& out) {
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    if (c != 0) out.push_back(',');
    append_text(out, table.names[c]);
  }
  out.push_back('\n');
}

void append_rows(const Table& table, fmt::memory_buffer& out) {
  const std::size_t width = table.columns.size();
  for (std::size_t r = 0; r < table.rows(); ++r) {
    for (std::size_t c = 0; c < width; ++c) {
      if (c != 0) out.push_back(',');
      append_cell(out, table, r, c);
    }
    out.push_back('\n');
  }
}

}  // namespace knotwork::csv
