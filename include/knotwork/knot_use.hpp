// SPDX-License-Identifier: MIT
// How a network uses its knots: which share of what its neurons receive lies in the tails, how many
// control points no sample touches, and how widely sums and outputs of each layer spread.
//
// Many samples in the tails, or many idle points: the range does not fit (fit-range fits it). A
// spread near 0 is a layer that says nothing, one that grows from layer to layer an exploding
// network.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/model.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

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

}  // namespace knotwork
