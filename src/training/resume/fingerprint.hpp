// SPDX-License-Identifier: MIT
// These functions describe what the result of a training depends on, so that only the same training
// resumes from a checkpoint.
#pragma once

#include <string>

#include <knotwork/checkpoint.hpp>
#include <knotwork/options.hpp>
#include <knotwork/training.hpp>

#include "training/data/training_rows.hpp"

namespace knotwork::training {

// SHA-256 of rows, their columns and the division into parts: of the numbers for rows in memory, of
// the source's fingerprint for other rows. The monitor may stop the hashing; it may be null.
std::string hash_of(const TrainingRows& rows, const std::shared_ptr<Monitor>& monitor);

// A state with its first fields only. `start` is the model to start from, or null.
TrainingState training_identity(const TrainingRows& rows, const TrainOptions& options,
                                const Model* start);
// Like training_identity(), but the monitor of the context may stop it. Processes that train
// together must all call it.
TrainingState watched_identity(const TrainingRows& rows, const TrainOptions& options,
                               const TrainContext& context);

// Throws bad_option about the checkpoint unless it belongs to the same training.
void check_same_training(const TrainingState& kept, const TrainingState& now);

}  // namespace knotwork::training
