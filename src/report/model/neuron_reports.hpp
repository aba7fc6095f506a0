// SPDX-License-Identifier: MIT
// The learned activations of a model, as its report shows them. Monitors may be null.
#pragma once

#include <span>
#include <vector>

#include <knotwork/model_report.hpp>

namespace knotwork::report {

// The neurons that moved farthest, if there are more than `most`; in the order of the model.
struct NeuronSelection {
  std::vector<NeuronReport> neurons;
  std::size_t in_all = 0;
};
NeuronSelection select_neurons(const Model& model, std::size_t most, const Monitor* monitor);

// Adds what the neurons receive from the rows, and how they use their knots.
void add_use(std::vector<NeuronReport>& neurons, const Model& model, const Table& table,
             std::span<const std::size_t> rows, std::size_t threads, Monitor* monitor);

// Adds the curves, over the ranges where they are drawn, extended to most of the inputs, and the
// closest known functions.
void add_curves(std::vector<NeuronReport>& neurons, const Model& model, Monitor* monitor);

// Adds the courses of the curves through the snapshots.
std::vector<SnapshotTimes> add_courses(std::vector<NeuronReport>& neurons, const Model& model,
                                       const Monitor* monitor);

// Adds the curves that `planted` hides to the neurons that found them.
void add_truth(std::vector<NeuronReport>& neurons, const Model& model);

}  // namespace knotwork::report
