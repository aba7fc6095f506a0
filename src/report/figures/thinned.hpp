// SPDX-License-Identifier: MIT
// Curve thinning: the same look with fewer points.
#pragma once

#include <knotwork/figures.hpp>

namespace knotwork::report {

// Leaves out points of a curve whose x values increase, as long as the lines between the remaining
// points differ from the curve by at most `tolerance` times its height (D. Douglas and T. Peucker,
// 1973, with vertical distances). A curve with a value that is not finite does not change.
FigurePoints thinned(const FigurePoints& curve, double tolerance);

}  // namespace knotwork::report
