// SPDX-License-Identifier: MIT
// A Trainer is a training that its caller drives, a few iterations at a time.
//
//   Trainer trainer(prepared, options);
//   while (trainer.step(10) == StopReason::none) draw(trainer.network());
//   const Model model = trainer.finish();
//
// Between steps the caller can look at the networks and change them, and can save the training and
// resume it in another process. The result has the bits of train(), however the iterations are
// divided into steps.
//
// A Trainer is used by one thread at a time. A step trains the members of an ensemble in parallel,
// as train() does.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <knotwork/api.hpp>
#include <knotwork/checkpoint.hpp>
#include <knotwork/model.hpp>
#include <knotwork/monitor.hpp>
#include <knotwork/network.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/options.hpp>
#include <knotwork/training.hpp>

namespace knotwork {

class KNOTWORK_API Trainer {
 public:
  // Takes the arguments of train(). If the checkpoints contain a saved state, training resumes from
  // it.
  explicit Trainer(const PreparedData& prepared, const TrainOptions& options = {},
                   const TrainContext& context = {});
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  // Makes up to `iterations` more iterations (epochs or line searches) of each network, through all
  // stages; fewer if the training or its phase ends. Returns why the training is over, or none if
  // it is not over. step(0) only evaluates the start. The time limit and Summary::seconds count the
  // time inside the constructor, step() and finish().
  StopReason step(std::size_t iterations = 1);
  StopReason reason() const;  // what the latest step() returned
  Phase phase() const;        // training, or refitting with the option refit

  std::size_t members() const;
  // A network with its latest parameters, rounded to the model's precision. finish() may give other
  // parameters: the best ones on the validation part.
  Network network(std::size_t member = 0) const;
  // All networks with their columns and scalings, as a model that can predict. Its summary has the
  // history so far and no scores.
  Model model() const;
  // The latest iteration of this network, with the parts of the objective and the validation score;
  // its counts are for this network alone.
  const TrainIteration& latest(std::size_t member = 0) const;

  // Replaces the parameters, in the order of Network::parameters(): for instance by control points
  // that the user moved. Parameters that the options do not allow (curves must rise) are projected
  // to allowed ones. The optimizer forgets its moments, directions and curvature; iterations,
  // evaluations and the schedules of rate and penalties continue. Earlier points can no longer be
  // the best ones on the validation part. Throws bad_option unless the network has been stepped and
  // is not done. Throws failed_run, and changes nothing, if the objective is not finite at the new
  // parameters.
  void set_parameters(std::span<const double> parameters, std::size_t member = 0);

  // The state that is needed to resume: save_checkpoint() writes it to a file, and a Trainer or
  // train() with the same rows and options resumes it with
  //     {.checkpoints = std::make_shared<Checkpoints>(nullptr, 0, load_checkpoint(file))}
  // The first call reads all rows to compute their fingerprint.
  TrainingState state() const;

  // The model with its scores, as train() returns it. A training that is not over ends as after a
  // request to stop. Must be the last call: every later call throws bad_option.
  Model finish();

 private:
  class State;
  State& running() const;
  std::unique_ptr<State> state_;  // null after finish()
};

}  // namespace knotwork
