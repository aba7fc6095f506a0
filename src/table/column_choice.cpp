// SPDX-License-Identifier: MIT
#include "table/column_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/fail.hpp"
#include "table/csv/cell_value.hpp"

#include <knotwork/names.hpp>

namespace knotwork::table {

using csv::shown;

std::size_t index_of(const std::string& source, const std::vector<std::string>& names,
                     std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string close = closest_name(name, names);
  if (!close.empty()) {
    fail(ErrorKind::bad_data, in_file(source), "has no column called '{}'; did you mean '{}'?",
         shown(name), shown(close));
  }
  // The names of a wide table would hide the message.
  constexpr std::size_t kMostListed = 20;
  std::string list;
  for (std::size_t c = 0; c < std::min(names.size(), kMostListed); ++c) {
    list += (c == 0 ? "" : ", ") + shown(names[c]);
  }
  if (names.size() > kMostListed) {
    list += fmt::format(" and {} more", names.size() - kMostListed);
  }
  fail(ErrorKind::bad_data, in_file(source), csv::delimiter_hint(names),
       "has no column called '{}'; its columns are {}.", shown(name), list);
}

ColumnChoice choose_columns(const std::string& source, const std::vector<std::string>& names,
                            const std::optional<std::vector<std::string>>& only) {
  ColumnChoice choice;
  choice.is_chosen.assign(names.size(), !only);
  if (!only) {
    choice.chosen.resize(names.size());
    std::iota(choice.chosen.begin(), choice.chosen.end(), std::size_t{0});
    return choice;
  }
  if (only->empty()) {
    fail(ErrorKind::bad_option, about_file(source),
         "The list of columns to read from {} is empty; name at least one, or leave out the list "
         "to read all.",
         source);
  }
  for (const std::string& name : *only) {
    const std::size_t column = index_of(source, names, name);
    if (choice.is_chosen[column]) {
      fail(ErrorKind::bad_option, about_file(source),
           "Column '{}' of {} is requested twice; name it once.", shown(name), source);
    }
    choice.is_chosen[column] = true;
    choice.chosen.push_back(column);
  }
  return choice;
}

Schema schema_of_chosen(const Schema& all, const ColumnChoice& choice) {
  Schema some{.source = all.source,
              .names = {},
              .cells = all.cells,
              .unread = all.unread,
              .remarks = all.remarks,
              .has_header = all.has_header};
  for (const std::size_t column : choice.chosen) {
    some.names.push_back(all.names[column]);
    if (!all.labels.empty()) some.labels.push_back(all.labels[column]);
    if (!all.dates.empty()) some.dates.push_back(all.dates[column]);
    some.positions.push_back(all.positions.empty() ? column + 1 : all.positions[column]);
  }
  const std::set<std::string_view> chosen(some.names.begin(), some.names.end());
  std::erase_if(some.cells.columns,
                [&](const ColumnFormat& format) { return !chosen.contains(format.column); });
  for (std::size_t c = 0; c < all.names.size(); ++c) {
    if (!choice.is_chosen[c]) some.unread.push_back(all.names[c]);
  }
  // If all columns are chosen in their order, positions need not be listed.
  const bool is_whole = std::is_sorted(choice.chosen.begin(), choice.chosen.end()) &&
                        choice.chosen.size() == all.names.size();
  if (is_whole) some.positions = all.positions;
  return some;
}

}  // namespace knotwork::table
