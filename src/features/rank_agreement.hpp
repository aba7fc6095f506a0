// SPDX-License-Identifier: MIT
// check_agreement() checks that processes that train together see the same table and compute in the
// same way.
#pragma once

#include <string>

#include "table/table_reader.hpp"

#include <knotwork/ranks.hpp>
#include <knotwork/task.hpp>

namespace knotwork::features {

// Throws bad_data or bad_option on a rank whose version, instruction set or table differs from that
// of rank 0. It compares the columns, their texts, the number of rows and the hash of the cells; a
// .npy file has no hash, so the cells of some rows are compared instead. `ranks` is null for a
// single process.
void check_agreement(Ranks* ranks, const table::TableReader& table);

// Whether all ranks see the same file, on a local or network disk. A copy has another file number
// or time.
bool is_one_file(Ranks& ranks, const std::string& path);

// Checks the task and the seed in the same way: throws bad_option.
void check_agreement(Ranks* ranks, const TableTask& task, std::uint64_t seed);

}  // namespace knotwork::features
