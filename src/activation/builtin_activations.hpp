// SPDX-License-Identifier: MIT
// What files of activations and their export share.
#pragma once

#include "activation/settings.hpp"

#include <knotwork/activation.hpp>

namespace knotwork {

// Those made of powers are fitted to their start on [-range, range], and straight beyond twice
// that.
constexpr double kBoundInRanges = 2;

}  // namespace knotwork
