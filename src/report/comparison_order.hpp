// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <knotwork/comparison.hpp>

namespace knotwork::report {

// Indices of the variants, ordered by rank; variants with equal ranks in the order given.
std::vector<std::size_t> best_first(const ComparisonResult& result);

}  // namespace knotwork::report
