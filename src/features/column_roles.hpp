// SPDX-License-Identifier: MIT
// Roles say what each column of a table is used for.
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

// Throws bad_option if a column would have two roles, bad_data if no input column is left. Only the
// names of `table` are used.
Roles find_roles(const Table& table, const TableTask& task);

// Throws bad_option unless every input of the model that training starts from is still an input.
void check_start(const TableTask& task, std::span<const InputColumn> inputs);

// Index of the input with the numbers of a column. Throws bad_option if there is none.
std::size_t numeric_input(const std::vector<InputColumn>& inputs, std::string_view column);

}  // namespace knotwork::features
