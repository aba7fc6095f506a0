// SPDX-License-Identifier: MIT
// The learned activations of a model, as a report shows them.
#pragma once

#include <span>
#include <vector>

#include <knotwork/model_report.hpp>

namespace knotwork::report {

// Those that moved farthest, if there are more than `most`; in the order of the model.
struct NeuronSelection {
  std::vector<NeuronReport> neurons;
  std::size_t in_all = 0;
};
NeuronSelection select_neurons(const Model& model, std::size_t most);

// What the neurons receive from the rows, and how they use their knots.
void add_use(std::vector<NeuronReport>& neurons, const Model& model, const Table& table,
             std::span<const std::size_t> rows, std::size_t threads);

// Curves over the range where they are drawn and, within reason, where inputs fall; with them the
// closest known functions.
void add_curves(std::vector<NeuronReport>& neurons, const Model& model);

// Their courses through the snapshots.
std::vector<SnapshotTimes> add_courses(std::vector<NeuronReport>& neurons, const Model& model);

// The curves that `planted` hides, beneath those of the neurons that found them.
void add_truth(std::vector<NeuronReport>& neurons, const Model& model);

}  // namespace knotwork::report
