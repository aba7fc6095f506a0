// SPDX-License-Identifier: MIT
// Which neurons found the curves that the built-in set `planted` hides, and those curves as the
// neurons would have to have them.
//
// A neuron of the first dense layer sees a projection of the inputs. It belongs to the planted
// curve whose projection is closest to its own, if the cosine between them is at least 0.9 in
// absolute value. That curve f, as a function of what the neuron receives, is then laid over the
// learned one by a factor and a constant (a f + d), since both are the next layer's business: least
// squares, in which places count as often as the inputs of `planted` come there. A neuron whose
// learned curve it explains less than half of (R^2, counted likewise) found something else.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <knotwork/model.hpp>
#include <knotwork/points.hpp>

namespace knotwork::analysis {

struct FoundCurve {
  std::size_t member = 0;  // all three counted from 0
  std::size_t layer = 0;
  std::size_t neuron = 0;
  std::string name;    // of the planted curve
  double cosine = 0;   // between the projections
  FigurePoints truth;  // over the range where the learned curve is drawn
};

// Of splines only. Empty unless the model's inputs and its target are called as those of `planted`,
// the inputs are scaled linearly and reach dense neurons at once, and the name of its data, where
// it is known, has "planted" in it.
std::vector<FoundCurve> find_planted(const Model& model);

}  // namespace knotwork::analysis
