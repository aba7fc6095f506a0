// SPDX-License-Identifier: MIT
#include <knotwork/trainer.hpp>

#include "base/fail.hpp"
#include "training/data/prepared_state.hpp"
#include "training/resume/checkpoint_state.hpp"
#include "training/resume/fingerprint.hpp"
#include "training/run/train.hpp"

namespace knotwork {

using namespace training;

class Trainer::State {
 public:
  State(const PreparedData& data, const TrainOptions& options, const TrainContext& context)
      : threads_(options.threads),
        monitor_(context.monitor),
        data_(data),
        run_(begun(state_of(data_).rows(), options, context), options, context, Steps::looked_at) {}

  TrainingRun& run() { return run_; }

  Model finish() {
    Model model = run_.finish();
    state_of(data_).complete(model, threads_, monitor_);
    return model;
  }

 private:
  // Stores in the checkpoints what the result depends on.
  static const TrainingRows& begun(const TrainingRows& rows, const TrainOptions& options,
                                   const TrainContext& context) {
    check(options);
    if (context.checkpoints) {
      state_of(*context.checkpoints).begin(watched_identity(rows, options, context));
    }
    return rows;
  }

  std::size_t threads_;
  std::shared_ptr<Monitor> monitor_;
  PreparedData data_;
  TrainingRun run_;
};

Trainer::Trainer(const PreparedData& data, const TrainOptions& options, const TrainContext& context)
    : state_(std::make_unique<State>(data, options, context)) {}

Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;

Trainer::State& Trainer::running() const {
  if (!state_) {
    fail(ErrorKind::bad_option, "This training is finished; use its model.");
  }
  return *state_;
}

StopReason Trainer::step(std::size_t iterations) {
  return running().run().step(iterations);
}

StopReason Trainer::reason() const {
  return running().run().reason();
}

Phase Trainer::phase() const {
  return running().run().phase();
}

std::size_t Trainer::members() const {
  return running().run().members();
}

Network Trainer::network(std::size_t member) const {
  return running().run().network(member);
}

Model Trainer::model() const {
  return running().run().model();
}

const TrainIteration& Trainer::latest(std::size_t member) const {
  return running().run().latest(member);
}

void Trainer::set_parameters(std::span<const double> parameters, std::size_t member) {
  running().run().set_parameters(member, parameters);
}

TrainingState Trainer::state() const {
  return running().run().state();
}

Model Trainer::finish() {
  Model model = running().finish();
  state_.reset();
  return model;
}

}  // namespace knotwork
