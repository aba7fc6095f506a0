// SPDX-License-Identifier: MIT
#include "training/run/stage_runner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/fail.hpp"
#include "training/run/stage_setup.hpp"

namespace knotwork::training {

template <class T>
StageRunner<T>::StageRunner(Network& network, Summary& summary, const TrainOptions& options,
                            MemberTraining<T> training)
    : options_(with_last_penalties(options)),
      stages_(plan_stages(options_, training.iterations)),
      training_(std::move(training)),
      network_(network),
      summary_(summary),
      monitor_(std::make_shared<StageMonitor>(training_.watch)),
      course_(options) {
  if (training_.resumed) restore(*training_.resumed);
  take_network();
}

template <class T>
bool StageRunner<T>::advance(std::size_t iterations) {
  for (std::size_t made = 0; !is_over_;) {
    if (!minimization_) {
      begin_stage();
    } else if (made == iterations) {
      return false;
    } else {
      iterate();
      ++made;
    }
  }
  return true;
}

template <class T>
void StageRunner<T>::end() {
  if (is_over_) return;
  if (!minimization_) return end_before_stage(StopReason::requested);
  keep_state(StopReason::requested);
  end_stage(StopReason::requested);
}

template <class T>
void StageRunner<T>::finish() {
  monitor_->set(StageMonitor::Work::closing);
  // A training that was ended early still gets the planned knots, because members of an ensemble
  // must have equal layers.
  for (; stage_ < stages_.size(); ++stage_) {
    stages_[stage_].fits_range = false;
    change_knots(stages_[stage_]);
  }
  weigh(last_);
  store_point();
  // The reported objective uses the last values of the schedules, whatever the last epoch was.
  set_courses(*objective_, options_, 1, 0);
  const std::optional<double> value = closing_value(point_);
  if (value || last_value_)
    summary_.objective = objective_->parts_at(point_, value ? *value : *last_value_);
  course_.store(summary_);
  if (!summary_.stages.empty()) return;
  // If not even the first stage had begun:
  summary_.stages.push_back({.lambda_w = last_.lambda_w,
                             .lambda_q = last_.lambda_q,
                             .objective = summary_.objective.value,
                             .reason = summary_.reason});
}

template <class T>
void StageRunner<T>::store_point() {
  std::copy(point_.begin(), point_.end(), network_.parameters().begin());
}

// Sets up everything that depends on the network's structure and constants.
template <class T>
void StageRunner<T>::take_network() {
  point_.assign(network_.parameters().begin(), network_.parameters().end());
  ObjectiveOptions settings = objective_options(network_, options_);
  settings.loss = training_.loss;
  settings.ranks = training_.ranks;
  settings.monitor = monitor_;
  objective_.emplace(network_, training_.rows, std::move(settings));
  projection_ = projection_for(network_, options_, training_.signs);
  if (training_.validation) {
    validate_.emplace(network_, *training_.validation, training_.loss, options_.threads,
                      training_.ranks, monitor_);
  }
}

template <class T>
void StageRunner<T>::change_knots(const Stage& stage) {
  if (!stage.halves_step && !stage.fits_range) return;
  store_point();
  objective_.reset();
  validate_.reset();
  if (stage.halves_step) network_ = with_half_step(network_);
  if (stage.fits_range) {
    const std::vector<double> rows = range_rows(training_.rows, training_.ranks);
    const std::size_t columns = training_.rows.inputs.columns;
    try {
      fit_range(network_,
                column_major(std::span<const double>(rows), rows.size() / columns, columns),
                options_.fit_range, stage_ == 0 ? training_.curves : CurveState::learned,
                options_.threads, monitor_.get());
    } catch (const Error& error) {
      // The other processes learn of the stop in the evaluation at the start of the stage.
      if (training_.ranks && error.kind() == ErrorKind::stopped) {
        training_.ranks->report_failure(error);
      }
      throw;
    }
  }
  take_network();
}

template <class T>
void StageRunner<T>::weigh(const Stage& stage) {
  objective_->set_lambda("weights", stage.lambda_w);
  objective_->set_lambda("damping", stage.lambda_q);
}

// Runs `work`; returns the reason if a stop or the time limit ended it, else none.
template <class T>
template <class Work>
StopReason StageRunner<T>::unless_stopped(const Work& work) {
  try {
    work();
    return StopReason::none;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::stopped) throw;
  }
  const StopReason wish = training_.watch.agreed_wish(training_.ranks);
  return wish == StopReason::none ? StopReason::requested : wish;
}

