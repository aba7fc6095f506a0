// SPDX-License-Identifier: MIT
// build_members() builds the networks of a model; EnsembleTraining trains them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "training/data/training_rows.hpp"
#include "training/run/stage_plan.hpp"
#include "training/run/training_watch.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/knots.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

// One network for each member of the ensemble, each with its own seed; the first member has the
// seed of the options.
std::vector<Network> build_members(const Model& model, const TrainOptions& options);

struct EnsembleSettings {
  TrainOptions options;
  CurveState curves = CurveState::initial;  // the state of the splines at the start
  StageIterations iterations = {};          // of each stage; empty: as in the options
  Phase phase = Phase::training;            // or refitting
  // Networks whose results are in the checkpoints are not trained again. Optional.
  std::shared_ptr<Checkpoints> checkpoints = {};
  bool tells_iterations = true;  // to the watch and by latest()
  // Processes that share the training; they train one network after the other. Null: single
  // process.
  Ranks* ranks = nullptr;
};

// Trains model.members.
class EnsembleTraining {
 public:
  virtual ~EnsembleTraining() = default;

  // Makes up to `iterations` more iterations of each network, with as many networks at a time as
  // there are threads. Returns whether all are done. The division into calls changes no bits.
  virtual bool advance(std::size_t iterations) = 0;
  // Ends all networks that are not done, like a request to stop.
  virtual void end() = 0;
  // Call when all are done: fills in model.training except the scores. Members that had not begun
  // when the training was stopped are left out, with a remark; the option `ensemble` in the record
  // is then the number of remaining members. If no member had begun, the first one stays.
  virtual void finish() = 0;

  virtual Network network(std::size_t member) const = 0;  // its current state
  // Empty before the first iteration of the member.
  virtual std::optional<MemberState> state(std::size_t member) const = 0;
  virtual const TrainIteration& latest(std::size_t member) const = 0;
  // Throws bad_option for a member that is not being trained, for a wrong number of parameters, and
  // for parameters that are not finite. See StageRunner.
  virtual void set_parameters(std::size_t member, std::span<const double> parameters) = 0;
};

// Keeps references to the model, the rows and the watch.
std::unique_ptr<EnsembleTraining> make_ensemble_training(Model& model, const DividedRows& rows,
                                                         EnsembleSettings settings,
                                                         TrainingWatch& watch);

}  // namespace knotwork::training
