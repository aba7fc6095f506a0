// SPDX-License-Identifier: MIT
// choose_columns() decides which columns of a table are read, and in which order, for every kind of
// table.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/row_source.hpp>

namespace knotwork::table {

// The number of the column with this name. Throws bad_data with the closest name when there is
// none.
std::size_t index_of(const std::string& source, const std::vector<std::string>& names,
                     std::string_view name);

struct ColumnChoice {
  std::vector<std::size_t> chosen;  // in the order in which they are read
  std::vector<bool> is_chosen;      // for each column of the table
};

// The columns with these names in their order, or all columns. Throws bad_data for a name that does
// not exist, and bad_option for an empty list or a repeated name.
ColumnChoice choose_columns(const std::string& source, const std::vector<std::string>& names,
                            const std::optional<std::vector<std::string>>& only);

// The schema of the chosen columns. Columns that are left out become unread ones.
Schema schema_of_chosen(const Schema& all, const ColumnChoice& choice);

}  // namespace knotwork::table
