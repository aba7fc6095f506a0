// SPDX-License-Identifier: MIT
// DATA on the command line: a file, - for standard input, or builtin:NAME.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <knotwork/table.hpp>

namespace knotwork::cli {

inline constexpr const char* kDataHelp =
    "a CSV file, - for standard input, or builtin:NAME (planted, friedman1, sinc, spirals)";

Table load_table(const std::string& data, std::uint64_t seed);
// One row number on each line, counted from 0, none of them twice.
std::vector<std::size_t> read_row_numbers(const std::string& path);

}  // namespace knotwork::cli
