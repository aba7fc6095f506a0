// SPDX-License-Identifier: MIT
// Cross-validation of a few options along their values, until no neighbor of the best is better.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

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
  std::size_t before = 0;   // trainings of earlier descents, for the observer
};

// Fold losses stored in the checkpoint for design number `design`.
struct FoldLosses {
  Checkpoints* checkpoints = nullptr;
  std::size_t design = 0;
};

// Results depend on neither the threads, the processes nor the time, unless the observer ends the
// descent or half of options.time_limit has passed.
class OptionDescent {
 public:
  OptionDescent(const TrainingData& data, std::vector<std::size_t> rows,
                const TrainOptions& options, DescentRule rule, Clock::time_point begin,
                const TrainObserver& observer, FoldLosses kept = {}, Ranks* ranks = nullptr);

  // The options with the best values; none if nothing could be compared: because in some fold there
  // was nothing to learn from or nothing to score, or because there was no time for it.
  std::optional<TrainOptions> choose();
  // That of the best values, if there are any.
  double best_score() const { return scores_.at(best_); }
  std::vector<TriedSetting> tried() const;

  bool ended_by_observer() const { return ended_; }
  bool out_of_time() const { return out_of_time_; }
  // Trainings that were carried through, of those planned so far.
  std::size_t done() const { return done_; }
  std::size_t planned() const { return planned_; }
  // The best network of all trainings that had begun, for when there is no time for more. None
  // where processes share the trainings.
  const std::optional<Model>& best_model() const { return best_model_; }

 private:
  using Point = std::vector<std::size_t>;  // for each axis the number of a value

  void measure_targets();
  std::vector<Point> first_points() const;
  std::vector<Point> neighbors(const Point& point) const;
  TrainOptions options_at(const Point& point) const;
  void try_points(const std::vector<Point>& points);
  double relative(double mean) const;
  std::string name_of(const Point& point, std::size_t fold) const;
  std::optional<double> fold_loss(const Point& point, std::size_t fold, std::size_t threads);
  std::optional<double> validate(const Point& point, std::size_t fold, std::size_t threads);
  bool go_on();
  bool report();
  void share_losses(const std::vector<Point>& points, std::vector<std::optional<double>>& losses);
  bool over() const { return ended_ || out_of_time_; }
  double seconds() const;

  const TrainingData& data_;
  const TrainOptions& options_;
  DescentRule rule_;
  Clock::time_point begin_;
  const TrainObserver& observer_;
  FoldLosses kept_;
  Ranks* ranks_;  // processes that share the folds; null: none
  std::vector<std::size_t> rows_, folds_;
  std::vector<double> shares_;  // of the sample weight, for each fold
  double unit_ = 1;             // of errors, so that their squares do not overflow
  double variance_ = 0;         // of the targets, in it

  std::map<Point, double> scores_;
  std::vector<Point> order_;
  Point best_;

  // Shared by the threads that validate.
  parallel::Mutex mutex_;
  std::optional<Model> best_model_;
  std::atomic<bool> ended_ = false, out_of_time_ = false;
  std::size_t done_ = 0, planned_ = 0;
  std::size_t done_here_ = 0;  // not in an earlier run
  double asked_ = 0;
};

}  // namespace knotwork::training
