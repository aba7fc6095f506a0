// SPDX-License-Identifier: MIT
// What the neurons of a model do: what they receive, how they use their knots, and how far their
// curves moved from where they started. Layers, members and neurons are counted from 0; columns of
// tables are matched by name.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/model.hpp>
#include <knotwork/names.hpp>
#include <knotwork/points.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

// --- What neurons receive ------------------------------------------------------------------------
//
// What the neurons of a model really receive: s = w x + b over the rows of a table, as histograms.
//
// A spline matters only where its neuron's inputs fall; the histogram under a curve shows where
// that is.

struct NeuronInputs {
  std::size_t member = 0;  // all three counted from 0
  std::size_t layer = 0;
  std::size_t neuron = 0;
  // Bins of one width from the smallest to the largest input; if all are the same
  // to 9 digits, together 1 wide (or, beyond 1e9, wider). Inputs that are not finite are left out.
  InputHistogram received;
};

// All neurons in the order of the model, over the given rows of the table (none given: all of
// them). Columns are matched by name. Throws bad_option unless there is at least one bin, and
// bad_data when the table lacks a column or a row.
KNOTWORK_API std::vector<NeuronInputs> neuron_inputs(const Model& model, const Table& table,
                                                     std::span<const std::size_t> rows = {},
                                                     std::size_t bins = 40);

// --- How knots are used --------------------------------------------------------------------------
//
// How a network uses its knots: which share of what its neurons receive lies in the tails, how many
// control points no sample touches, and how widely sums and outputs of each layer spread.
//
// Many samples in the tails, or many idle points: the range does not fit (fit-range fits it). A
// spread near 0 is a layer that says nothing, one that grows from layer to layer an exploding
// network.

// Rows whose sums s = w x + b are not finite are not counted for the neuron.
struct NeuronUse {
  // Shares of the samples left and right of the drawn range; 0 for other activations than splines.
  double left_tail = 0, right_tail = 0;
  // Control points that no sample touches: the curve there is left to penalties and to chance.
  std::size_t untouched = 0;
  double input_spread = 0;   // standard deviation of s
  double output_spread = 0;  // and of phi(s)
  bool dead = false;         // the output spreads by less than a millionth of its size, or of 1
};

struct LayerUse {
  std::size_t member = 0;  // both counted from 0
  std::size_t layer = 0;
  bool splines = false;
  // Means over the neurons.
  double left_tail = 0, right_tail = 0;
  // Sums over the curves; one that a whole layer shares counts once, and if other layers share it
  // too, what they receive counts as well.
  std::size_t untouched = 0, control_points = 0;
  // Roots of the mean squares over the neurons.
  double input_spread = 0, output_spread = 0;
  std::size_t dead = 0;
  std::vector<NeuronUse> neurons;
};

// All layers in the order of the model, over the given rows of the table (none given: all of them).
// Columns are matched by name. Throws bad_data when the table lacks a column or a row.
KNOTWORK_API std::vector<LayerUse> knot_use(const Model& model, const Table& table,
                                            std::span<const std::size_t> rows = {},
                                            std::size_t threads = 1);

// --- Which curves moved --------------------------------------------------------------------------
//
// Which neurons made the most of their freedom: learned curves beside those they started from.
//
// The distance of a spline is the area between its learned and its initial curve over the range
// where the curve is drawn, divided by the length of that range and by the spread (largest minus
// smallest value) of the initial curve: 0.5 means that the two are on average half the initial
// curve's height apart. Where the initial curve is flat, its spread counts as 1.

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

// --- Which known function a curve resembles -----------------------------------------------------
//
// Which known function a learned curve resembles: the one of a short list for which
//     a f(b s + c) + d
// comes closest to the curve in the mean square, and R^2, the share of the curve's variance that it
// explains. A description for people; the function is never put in the curve's place.
//
// The list begins with the simplest: of all that are as good as the best to 0.005 of R^2 (to
// 0.001 if the best explains 0.999) the first one is taken, and the `identity` wherever its own R^2
// is at least 0.98: the slight bend of a nearly straight curve is always some function's and says
// nothing. What makes a function must be seen: its
// bend, its inflection or most of its peak, of a wave a half to two periods. A sigmoid is a tanh
// with other a, b, c and d.

struct KnownFunction {
  std::string name;
  std::string formula;  // "log(1 + exp(x))"
  std::function<double(double)> value;
};
// identity, relu, absolute, step, square, cube, exponential, softplus, tanh, gaussian, sine
KNOTWORK_API const NamedTable<KnownFunction>& known_functions();

struct ClosestFunction {
  std::string name;
  double a = 1, b = 1, c = 0, d = 0;
  double r2 = 0;  // 1: the same where it counts
};

// Over the points of the curve, each counting by its weight (none given: all equally). Nothing if
// fewer than 5 points count, a number is not finite, or the curve is flat. Throws bad_option unless
// there are as many weights as points, or none. Takes about a millisecond.
KNOTWORK_API std::optional<ClosestFunction> closest_function(const FigurePoints& curve,
                                                             std::span<const double> weights = {});

}  // namespace knotwork
