// SPDX-License-Identifier: MIT
// The curves that the built-in set `planted` hides, and the neurons that found them.
//
// A neuron of the first dense layer receives a projection of the inputs. It belongs to the planted
// curve whose projection is closest to its own, if the cosine between the projections is at least
// 0.9 in absolute value. That curve f, as a function of what the neuron receives, is then fitted to
// the learned curve with a factor and a constant (a f + d), because the next layer can apply both.
// The fit uses least squares weighted by the density of the inputs of `planted`. A neuron belongs
// to no planted curve if f explains less than half of its learned curve (R^2 with the same
// weights).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <knotwork/model.hpp>
#include <knotwork/points.hpp>

namespace knotwork::analysis {

struct FoundCurve {
  std::size_t member = 0;  // all three are counted from 0
  std::size_t layer = 0;
  std::size_t neuron = 0;
  std::string name;    // of the planted curve
  double cosine = 0;   // between the projections
  FigurePoints truth;  // over the range where the learned curve is drawn
};

// For splines only. Empty unless the model's inputs and target have the names of those in
// `planted`, the inputs are scaled linearly and go to dense neurons directly, and the name of the
// model's data, if known, contains "planted".
std::vector<FoundCurve> find_planted(const Model& model);

}  // namespace knotwork::analysis
