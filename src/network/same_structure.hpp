// SPDX-License-Identifier: MIT
// same_structure() is true for networks that differ at most in their numbers and knots.
#pragma once

#include <algorithm>

#include <knotwork/network.hpp>

namespace knotwork {

inline bool same_structure(const Layer& a, const Layer& b) {
  return a.inputs == b.inputs && a.outputs == b.outputs && a.kind == b.kind &&
         a.residual == b.residual && a.sharing == b.sharing &&
         a.activation->name() == b.activation->name();
}

inline bool same_structure(const Network& a, const Network& b) {
  return std::equal(a.layers().begin(), a.layers().end(), b.layers().begin(), b.layers().end(),
                    [](const Layer& x, const Layer& y) { return same_structure(x, y); });
}

}  // namespace knotwork
