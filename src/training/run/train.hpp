// SPDX-License-Identifier: MIT
// TrainingRun takes a training from divided rows to a scored model, a requested number of
// iterations at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "training/data/training_rows.hpp"
#include "training/run/ensemble.hpp"
#include "training/run/training_watch.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

// Whether the caller looks at the training between its steps. If not, nothing is stored for the
// caller.
enum class Steps { all_at_once, looked_at };

class TrainingRun {
 public:
  // Keeps a reference to the rows. The checkpoints of the context must already know what the result
  // depends on.
  TrainingRun(const TrainingRows& rows, const TrainOptions& options, const TrainContext& context,
              Steps steps);

  // Makes up to `iterations` more iterations of each network. Returns why the training is over, or
  // none if it is not over: another phase may follow.
  StopReason step(std::size_t iterations);
  // The scored model; must be the last call. A training that is not over ends as after a stop.
  Model finish();

  // The following members are for Steps::looked_at.
  StopReason reason() const { return is_over_ ? model_.training.reason : StopReason::none; }
  Phase phase() const { return phase_; }
  std::size_t members() const { return current().members.size(); }
  Network network(std::size_t member) const;
  Model model() const;
  const TrainIteration& latest(std::size_t member) const;
  void set_parameters(std::size_t member, std::span<const double> parameters);
  TrainingState state() const;

 private:
  using States = std::vector<std::optional<MemberState>>;

  const Model& current() const { return phase_ == Phase::refitting && !is_over_ ? whole_ : model_; }
  void check_member(std::size_t member) const;
  States states() const;
  void begin_phase(Model& model, const DividedRows& rows, EnsembleSettings settings);
  void end_phase();
  void end_training();
  void score();
  void begin_refit();
  void end_refit();
  double earlier_seconds() const;

  const TrainingRows& rows_;
  TrainOptions options_;
  TrainContext context_;
  Steps steps_;
  TrainingWatch watch_;
  std::unique_ptr<DividedRows> divided_, all_divided_;
  Model model_, whole_;  // of the training rows, and of all rows
  Phase phase_ = Phase::training;
  std::unique_ptr<EnsembleTraining> ensemble_;  // of this phase; null: training is over
  std::vector<TrainIteration> latest_;          // of a training that is over
  bool is_over_ = false;
  States trained_, refitted_;                      // of phases that are over
  mutable std::optional<TrainingState> identity_;  // what the result depends on, when it is known
};

// Like train(), but the checkpoints, if any, already know what the result depends on.
Model train_identified(const TrainingRows& rows, const TrainOptions& options,
                       const TrainContext& context);

// train() for rows from any source.
Model train_rows(const TrainingRows& rows, const TrainOptions& options,
                 const TrainContext& context);

// train_automatically() for rows from any source.
Model train_rows_automatically(const TrainingRows& rows, const TrainOptions& options,
                               std::span<const std::string> given, const TrainContext& context);

}  // namespace knotwork::training