template <class T>
void StageRunner<T>::begin_stage() {
  last_ = stages_[stage_];
  // The first stage may be resumed in its middle.
  const std::optional<MemberState> resumed = std::exchange(training_.resumed, std::nullopt);
  const bool goes_on = resumed && !resumed->optimizer.optimizer.empty();
  store_point();
  std::optional<Network> before;
  if (!goes_on && (last_.halves_step || last_.fits_range)) before = network_;
  std::optional<double> score;
  const StopReason stopped = unless_stopped([&] {
    set_up_stage(last_, goes_on ? &*resumed : nullptr);
    if (!goes_on) score = validation_score(StageMonitor::Work::training);
  });
  if (stopped == StopReason::none) return settle(goes_on ? StopReason::none : see(score));
  minimization_.reset();
  if (before) {
    validate_.reset();
    objective_.reset();
    network_ = std::move(*before);
  }
  take_network();
  end_before_stage(stopped);
}

template <class T>
void StageRunner<T>::set_up_stage(const Stage& stage, const MemberState* resumed) {
  if (!resumed) {
    change_knots(stage);
    best_ = {};
    latest_.clear();
    before_latest_.clear();
  }
  weigh(stage);
  set_courses(*objective_, options_, total_iterations(stages_, stages_.size()),
              total_iterations(stages_, stage_));
  ProximalSteps steps;
  if (auto shrinking = shrinking_step(*objective_, options_)) steps.push_back(shrinking);
  if (projection_) {
    if (!resumed) projection_->apply(point_, {});
    steps.push_back(projection_);
  }
  optimizer_ = make_optimizer(options_, network_, stage.iterations, steps);
  minimization_.emplace(*optimizer_, *objective_,
                        stop_rules(options_, stage.iterations, summary_.evaluations));
  if (resumed) {
    minimization_->restore(resumed->optimizer, resumed->iteration);
  } else {
    minimization_->start(point_);
  }
}

// Computing a score can be stopped too, but then the iteration before the score must be undone. A
// score that takes little time is completed instead, except with several processes, which measure
// different times but must do the same.
template <class T>
void StageRunner<T>::iterate() {
  constexpr double kLittleTime = 0.02;
  const std::size_t done = minimization_->report().iteration;
  std::optional<OptimizerState> before;
  if (validate_ && (training_.ranks || validation_seconds_ > kLittleTime)) {
    before = optimizer_->state();
  }
  std::optional<double> score;
  const StopReason stopped = unless_stopped([&] {
    minimization_->iterate();
    score =
        validation_score(before ? StageMonitor::Work::training : StageMonitor::Work::as_a_whole);
  });
  if (stopped == StopReason::none) return settle(see(score));
  if (minimization_->report().iteration > done) minimization_->restore(*before, done);
  keep_state(stopped);
  end_stage(stopped);
}

template <class T>
std::optional<double> StageRunner<T>::validation_score(StageMonitor::Work work) {
  if (!validate_) return std::nullopt;
  monitor_->set(work);
  const auto begin = Clock::now();
  const double score = (*validate_)(minimization_->report().point);
  validation_seconds_ = std::chrono::duration<double>(Clock::now() - begin).count();
  monitor_->set(StageMonitor::Work::training);
  return score;
}

// Reports the start of a stage or an iteration; returns why the training should end, or none.
template <class T>
StopReason StageRunner<T>::see(const std::optional<double>& score) {
  const IterationReport report = minimization_->report();
  std::swap(latest_, before_latest_);
  latest_.assign(report.point.begin(), report.point.end());
  if (score && *score < best_.score) best_ = {*score, report.iteration, latest_};
  // The start of a later stage is the end of the stage before, which has already been reported.
  const bool is_new = report.iteration > 0 || stage_ == 0;
  if (is_new) {
    course_.see(stage_, summary_.iterations + report.iteration, report, score, network_,
                *objective_);
  }
  if (training_.see && is_new) {
    training_.see({Phase::training, stage_, 0, summary_.iterations + report.iteration,
                   options_.iterations, summary_.evaluations + report.evaluations,
                   objective_->parts_at(report.point, report.value), report.gradient_norm,
                   report.step, score, training_.watch.seconds()});
  }
  const StopReason wish = training_.watch.agreed_wish(training_.ranks);
  const bool patient = !validate_ || report.iteration - best_.iteration < options_.patience;
  return patient ? wish : StopReason::early_stopping;
}

template <class T>
void StageRunner<T>::settle(StopReason wish) {
  const StopReason reason = minimization_->judge(wish);
  if (reason == StopReason::none || is_from_outside(reason)) keep_state(reason);
  if (reason != StopReason::none) end_stage(reason);
}

// Saves the state if it is due, or if the training was ended from outside.
template <class T>
void StageRunner<T>::keep_state(StopReason ended) {
  if (ended != StopReason::none) {
    left_ = state();
    if (training_.keep) training_.keep(*left_);
    return;
  }
  const std::size_t iteration = minimization_->report().iteration;
  const bool is_due = training_.every > 0 && iteration > 0 && iteration % training_.every == 0;
  if (training_.keep && is_due) training_.keep(state());
}

