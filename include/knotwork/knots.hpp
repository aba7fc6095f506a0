// SPDX-License-Identifier: MIT
// Knots that follow the data: the splines of a network moved to where their neurons' inputs fall,
// and refined. training does both by the options fit-range, refit-range and halve-step. Banks are
// left alone: their knots are where their inputs are from the start. Layers that share a curve move
// it once, to where all of them need it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/network.hpp>

namespace knotwork {

// Whose inputs a range is fitted to: those of each neuron, or of all neurons of its layer.
enum class FitRange { none, neuron, layer };
KNOTWORK_API std::string_view to_string(FitRange which);
KNOTWORK_API FitRange fit_range_from_name(std::string_view name);
KNOTWORK_API std::vector<std::string> fit_range_names();

// Curves that are still the initial function (with its noise) are sampled anew from it: its own
// values reach beyond the old range, where the curve had only a straight tail. Learned curves, and
// their anchors, are carried over by refitted().
enum class CurveState { initial, learned };

// Gives the splines of a network, layer after layer from the first, the range that their neurons
// receive over these rows of (scaled) inputs: drawn from the 0.5 % to the 99.5 % quantile of
// s = w x + b, and 5 % of that beyond either end. A neuron that receives only one value (to 4
// digits) keeps its range. No range becomes narrower than a tenth of that which the splines began
// with: a curve on less than that is a straight line, and penalties grow with 1/step^3.
// The number of control points stays. Rows count alike; values that are not finite do not count.
KNOTWORK_API void fit_range(Network& network, MatrixView<const double> inputs, FitRange which,
                            CurveState state, std::size_t threads = 1);

// The same network with half the step between the knots of all its splines: 2Q - 3 control points
// in place of Q, anchors likewise. Outputs move by what halved() states, if at all.
KNOTWORK_API Network with_half_step(const Network& network);

}  // namespace knotwork
