// SPDX-License-Identifier: MIT
// StageRunner optimizes one network, stage by stage and a requested number of iterations at a time.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "optimizer/minimize.hpp"
#include "training/run/history.hpp"
#include "training/run/projections.hpp"
#include "training/run/stage_plan.hpp"
#include "training/run/training_watch.hpp"
#include "training/run/validation_loss.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/knots.hpp>
#include <knotwork/model.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

// The data and options of one network's training, and what watches it.
template <class T>
struct MemberTraining {
  Samples<T> rows;
  std::optional<Samples<T>> validation;
  std::shared_ptr<const Loss> loss;
  InputSigns signs;            // from input_signs()
  CurveState curves;           // the state of the splines at the start
  StageIterations iterations;  // of each stage; empty: as in the options
  const TrainingWatch& watch;
  // Called for every iteration; optional.
  std::function<void(const TrainIteration&)> see = {};
  // Called with the state after every `every` iterations (0: never) and when the training is
  // stopped; empty: no state is kept.
  std::function<void(MemberState)> keep = {};
  std::size_t every = 0;
  std::optional<MemberState> resumed = {};  // the state to resume from, if any
  Ranks* ranks = nullptr;  // processes that train the network together; null: single process
};

// Trains the network in place and fills in the summary, except the scores. A stage may change the
// network's knots before it starts.
//
// With a validation part each stage stops after options.patience iterations without a better score,
// and the next stage (or the result) starts from the best point of the stage.
//
// A stop inside an iteration, or while a stage begins, undoes everything since the last complete
// iteration.
template <class T>
class StageRunner {
 public:
  // Keeps references to network and summary.
  StageRunner(Network& network, Summary& summary, const TrainOptions& options,
              MemberTraining<T> training);

  // Makes up to `iterations` more iterations. Returns whether the training is over. The start of a
  // stage, which is also evaluated, is not an iteration.
  bool advance(std::size_t iterations);
  // Ends the training, like a request to stop.
  void end();
  // Call when the training is over: puts the result into the network and the summary.
  void finish();

  // Only until the training is over:
  Network network() const;  // with its latest parameters
  MemberState state() const;
  // Continues from other parameters. The optimizer's state and the best point on the validation
  // part are dropped; iterations are counted on. Throws, and changes nothing, if the objective is
  // not finite at the new parameters.
  void set_parameters(std::span<const double> parameters);

  // If the training was stopped: the state from which it can be resumed.
  const std::optional<MemberState>& left() const { return left_; }

 private:
  // The best iteration of the stage on the validation part.
  struct Best {
    double score = std::numeric_limits<double>::infinity();
    std::size_t iteration = 0;
    std::vector<double> point;
  };

  void take_network();
  void change_knots(const Stage& stage);
  void weigh(const Stage& stage);
  void begin_stage();
  void set_up_stage(const Stage& stage, const MemberState* resumed);
  void iterate();
  StopReason see(const std::optional<double>& score);
  void settle(StopReason wish);
  void keep_state(StopReason ended);
  void end_stage(StopReason reason);
  void end_before_stage(StopReason reason);
  void restore(const MemberState& state);
  void keep_finite(MinimizeResult& result);
  template <class Work>
  StopReason unless_stopped(const Work& work);
  std::optional<double> validation_score(StageMonitor::Work work);
  std::optional<double> closing_value(const std::vector<double>& point);
  void store_point();

  const TrainOptions options_;  // with scheduled penalties at their last values
  std::vector<Stage> stages_;
  MemberTraining<T> training_;
  Network& network_;
  Summary& summary_;
  std::shared_ptr<StageMonitor> monitor_;
  std::optional<Objective> objective_;
  std::shared_ptr<const ProximalStep> projection_;  // null: no constraints
  std::optional<ValidationScore<T>> validate_;
  std::unique_ptr<Optimizer> optimizer_;      // of this stage
  std::optional<Minimization> minimization_;  // empty: the stage has not begun, or training is over
  std::size_t stage_ = 0;
  Stage last_;                 // the latest stage that has begun or was about to begin
  std::vector<double> point_;  // the start of the next stage
  std::vector<double> latest_, before_latest_, gradient_;
  Best best_;
  std::optional<double> last_value_;  // of the latest finished stage
  double validation_seconds_ = 0;     // time of the latest validation score
  bool is_over_ = false;
  std::optional<MemberState> left_;
  HistoryRecorder course_;
};

}  // namespace knotwork::training
