// SPDX-License-Identifier: MIT
// What each column of a table is for.
#pragma once

#include <cstddef>
#include <vector>

#include <knotwork/table_training.hpp>

namespace knotwork {

struct Roles {
  std::vector<std::size_t> targets, inputs;
};

// Throws bad_option where a column would have two roles, bad_data where none is left to learn from.
// Of the table, names count.
Roles find_roles(const Table& table, const TableTask& task);

// An input of the model to start from stays one: throws bad_option unless it does.
void check_start(const TableTask& task, const Model& start);

}  // namespace knotwork
