// SPDX-License-Identifier: MIT
// The known functions with what closest_function() has to try for each of them.
#pragma once

#include <span>
#include <vector>

#include <knotwork/neurons.hpp>

namespace knotwork::analysis {

// What of b s + c = (s - place) / width matters beside the factor a and the constant d: a wider
// relu is a smaller one, and a shifted exponential a larger one.
enum class Freedom { none, place, width, both };

struct SearchedFunction {
  KnownFunction function;
  Freedom freedom = Freedom::none;
  // Farthest place if the curve goes from -1 to 1: what makes the function must be seen.
  double farthest = 1;
  bool mirrored = false;  // f(-x) is another function, whatever a and d
  bool jumps = false;     // where it does is a matter of points, and not of derivatives
  bool periodic = false;
};

// In the order of known_functions().
std::span<const SearchedFunction> searched_functions();

}  // namespace knotwork::analysis
