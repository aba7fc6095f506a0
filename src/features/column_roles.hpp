// SPDX-License-Identifier: MIT
// What each column of a table is for.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <knotwork/columns.hpp>
#include <knotwork/task.hpp>

namespace knotwork::features {

struct Roles {
  std::vector<std::size_t> targets, inputs;
};

// Throws bad_option where a column would have two roles, bad_data where none is left to learn from.
// Of the table, names count.
Roles find_roles(const Table& table, const TableTask& task);

// An input of the model to start from stays one: throws bad_option unless it does.
void check_start(const TableTask& task, std::span<const InputColumn> inputs);

// The input that holds the numbers of a column. Throws bad_option if there is none.
std::size_t numeric_input(const std::vector<InputColumn>& inputs, std::string_view column);

}  // namespace knotwork::features
