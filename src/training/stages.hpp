// SPDX-License-Identifier: MIT
// The optimization itself, stage by stage.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "training/constraints.hpp"
#include "training/stage_plan.hpp"

#include <knotwork/knots.hpp>
#include <knotwork/model.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/training.hpp>

namespace knotwork {

using Clock = std::chrono::steady_clock;

// Trains the network in place and fills in the summary, scores excepted. Time counts from `begin`.
// `curves` is what its splines are at the start. A stage may change the network's knots before it.
//
// With a validation part each stage stops after options.patience iterations without a better
// score, and the next one (or the result) goes on from the best point of that stage.
// `signs` are those of input_signs().
template <class T>
void run_stages(Network& network, CurveState curves, Summary& summary, const Samples<T>& training,
                const std::optional<Samples<T>>& validation,
                const std::shared_ptr<const Loss>& loss, const TrainOptions& options,
                const InputSigns& signs, const StageIterations& iterations, Clock::time_point begin,
                const TrainObserver& observer);

}  // namespace knotwork
