// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <knotwork/table_training.hpp>

namespace knotwork {

// Labels of the classes that a target column holds: texts in the order of their bytes, numbers in
// their own. Empty if it is a column of numbers to predict: because the task says so, or, where it
// does not say, by the guess; a guess from numbers leaves a remark. Throws bad_data.
std::vector<std::string> find_classes(const Table& table, std::size_t column,
                                      std::optional<TaskKind> kind,
                                      std::vector<std::string>& remarks);

}  // namespace knotwork
