// SPDX-License-Identifier: MIT
// The optimization itself: one stage, or one for each value of a warm path.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "training/constraints.hpp"

#include <knotwork/model.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/training.hpp>

namespace knotwork {

using Clock = std::chrono::steady_clock;

// Iterations of each stage, if they are not to be shared equally.
using StageIterations = std::vector<std::size_t>;

// Trains the network in place and fills in the summary, scores excepted. Time counts from `begin`.
//
// With a validation part each stage stops after options.patience iterations without a better
// score, and the next one (or the result) goes on from the best point of that stage.
// `signs` are those of input_signs().
template <class T>
void run_stages(Network& network, Summary& summary, const Samples<T>& training,
                const std::optional<Samples<T>>& validation,
                const std::shared_ptr<const Loss>& loss, const TrainOptions& options,
                const InputSigns& signs, const StageIterations& iterations, Clock::time_point begin,
                const TrainObserver& observer);

}  // namespace knotwork
