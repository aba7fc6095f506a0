// SPDX-License-Identifier: MIT
// A table whose rows have a time is often tested better on its last rows than on rows drawn at
// random, which are surrounded by training rows of the same days.
#pragma once

#include <optional>
#include <span>

#include "table/table_reader.hpp"

#include <knotwork/columns.hpp>
#include <knotwork/error.hpp>

namespace knotwork::features {

// A remark on a test part drawn at random, if one of the inputs is a date. Some rows at equal
// distances show whether the rows are in the order of the dates.
std::optional<Remark> remark_on_time(const table::TableReader& table,
                                     std::span<const InputColumn> inputs);

}  // namespace knotwork::features
