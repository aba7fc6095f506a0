// SPDX-License-Identifier: MIT
// How the cells of columns are read, as JSON, for table files and model files.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include <knotwork/table.hpp>

namespace knotwork::table {

// A list of objects: `column`, and of date, prefix, suffix, group and decimal_comma those that are
// not empty.
nlohmann::json formats_to_json(const std::vector<ColumnFormat>& formats);
// Empty if the formats contradict themselves or each other, or a value has another type.
std::optional<std::vector<ColumnFormat>> formats_from(const nlohmann::json& json);

}  // namespace knotwork::table
