// SPDX-License-Identifier: MIT
#include <knotwork/table.hpp>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include <knotwork/named_table.hpp>

#include "base/fail.hpp"

namespace knotwork {
namespace {

// Every character that any reader might take for a delimiter, a quote or padding.
bool needs_quotes(std::string_view name) {
  return name.empty() || name.find_first_of(",;\t|:\"\r\n") != std::string_view::npos ||
         name.starts_with(' ') || name.ends_with(' ') || name.starts_with("\xEF\xBB\xBF");
}

void append_name(fmt::memory_buffer& out, std::string_view name) {
  if (!needs_quotes(name)) {
    out.append(name);
    return;
  }
  out.push_back('"');
  for (const char c : name) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
}

}  // namespace

std::size_t Table::index_of(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string close = closest_name(name, names);
  if (!close.empty()) {
    fail(ErrorKind::bad_data, "{} has no column called '{}'; did you mean '{}'?", source, name,
         close);
  }
  // Wide tables would bury the message under their names.
  constexpr std::size_t kMostListed = 20;
  std::string list;
  for (std::size_t c = 0; c < std::min(names.size(), kMostListed); ++c) {
    list += (c == 0 ? "" : ", ") + names[c];
  }
  if (names.size() > kMostListed) {
    list += fmt::format(" and {} more", names.size() - kMostListed);
  }
  fail(ErrorKind::bad_data, "{} has no column called '{}'; its columns are {}.", source, name,
       list);
}

void Table::check() const {
  const bool same_rows = std::all_of(columns.begin(), columns.end(),
                                     [&](const auto& column) { return column.size() == rows(); });
  if (names.size() != columns.size() || !same_rows) {
    fail(ErrorKind::bad_data,
         "The table '{}' cannot be used: it needs one name for each of its {} columns, all of the "
         "same number of rows.",
         source, columns.size());
  }
}

std::string to_csv(const Table& table) {
  table.check();
  const std::size_t width = table.columns.size();
  fmt::memory_buffer out;
  for (std::size_t c = 0; c < width; ++c) {
    if (c != 0) out.push_back(',');
    append_name(out, table.names[c]);
  }
  out.push_back('\n');
  for (std::size_t r = 0; r < table.rows(); ++r) {
    for (std::size_t c = 0; c < width; ++c) {
      if (c != 0) out.push_back(',');
      fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), table.columns[c][r]);
    }
    out.push_back('\n');
  }
  return fmt::to_string(out);
}

}  // namespace knotwork