template <class T>
void StageRunner<T>::end_stage(StopReason reason) {
  monitor_->set(StageMonitor::Work::closing);
  MinimizeResult result = minimization_->result(reason);
  keep_finite(result);
  monitor_->set(StageMonitor::Work::training);
  summary_.iterations += result.iterations;
  summary_.evaluations += result.evaluations;
  StageSummary& seen = summary_.stages.emplace_back();
  seen.lambda_w = last_.lambda_w;
  seen.lambda_q = last_.lambda_q;
  seen.iterations = result.iterations;
  seen.evaluations = result.evaluations;
  seen.objective = result.value;
  seen.reason = result.reason;
  seen.step_halved = last_.halves_step;
  seen.range_fitted = last_.fits_range;
  if (!best_.point.empty()) seen.best_iteration = best_.iteration;
  last_value_ = result.value;
  point_ = best_.point.empty() ? std::move(result.point) : std::move(best_.point);
  summary_.reason = result.reason;
  minimization_.reset();
  optimizer_.reset();
  ++stage_;
  is_over_ = is_from_outside(result.reason) || result.reason == StopReason::evaluations ||
             stage_ == stages_.size();
}

template <class T>
void StageRunner<T>::end_before_stage(StopReason reason) {
  last_ = stages_[stage_];
  summary_.reason = reason;
  is_over_ = true;
  left_ = state();
  if (training_.keep) training_.keep(*left_);
}

// The last point of adam (or sgd) has not been evaluated: it is one update after the last
// evaluation. If that update gave values that are not finite, the point before it is used.
template <class T>
void StageRunner<T>::keep_finite(MinimizeResult& result) {
  if (result.reason == StopReason::non_finite) return;
  const auto is_finite = [](const std::optional<double>& value) {
    return !value || std::isfinite(*value);  // without time to evaluate: assume so
  };
  if (is_finite(closing_value(result.point))) return;
  result.point = is_finite(closing_value(before_latest_)) ? before_latest_ : point_;
  result.value = closing_value(result.point).value_or(result.value);
  result.reason = StopReason::non_finite;
}

// Empty if a stop was requested and there is no time for the evaluation.
template <class T>
std::optional<double> StageRunner<T>::closing_value(const std::vector<double>& point) {
  gradient_.resize(point.size());
  try {
    return objective_->evaluate(point, gradient_);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::stopped) throw;
    return std::nullopt;
  }
}

template <class T>
Network StageRunner<T>::network() const {
  Network now = network_;
  if (minimization_) {
    const std::span<const double> point = optimizer_->point();
    std::copy(point.begin(), point.end(), now.parameters().begin());
  }
  return now;
}

// A stage that has not begun has no optimizer.
template <class T>
MemberState StageRunner<T>::state() const {
  MemberState state{.network = network_, .summary = summary_};
  std::copy(point_.begin(), point_.end(), state.network.parameters().begin());
  course_.keep(state);
  state.stage = stage_;
  if (!minimization_) return state;
  state.iteration = minimization_->report().iteration;
  state.optimizer = optimizer_->state();
  state.best_score = best_.score;
  state.best_iteration = best_.iteration;
  state.best_point = best_.point;
  state.latest = latest_;
  state.before_latest = before_latest_;
  return state;
}

template <class T>
void StageRunner<T>::restore(const MemberState& state) {
  check_state(state, network_, options_, training_.iterations);
  network_ = state.network;
  summary_ = state.summary;
  stage_ = state.stage;
  course_.restore(state);
  best_ = {state.best_score, state.best_iteration, state.best_point};
  latest_ = state.latest;
  before_latest_ = state.before_latest;
}

template <class T>
void StageRunner<T>::set_parameters(std::span<const double> parameters) {
  const OptimizerState before = optimizer_->state();
  const std::size_t iteration = minimization_->report().iteration;
  std::vector<double> point(parameters.begin(), parameters.end());
  if (projection_) projection_->apply(point, {});
  try {
    monitor_->set(StageMonitor::Work::as_a_whole);
    minimization_->move_to(point);
    const std::optional<double> score = validation_score(StageMonitor::Work::as_a_whole);
    best_ = {};
    best_.iteration = iteration;
    if (score && *score < best_.score) best_ = {*score, iteration, point};
  } catch (...) {
    monitor_->set(StageMonitor::Work::training);
    minimization_->restore(before, iteration);
    throw;
  }
  monitor_->set(StageMonitor::Work::training);
  point_ = latest_ = before_latest_ = std::move(point);
}

template class StageRunner<float>;
template class StageRunner<double>;

}  // namespace knotwork::training
