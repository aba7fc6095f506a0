// SPDX-License-Identifier: MIT
// A training whose checkpoints have begun.
#pragma once

#include <knotwork/checkpoint.hpp>
#include <knotwork/training.hpp>

#include "training/data/training_rows.hpp"

namespace knotwork::training {

// As train(), but the checkpoints, if there are any, know already what the result depends on.
Model train_identified(const TrainingRows& rows, const TrainOptions& options,
                       const TrainObserver& observer, const Model* start, Checkpoints* checkpoints);

// train() and train_automatically() for rows that may be anywhere.
Model train_rows(const TrainingRows& rows, const TrainOptions& options,
                 const TrainObserver& observer, const Model* start, Checkpoints* checkpoints);
Model train_rows_automatically(const TrainingRows& rows, const TrainOptions& options,
                               std::span<const std::string> given, const TrainObserver& observer,
                               Checkpoints* checkpoints);

}  // namespace knotwork::training
