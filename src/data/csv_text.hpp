// SPDX-License-Identifier: MIT
// How texts of cells are read as numbers, and how options and names are shown in messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/shown.hpp"

namespace knotwork::csv {

enum class NumberText { number, not_finite, out_of_range, word };

// Reads a whole cell without surrounding blanks; a leading '+' is accepted. `value` is set for
// `number` only. Magnitudes too small for a double round to zero, as nearest numbers do.
NumberText parse_number(std::string_view cell, double& value, char decimal = '.');

// "NA", "?" and the like: says that a value is missing, not what a column means.
bool is_missing_word(std::string_view cell);

using knotwork::is_utf8;
using knotwork::shown;

// "--missing abc": an option of the program as one would type it.
std::string shown_option(std::string_view option, std::string_view value);

// Where a table has one column whose name holds what may stand between cells: " (--delimiter ...)".
std::string delimiter_advice(const std::vector<std::string>& names);

}  // namespace knotwork::csv
