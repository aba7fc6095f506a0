// SPDX-License-Identifier: MIT
// The optimization itself, stage by stage.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "training/run/projections.hpp"
#include "training/run/stage_plan.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/knots.hpp>
#include <knotwork/model.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

using Clock = std::chrono::steady_clock;

// What one network is trained on and by, and what watches it.
template <class T>
struct MemberTraining {
  Samples<T> rows;
  std::optional<Samples<T>> validation;
  std::shared_ptr<const Loss> loss;
  const InputSigns& signs;            // those of input_signs()
  CurveState curves;                  // what its splines are at the start
  const StageIterations& iterations;  // of each stage; empty: as the options say
  Clock::time_point begin;            // time counts from here
  TrainObserver observer = {};
  // Gets the state after every so many iterations (0: not on the way) and when training is ended
  // from outside; empty: nothing is kept.
  std::function<void(MemberState)> keep = {};
  std::size_t every = 0;
  const MemberState* resumed = nullptr;  // to go on from, if there is one
  Ranks* ranks = nullptr;                // processes that train it together; null: this one alone
};

// Throws bad_model unless a state can be one of such a training of such a network. Only one that
// was made to deceive cannot: its training has been compared with this one.
void check_state(const MemberState& state, const Network& network, const TrainOptions& options,
                 const StageIterations& iterations);

// Trains the network in place and fills in the summary, scores excepted. A stage may change the
// network's knots before it.
//
// With a validation part each stage stops after options.patience iterations without a better
// score, and the next one (or the result) goes on from the best point of that stage.
template <class T>
void run_stages(Network& network, Summary& summary, const TrainOptions& options,
                const MemberTraining<T>& training);

}  // namespace knotwork::training
