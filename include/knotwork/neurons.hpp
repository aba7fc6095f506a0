// SPDX-License-Identifier: MIT
// These functions say what the neurons of a model receive, how they use their knots, and how far
// their curves moved from where they started. Layers, members and neurons are counted from 0;
// columns of tables are matched by name. A Monitor is only used during the call.
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
#include <knotwork/monitor.hpp>
#include <knotwork/names.hpp>
#include <knotwork/points.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

// --- What neurons receive ------------------------------------------------------------------------
//
// The inputs of the model's neurons, s = w x + b over the rows of a table, as histograms.
//
// A spline matters only where its neuron's inputs fall; the histogram under a curve shows where
// that is.

struct NeuronInputs {
  std::size_t member = 0;  // all three counted from 0
  std::size_t layer = 0;
  std::size_t neuron = 0;
  // Bins of equal width from the smallest to the largest input. If all inputs agree to 9 digits,
  // the bins cover a width of 1 (or more, beyond 1e9). Inputs that are not finite are left out.
  InputHistogram received;
};

// All neurons in the order of the model, over the given rows of the table (empty: all rows). Throws
// bad_option unless there is at least one bin, and bad_data when a column or a row does not exist
// in the table.
KNOTWORK_API std::vector<NeuronInputs> neuron_inputs(const Model& model, const Table& table,
                                                     std::span<const std::size_t> rows = {},
                                                     std::size_t bins = 40,
                                                     Monitor* monitor = nullptr);

// --- How knots are used --------------------------------------------------------------------------
//
// How a network uses its knots: the share of the neurons' inputs in the tails, the number of
// control points that no sample touches, and the spread of each layer's sums and outputs.
//
// Many samples in the tails, or many untouched points, mean that the range does not fit (fit-range
// fits it). A spread near 0 means that a layer passes on no information; a spread that grows from
// layer to layer means an exploding network.

// Rows whose sum s = w x + b is not finite are not counted for the neuron.
struct NeuronUse {
  // Shares of the samples left and right of the drawn range; 0 for activations other than splines.
  double left_tail = 0, right_tail = 0;
  // Control points that no sample touches: only penalties and chance determine the curve there.
  std::size_t untouched = 0;
  double input_spread = 0;   // standard deviation of s
  double output_spread = 0;  // standard deviation of phi(s)
  bool dead = false;         // the output spreads by less than a millionth of its size, or of 1
};

struct LayerUse {
  std::size_t member = 0;  // both counted from 0
  std::size_t layer = 0;
  bool splines = false;
  // Means over the neurons.
  double left_tail = 0, right_tail = 0;
  // Sums over the curves. A curve that a whole layer shares counts once; if other layers share it
  // too, their inputs are included.
  std::size_t untouched = 0, control_points = 0;
  // Roots of the mean squares over the neurons.
  double input_spread = 0, output_spread = 0;
  std::size_t dead = 0;
  std::vector<NeuronUse> neurons;
};

// All layers in the order of the model, over the given rows of the table (empty: all rows). Throws
// bad_data when a column or a row does not exist in the table.
KNOTWORK_API std::vector<LayerUse> knot_use(const Model& model, const Table& table,
                                            std::span<const std::size_t> rows = {},
                                            std::size_t threads = 1, Monitor* monitor = nullptr);

// --- Which curves moved --------------------------------------------------------------------------
//
// How far each learned curve moved from its initial curve.
//
// The distance of a spline is the area between its learned and its initial curve over the drawn
// range, divided by the length of that range and by the spread (largest minus smallest value) of
// the initial curve: at 0.5 the two curves are on average half the initial curve's height apart. If
// the initial curve is flat, its spread counts as 1.

struct MovedActivation {
  std::size_t member = 0;  // all three counted from 0
  std::size_t layer = 0;
  std::size_t neuron = 0;
  double distance = 0;
  FigurePoints learned;  // over the drawn range, ends included
  FigurePoints initial;  // at the same places
  FigurePoints control_points;
};

// The spline neurons of all members, at most `most` of them, sorted by distance, largest first;
// neurons of equal distance keep the order of the model. Other activations are skipped.
KNOTWORK_API std::vector<MovedActivation> moved_activations(
    const Model& model, std::size_t most = std::numeric_limits<std::size_t>::max(),
    Monitor* monitor = nullptr);

// --- Which known function a curve resembles -----------------------------------------------------
//
// The known function that a learned curve resembles: the one of a short list for which
//     a f(b s + c) + d
// is closest to the curve in the mean square, and R^2, the share of the curve's variance that it
// explains. The function is a description for readers; it never replaces the curve.
//
// The list starts with the simplest functions: among all functions within 0.005 of the best R^2
// (within 0.001 if the best explains 0.999), the first one is taken. `identity` is taken whenever
// its own R^2 is at least 0.98, because the slight bend of a nearly straight curve fits some
// function and says nothing. A function is a candidate only if its characteristic part is visible:
// its bend, its inflection, most of its peak, or between half a period and two periods of a wave. A
// sigmoid is a tanh with other a, b, c and d.

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
  double r2 = 0;  // 1: equal on all weighted points
};

// Fits the points of the curve, each with its weight (empty: equal weights). Returns nothing if
// fewer than 5 points have weight, a number is not finite, or the curve is flat. Throws bad_option
// unless there are as many weights as points, or none. Takes about a millisecond.
KNOTWORK_API std::optional<ClosestFunction> closest_function(const FigurePoints& curve,
                                                             std::span<const double> weights = {});

}  // namespace knotwork
