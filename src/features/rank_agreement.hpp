// SPDX-License-Identifier: MIT
// Processes that train together must see the same table and compute alike.
#pragma once

#include "table/table_reader.hpp"

#include <knotwork/ranks.hpp>
#include <knotwork/task.hpp>

namespace knotwork::features {

// Throws bad_data or bad_option on a rank whose version, instruction set or table differs from what
// rank 0 has: the columns, their texts, the number of rows and the cells (of a .npy file, which
// brings no hash of them, those of some rows).
// `ranks` are null for a process alone.
void check_agreement(Ranks* ranks, const table::TableReader& table);

// Whether all ranks see one file, on one disk or in one network. Copies have other numbers or times
// there.
bool is_one_file(Ranks& ranks, const table::TableReader& table);

// The first one for what is asked of the table: throws bad_option.
void check_agreement(Ranks* ranks, const TableTask& task, std::uint64_t seed);

}  // namespace knotwork::features
