// SPDX-License-Identifier: MIT
// The requests for memory of a program that links counting.cpp.
#pragma once

#include <cstddef>

namespace knotwork {

std::size_t allocations_so_far();

// The bytes of the largest request since the last call.
std::size_t take_largest_allocation();

}  // namespace knotwork
