// SPDX-License-Identifier: MIT
// OptionDescent chooses a few options by cross-validation: it moves along their values until no
// neighbor of the best setting is better.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parallel/task_runner.hpp"
#include "parallel/threads.hpp"
#include "training/run/stage_runner.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

// One option and the values along which the descent moves.
struct OptionAxis {
  std::string option;
  std::vector<std::string> values;
  std::vector<std::size_t> first;  // numbers of the values that the descent begins with
};

struct DescentRule {
  std::vector<OptionAxis> axes;
  std::size_t folds = 3;    // at most; never more than there are groups
  std::size_t members = 1;  // of the ensembles that are compared
  std::size_t rows = 0;     // at most; of more rows, a share is drawn
  std::size_t before = 0;   // trainings of earlier descents, for the monitor
};

// Fold losses stored in the checkpoint for design number `design`.
struct FoldLosses {
  Checkpoints* checkpoints = nullptr;
  std::size_t design = 0;
};

// Results depend neither on the threads, the processes nor the time, unless a stop is requested or
// half of options.time_limit has passed.
class OptionDescent {
 public:
  OptionDescent(const TrainingData& data, std::vector<std::size_t> rows,
                const TrainOptions& options, DescentRule rule, Clock::time_point begin,
                std::shared_ptr<Monitor> monitor, FoldLosses kept = {}, Ranks* ranks = nullptr);

  // The options with the best values. Empty if nothing could be compared: because some fold had no
  // rows to train on or to score, or because there was no time.
  std::optional<TrainOptions> choose();
  // Score of the best values; call only if there are any.
  double best_score() const { return scores_.at(best_); }
  std::vector<TriedSetting> tried() const;

  bool stopped() const { return runner_.stopped(); }
  bool out_of_time() const { return runner_.cut_short(); }
  // Trainings that are done, and trainings planned so far.
  std::size_t done() const { return done_; }
  std::size_t planned() const { return planned_; }
  // The best network of all trainings that have begun, in case there is no time for more. Empty if
  // processes share the trainings.
  const std::optional<Model>& best_model() const { return best_model_; }

 private:
  using Point = std::vector<std::size_t>;  // for each axis the number of a value
  class LossStore;

  void measure_targets();
  std::vector<Point> first_points() const;
  std::vector<Point> neighbors(const Point& point) const;
  TrainOptions options_at(const Point& point) const;
  void try_points(const std::vector<Point>& points);
  double relative(double mean) const;
  std::string name_of(const Point& point, std::size_t fold) const;
  std::vector<std::optional<double>> fold_losses(const std::vector<Point>& points);
  std::optional<double> validate(const Point& point, std::size_t fold,
                                 const parallel::TaskShare& share);
  bool look();
  bool over() const { return stopped() || out_of_time(); }
  double seconds() const;

  const TrainingData& data_;
  const TrainOptions& options_;
  DescentRule rule_;
  Clock::time_point begin_;
  std::shared_ptr<Monitor> monitor_;
  FoldLosses kept_;
  bool has_best_model_;
  std::vector<std::size_t> rows_, folds_;
  std::vector<double> shares_;  // of the sample weight, for each fold
  double unit_ = 1;             // of errors, so that their squares do not overflow
  double variance_ = 0;         // of the targets, in this unit

  std::map<Point, double> scores_;
  std::vector<Point> order_;
  Point best_;

  parallel::Mutex mutex_;  // for the best model
  std::optional<Model> best_model_;
  std::size_t done_ = 0, planned_ = 0;
  std::size_t done_here_ = 0;  // not in an earlier run
  parallel::TaskRunner runner_;
};

}  // namespace knotwork::training
