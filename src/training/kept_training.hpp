// SPDX-License-Identifier: MIT
// A training whose checkpoints have begun.
#pragma once

#include <knotwork/checkpoint.hpp>
#include <knotwork/training.hpp>

namespace knotwork {

// As train(), but the checkpoints, if there are any, know already what the result depends on.
Model train_kept(const TrainingData& data, const Partition& partition, const TrainOptions& options,
                 const TrainObserver& observer, const Model* start, Checkpoints* checkpoints);

}  // namespace knotwork
