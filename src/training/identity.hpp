// SPDX-License-Identifier: MIT
// What the result of a training depends on, so that a checkpoint can be told from another's.
#pragma once

#include <string>

#include <knotwork/checkpoint.hpp>
#include <knotwork/options.hpp>
#include <knotwork/training.hpp>

namespace knotwork {

// The first fields of a state, and nothing else. `start` is the model to start from, or null.
TrainingState training_identity(const TrainingData& data, const Partition& partition,
                                const TrainOptions& options, const Model* start);

// A sentence about what in `now` differs from what was kept and what to do about it; empty if
// nothing does.
std::string difference(const TrainingState& kept, const TrainingState& now);

}  // namespace knotwork
