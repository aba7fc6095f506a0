// SPDX-License-Identifier: MIT
// How deep the names of a TOML text go, found out before it is parsed: toml++ makes a table for
// each part of a.b.c without end, and tables in tables are destroyed by calls in calls.
#pragma once

#include <cstddef>
#include <string_view>

namespace knotwork::cli {

// The first line with a name of more than `parts` parts, or 0.
std::size_t find_long_name(std::string_view text, std::size_t parts);

}  // namespace knotwork::cli
