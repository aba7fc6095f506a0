// SPDX-License-Identifier: MIT
#include "training/run/stage_runner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "base/fail.hpp"
#include "network/same_structure.hpp"
#include "training/run/history.hpp"
#include "training/run/knot_range_rows.hpp"
#include "training/run/penalty_schedule.hpp"
#include "training/run/validation_loss.hpp"

namespace knotwork::training {
namespace {

ObjectiveOptions objective_options(const Network& network, const TrainOptions& options,
                                   std::shared_ptr<const Loss> loss, Ranks* ranks) {
  ObjectiveOptions result;
  result.ranks = ranks;
  result.loss = std::move(loss);
  const RegularizerOptions settings{options.free_bias};
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.regularizer.empty()) continue;
    auto regularizer = builtin_regularizers().at(field.regularizer).make(settings);
    if (!regularizer->concerns(network)) continue;
    result.regularizers.push_back({std::move(regularizer), field.lambda(options)});
  }
  result.threads = options.threads;
  result.batch = options.batch;
  result.seed = options.seed;
  result.dropout = options.dropout;
  return result;
}

using ProximalSteps = std::vector<std::shared_ptr<const ProximalStep>>;

std::unique_ptr<Optimizer> make_optimizer(const TrainOptions& options, const Network& network,
                                          std::size_t epochs, const ProximalSteps& steps) {
  OptimizerOptions result;
  result.adam.proximal_steps = steps;
  result.lbfgs_memory = static_cast<int>(options.lbfgs_memory);
  result.adam.rate = options.rate;
  result.adam.weight_decay = options.weight_decay;
  if (epochs > 0) {  // a stage without iterations has no course of the rate
    result.adam.schedule = options.schedule;
    result.adam.schedule_epochs = epochs;
  }
  result.adam.rate_scale.assign(network.parameters().size(), 1);
  result.adam.decay_scale.assign(network.parameters().size(), 0);
  for (const TensorInfo& tensor : network.tensors()) {
    if (!tensor.trained) continue;
    const auto first = static_cast<std::ptrdiff_t>(tensor.offset);
    if (tensor.group == ParameterGroup::activation) {
      std::fill_n(result.adam.rate_scale.begin() + first, tensor.size, options.control_point_rate);
    }
    if (tensor.group == ParameterGroup::weight) {
      std::fill_n(result.adam.decay_scale.begin() + first, tensor.size, 1.0);
    }
  }
  return builtin_optimizers().at(options.optimizer).make(result);
}

template <class T>
class StageRunner {
 public:
  StageRunner(Network& network, Summary& summary, const TrainOptions& options,
              const MemberTraining<T>& training)
      : options_(with_last_penalties(options)),
        stages_(plan_stages(options_, training.iterations)),
        training_(training),
        network_(network),
        summary_(summary),
        course_(options) {
    if (training.resumed) restore(*training.resumed);
    take_network();
  }

  void run() {
    Stage last;
    for (; stage_ < stages_.size(); ++stage_) {
      last = stages_[stage_];
      run_stage(last);
      if (summary_.reason == StopReason::requested || summary_.reason == StopReason::time ||
          summary_.reason == StopReason::evaluations) {
        break;
      }
    }
    // A training that was ended early still has the knots that it was to have: members of an
    // ensemble must be alike.
    while (++stage_ < stages_.size()) {
      stages_[stage_].fits_range = false;
      change_knots(stages_[stage_]);
    }
    weigh(last);
    store_point();
    // Wherever the last epoch was, what is told is the objective at the end of the courses.
    set_courses(*objective_, options_, 1, 0);
    summary_.objective = objective_->parts_at(point_, value_at(point_));
    course_.store(summary_);
  }

 private:
  void store_point() { std::copy(point_.begin(), point_.end(), network_.parameters().begin()); }

  // What depends on the network's structure and constants.
  void take_network() {
    point_.assign(network_.parameters().begin(), network_.parameters().end());
    objective_.emplace(network_, training_.rows,
                       objective_options(network_, options_, training_.loss, training_.ranks));
    projection_ = projection_for(network_, options_, training_.signs);
    if (training_.validation) {
      validate_.emplace(network_, *training_.validation, training_.loss, options_.threads,
                        training_.ranks);
    }
  }

  void change_knots(const Stage& stage) {
    if (!stage.halves_step && !stage.fits_range) return;
    store_point();
    objective_.reset();
    validate_.reset();
    if (stage.halves_step) network_ = with_half_step(network_);
    if (stage.fits_range) {
      const std::vector<double> rows = range_rows(training_.rows, training_.ranks);
      const std::size_t columns = training_.rows.inputs.columns;
      fit_range(network_,
                column_major(std::span<const double>(rows), rows.size() / columns, columns),
                options_.fit_range, stage_ == 0 ? training_.curves : CurveState::learned,
                options_.threads);
    }
    take_network();
  }

