// SPDX-License-Identifier: MIT
// These functions count the allocations of a program that links counting.cpp.
#pragma once

#include <cstddef>

namespace knotwork {

std::size_t allocations_so_far();

// The size of the largest allocation since the last call.
std::size_t take_largest_allocation();

}  // namespace knotwork
