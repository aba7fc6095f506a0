// SPDX-License-Identifier: MIT
// The lines of a CSV text, as to_csv() puts them together.
#pragma once

#include <fmt/format.h>

#include <knotwork/table.hpp>

namespace knotwork::csv {

void append_names(const Table& table, fmt::memory_buffer& out);
void append_rows(const Table& table, fmt::memory_buffer& out);

}  // namespace knotwork::csv
