// SPDX-License-Identifier: MIT
// The optimization itself: one stage, or one for each value of a warm path.
#pragma once

#include <optional>

#include <knotwork/model.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/training.hpp>

namespace knotwork {

// Trains model.network in place and fills in model.training, scores excepted.
//
// With a validation part each stage stops after options.patience iterations without a better
// score, and the next one (or the result) goes on from the best point of that stage.
template <class T>
void run_stages(Model& model, const Samples<T>& training,
                const std::optional<Samples<T>>& validation, const TrainOptions& options,
                const TrainObserver& observer);

}  // namespace knotwork
