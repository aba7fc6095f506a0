// SPDX-License-Identifier: MIT
// How many knots a spline may have.
#pragma once

#include <cstddef>

namespace knotwork {

inline constexpr std::size_t kMinKnots = 4;
// A model file can ask for so many before it is known to have numbers for them: 8 bytes each.
inline constexpr std::size_t kMaxKnots = 100'000;

}  // namespace knotwork
