// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <knotwork/comparison.hpp>

namespace knotwork::report {

// Numbers of the variants by rank; of equal ones, as they were given.
std::vector<std::size_t> best_first(const ComparisonResult& result);

}  // namespace knotwork::report
