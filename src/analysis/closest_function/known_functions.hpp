// SPDX-License-Identifier: MIT
// The known functions, with the parameters that closest_function() searches for each of them.
#pragma once

#include <span>
#include <vector>

#include <knotwork/neurons.hpp>

namespace knotwork::analysis {

// The parts of b s + c = (s - place) / width that matter in addition to the factor a and the
// constant d. For example, a wider relu equals a smaller one, and a shifted exponential equals a
// larger one.
enum class Freedom { none, place, width, both };

struct SearchedFunction {
  KnownFunction function;
  Freedom freedom = Freedom::none;
  // The farthest place if the curve goes from -1 to 1: the part that characterizes the function
  // must be visible.
  double farthest = 1;
  bool mirrored = false;  // f(-x) differs from f for every a and d
  bool jumps = false;     // the place of the jump depends on the points, not on derivatives
  bool periodic = false;
};

// The order is that of known_functions().
std::span<const SearchedFunction> searched_functions();

}  // namespace knotwork::analysis
