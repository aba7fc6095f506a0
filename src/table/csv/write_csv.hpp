// SPDX-License-Identifier: MIT
// These functions write the lines of a CSV text for to_csv().
#pragma once

#include <fmt/format.h>

#include <knotwork/table.hpp>

namespace knotwork::csv {

void append_names(const Table& table, fmt::memory_buffer& out);
void append_rows(const Table& table, fmt::memory_buffer& out);

}  // namespace knotwork::csv
