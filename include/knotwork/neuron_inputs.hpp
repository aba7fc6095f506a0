// SPDX-License-Identifier: MIT
// What the neurons of a model really receive: s = w x + b over the rows of a table, as histograms.
//
// A spline matters only where its neuron's inputs fall; the histogram under a curve shows where
// that is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/figures.hpp>
#include <knotwork/model.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

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

}  // namespace knotwork
