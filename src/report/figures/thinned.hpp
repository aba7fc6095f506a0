// SPDX-License-Identifier: MIT
// Curves of fewer points that look the same.
#pragma once

#include <knotwork/figures.hpp>

namespace knotwork::report {

// Leaves out points of a curve that goes from left to right as long as the lines between the others
// stay within `tolerance` of its height from it (D. Douglas and T. Peucker, 1973, with vertical
// distances). A curve with a value that is not finite stays as it is.
FigurePoints thinned(const FigurePoints& curve, double tolerance);

}  // namespace knotwork::report
