// SPDX-License-Identifier: MIT
// difference_between() measures how much one evaluation of the objective differs between
// instruction sets.
#pragma once

#include <string>

#include <knotwork/network.hpp>

namespace knotwork {

inline constexpr std::size_t kComparedNetworks = 20;

// The largest differences over the networks: of the value relative to it, of the gradient in the
// Euclidean norm relative to its norm.
struct Difference {
  double value = 0;
  double gradient = 0;
};

// Evaluates random networks with all activations on random rows, on one set and on another. Leaves
// the best set pinned.
Difference difference_between(const std::string& set, const std::string& other,
                              Precision precision);

}  // namespace knotwork
