// SPDX-License-Identifier: MIT
// The networks of a model: built, and trained one by one or side by side.
#pragma once

#include "training/data/training_rows.hpp"
#include "training/run/stage_runner.hpp"

#include <knotwork/training.hpp>

namespace knotwork::training {

// As many networks as the ensemble has, each from a seed of its own; the first from the seed given.
std::vector<Network> build_members(const Model& model, const TrainOptions& options);

// Trains model.members, whose splines are as `curves` says, and fills in model.training, scores
// excepted. What `checkpoints`, if given, has of this phase is not done again. Members that had not
// begun when training was ended from outside are left out, with a remark, and the record then has
// as many as there are; if none had begun, the first stays. Processes that share the training
// (`ranks`; null: none) train one network after the other.
void train_members(Model& model, const DividedRows& rows, const TrainOptions& options,
                   CurveState curves, const StageIterations& iterations, Clock::time_point begin,
                   const TrainObserver& observer, TrainPhase phase, Checkpoints* checkpoints,
                   Ranks* ranks);

}  // namespace knotwork::training
