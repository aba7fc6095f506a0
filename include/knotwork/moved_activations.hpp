// SPDX-License-Identifier: MIT
// Which neurons made the most of their freedom: learned curves beside those they started from.
//
// The distance of a spline is the area between its learned and its initial curve over the range
// where the curve is drawn, divided by the length of that range and by the spread (largest minus
// smallest value) of the initial curve: 0.5 means that the two are on average half the initial
// curve's height apart. Where the initial curve is flat, its spread counts as 1.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/figures.hpp>
#include <knotwork/model.hpp>

namespace knotwork {

struct MovedActivation {
  std::size_t member = 0;  // all three counted from 0
  std::size_t layer = 0;
  std::size_t neuron = 0;
  double distance = 0;
  FigurePoints learned;  // over the drawn range, ends included
  FigurePoints initial;  // at the same places
  FigurePoints control_points;
};

// The spline neurons of all members, at most `most` of them: those that moved farthest first, and
// among equal ones in the order of the model. Other activations are passed over.
KNOTWORK_API std::vector<MovedActivation> moved_activations(
    const Model& model, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace knotwork