  void weigh(const Stage& stage) {
    objective_->set_lambda("weights", stage.lambda_w);
    objective_->set_lambda("damping", stage.lambda_q);
  }

  void run_stage(const Stage& stage) {
    // The first stage may be one that had been begun.
    const MemberState* const resumed = std::exchange(unfinished_, nullptr);
    if (!resumed) {
      change_knots(stage);
      best_ = {};
      latest_.clear();
      before_latest_.clear();
    }
    weigh(stage);
    set_courses(*objective_, options_, total_iterations(stages_.size()), total_iterations(stage_));
    ProximalSteps steps;
    if (auto shrinking = shrinking_step(*objective_, options_)) steps.push_back(shrinking);
    if (projection_) {
      if (!resumed) projection_->apply(point_, {});
      steps.push_back(projection_);
    }
    const auto optimizer = make_optimizer(options_, network_, stage.iterations, steps);
    const StopRules rules = stop_rules(stage.iterations);
    const auto watch = [this](const IterationReport& report) { return see(report); };
    const auto keep = [&](std::size_t iteration, StopReason ended) {
      keep_state(*optimizer, iteration, ended);
    };
    MinimizeResult result = resumed ? resume(*optimizer, *objective_, resumed->optimizer,
                                             resumed->iteration, rules, watch, keep)
                                    : minimize(*optimizer, *objective_, point_, rules, watch, keep);
    keep_finite(result);
    summary_.iterations += result.iterations;
    summary_.evaluations += result.evaluations;
    StageSummary& seen = summary_.stages.emplace_back();
    seen.lambda_w = stage.lambda_w;
    seen.lambda_q = stage.lambda_q;
    seen.iterations = result.iterations;
    seen.evaluations = result.evaluations;
    seen.objective = result.value;
    seen.reason = result.reason;
    seen.step_halved = stage.halves_step;
    seen.range_fitted = stage.fits_range;
    if (!best_.point.empty()) seen.best_iteration = best_.iteration;
    point_ = best_.point.empty() ? std::move(result.point) : std::move(best_.point);
    summary_.reason = result.reason;
  }

  // Of so many stages, as planned.
  std::size_t total_iterations(std::size_t stages) const {
    std::size_t sum = 0;
    for (std::size_t k = 0; k < stages; ++k) sum += stages_[k].iterations;
    return sum;
  }

  // What is left of the limits; never 0, which would mean none.
  StopRules stop_rules(std::size_t iterations) const {
    StopRules rules;
    rules.iterations = iterations;
    if (options_.max_evaluations > 0) {
      const std::size_t used = std::min(summary_.evaluations, options_.max_evaluations - 1);
      rules.evaluations = options_.max_evaluations - used;
    }
    // Processes have clocks of their own, and see() asks all of them.
    if (options_.time_limit > 0 && !training_.ranks) {
      rules.seconds = std::max(1e-9, options_.time_limit - elapsed());
    }
    rules.gradient_norm = options_.gradient_norm;
    rules.relative_decrease = options_.relative_decrease;
    return rules;
  }

  StopReason see(const IterationReport& report) {
    std::swap(latest_, before_latest_);
    latest_.assign(report.point.begin(), report.point.end());
    std::optional<double> score;
    if (validate_) {
      score = (*validate_)(report.point);
      if (*score < best_.score) best_ = {*score, report.iteration, latest_};
    }
    // A later stage's start is the end of the one before, which has been reported.
    const bool is_new = report.iteration > 0 || stage_ == 0;
    if (is_new) {
      course_.see(stage_, summary_.iterations + report.iteration, report, score, network_,
                  *objective_);
    }
    StopReason wish = StopReason::none;
    if (training_.observer && is_new) {
      const TrainIteration seen{TrainPhase::training,
                                stage_,
                                0,
                                summary_.iterations + report.iteration,
                                options_.iterations,
                                summary_.evaluations + report.evaluations,
                                objective_->parts_at(report.point, report.value),
                                report.gradient_norm,
                                report.step,
                                score,
                                elapsed()};
      wish = training_.observer(seen) ? StopReason::none : StopReason::requested;
    }
    if (training_.ranks) wish = agreed(wish);
    const bool patient = !validate_ || report.iteration - best_.iteration < options_.patience;
    return patient ? wish : StopReason::early_stopping;
  }

  // What any of the processes wishes; a request comes before the time limit.
  StopReason agreed(StopReason own) const {
    enum : std::uint8_t { kNone, kTime, kRequested };
    const bool late = options_.time_limit > 0 && elapsed() >= options_.time_limit;
    const std::uint8_t wish = own == StopReason::requested ? kRequested : late ? kTime : kNone;
    const auto strongest = [](Ranks::Bytes& left, Ranks::Bytes&& right) {
      left[0] = std::max(left[0], right[0]);
    };
    switch (training_.ranks->combine({wish}, strongest)[0]) {
      case kRequested:
        return StopReason::requested;
      case kTime:
        return StopReason::time;
      default:
        return StopReason::none;
    }
  }

  // Whenever it is time to, and when the training is ended from outside.
  void keep_state(const Optimizer& optimizer, std::size_t iteration, StopReason ended) {
    if (!training_.keep) return;
    const bool due = training_.every > 0 && iteration > 0 && iteration % training_.every == 0;
    if (!due && ended == StopReason::none) return;
    MemberState state{.network = network_, .summary = summary_};
    std::copy(point_.begin(), point_.end(), state.network.parameters().begin());
    course_.keep(state);
    state.stage = stage_;
    state.iteration = iteration;
    state.optimizer = optimizer.state();
    state.best_score = best_.score;
    state.best_iteration = best_.iteration;
    state.best_point = best_.point;
    state.latest = latest_;
    state.before_latest = before_latest_;
    training_.keep(std::move(state));
  }

  void restore(const MemberState& state) {
    check_state(state, network_, options_, training_.iterations);
    network_ = state.network;
    summary_ = state.summary;
    stage_ = state.stage;
    course_.restore(state);
    best_ = {state.best_score, state.best_iteration, state.best_point};
    latest_ = state.latest;
    before_latest_ = state.before_latest;
    unfinished_ = &state;
  }

  // The point that adam (or sgd) ends at has not been evaluated: it is one update beyond its last
  // evaluation. If that update left the finite values, the point before it counts.
  void keep_finite(MinimizeResult& result) {
    if (result.reason == StopReason::non_finite || std::isfinite(value_at(result.point))) return;
    result.point = std::isfinite(value_at(before_latest_)) ? before_latest_ : point_;
    result.value = value_at(result.point);
    result.reason = StopReason::non_finite;
  }

  double value_at(const std::vector<double>& point) {
    gradient_.resize(point.size());
    return objective_->evaluate(point, gradient_);
  }

  double elapsed() const {
    return std::chrono::duration<double>(Clock::now() - training_.begin).count();
  }

  // The best iteration of the stage on the validation part.
  struct Best {
    double score = std::numeric_limits<double>::infinity();
    std::size_t iteration = 0;
    std::vector<double> point;
  };

  const TrainOptions options_;  // penalties that change have their last values here
  std::vector<Stage> stages_;
  const MemberTraining<T>& training_;
  Network& network_;
  Summary& summary_;
  std::optional<Objective> objective_;
  std::shared_ptr<const ProximalStep> projection_;  // null: everything is allowed
  std::optional<ValidationScore<T>> validate_;
  std::size_t stage_ = 0;
  std::vector<double> point_;  // where the next stage starts
  std::vector<double> latest_, before_latest_, gradient_;
  Best best_;
  const MemberState* unfinished_ = nullptr;  // the stage to go on with
  HistoryRecorder course_;
};

// Stages that are over, each no longer than it was planned.
bool fit(const std::vector<StageSummary>& over, const std::vector<Stage>& planned) {
  if (over.size() > planned.size()) return false;
  for (std::size_t s = 0; s < over.size(); ++s) {
    if (over[s].iterations > planned[s].iterations ||
        over[s].best_iteration.value_or(0) > over[s].iterations) {
      return false;
    }
  }
  return true;
}

}  // namespace

void check_state(const MemberState& state, const Network& network, const TrainOptions& options,
                 const StageIterations& iterations) {
  const std::size_t size = state.network.parameters().size();
  const auto fits = [&](const std::vector<double>& point) {
    return point.empty() || point.size() == size;
  };
  const std::vector<Stage> planned = plan_stages(with_last_penalties(options), iterations);
  const bool sound =
      same_structure(state.network, network) && fit(state.summary.stages, planned) &&
      (state.done || (state.stage < planned.size() && state.summary.stages.size() == state.stage &&
                      state.iteration <= planned[state.stage].iterations &&
                      state.best_iteration <= state.iteration && fits(state.best_point) &&
                      fits(state.latest) && fits(state.before_latest)));
  if (sound) return;
  fail(ErrorKind::bad_model, "The checkpoint contradicts itself; it cannot be gone on from.");
}

template <class T>
void run_stages(Network& network, Summary& summary, const TrainOptions& options,
                const MemberTraining<T>& training) {
  StageRunner<T>(network, summary, options, training).run();
}

template void run_stages(Network&, Summary&, const TrainOptions&, const MemberTraining<float>&);
template void run_stages(Network&, Summary&, const TrainOptions&, const MemberTraining<double>&);

}  // namespace knotwork::training
