// SPDX-License-Identifier: MIT
// Training from the caller's rows to a model: parts, scaling, networks, optimization, scores.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>

#include "base/fail.hpp"
#include "optimizer/minimize.hpp"
#include "options/option_text.hpp"
#include "training/data/fitted_columns.hpp"
#include "training/data/training_rows.hpp"
#include "training/resume/checkpoint_state.hpp"
#include "training/resume/fingerprint.hpp"
#include "training/run/ensemble.hpp"
#include "training/run/projections.hpp"
#include "training/run/train.hpp"

#include <knotwork/guarantees.hpp>
#include <knotwork/instruction_set.hpp>
#include <knotwork/training.hpp>
#include <knotwork/version.hpp>

namespace knotwork {

using namespace training;
namespace {

// A model remembers the formats of its own columns only.
void keep_own_formats(Model& model) {
  std::set<std::string_view> own;
  for (const InputColumn& input : model.inputs) own.insert(input.column);
  for (const TargetColumn& target : model.targets) own.insert(target.column);
  std::erase_if(model.cells.columns,
                [&](const ColumnFormat& format) { return !own.contains(format.column); });
}

Model untrained_model(const RowDescription& description, const DividedRows& rows,
                      const TrainOptions& options, const Model* start) {
  Model model;
  if (start) {
    start->check();
    rows.check_columns(*start);
    check_quantiles(*start, options);
    model = *start;
    model.training = {};
  } else {
    model.precision =
        options.precision.value_or(options.batch > 0 ? Precision::float32 : Precision::float64);
    model.cells = description.cells;
    model.inputs = rows.fit_inputs(options);
    model.targets = rows.fit_targets(options);
    keep_own_formats(model);
    model.members = build_members(model, options);
  }
  model.training.version = KNOTWORK_VERSION_STRING;
  model.training.instruction_set = instruction_set();
  model.training.seed = options.seed;
  model.training.optimizer = options.optimizer;
  model.training.options = option_texts(options);
  model.training.is_private = options.private_model;
  return model;
}

// The number of iterations up to the best one in each stage; the largest of all members.
StageIterations best_iterations(const Summary& summary, const TrainOptions& options) {
  StageIterations best(plan_stages(options).size());
  std::size_t k = 0;
  for (std::size_t s = 0; s < summary.stages.size(); ++s) {
    const StageSummary& stage = summary.stages[s];
    k = s > 0 && summary.stages[s - 1].member == stage.member ? k + 1 : 0;
    best.at(k) = std::max(best[k], stage.best_iteration.value_or(stage.iterations));
  }
  if (std::all_of(best.begin(), best.end(), [](std::size_t n) { return n == 0; })) best[0] = 1;
  return best;
}

// Checks the finished model on some of the training rows; gives one remark for each column of
// monotone-in. After a request to stop, the check has a moment.
void add_monotone_remarks(Model& model, const DividedRows& rows, const TrainOptions& options,
                          const TrainingWatch& watch) {
  if (options.monotone_in.empty()) return;
  constexpr std::size_t kMostRows = 200;
  const std::vector<double> sample = rows.some_inputs(kMostRows);
  const std::size_t inputs = model.inputs.size(), count = sample.size() / inputs;
  if (count == 0) return;
  const InputSigns signs = input_signs(model, options);
  for (std::size_t c = 0; c < inputs; ++c) {
    if (signs[c] == 0) continue;
    if (watch.closing_is_over()) {
      model.training.remarks.push_back(
          "A stop was requested before all columns of monotone-in were checked.");
      return;
    }
    const bool rising = signs[c] > 0;
    const MonotoneCheck check = check_monotone(
        model, model.inputs[c].column, rising,
        row_major(std::span<const double>(sample), count, inputs), 50, options.threads);
    model.training.remarks.push_back(
        fmt::format("Monotone in '{}', never {}: checked on {} rows at {} values each, largest "
                    "step {} {:.2g}.",
                    check.column, rising ? "falling" : "rising", check.rows, check.values,
                    rising ? "down" : "up", check.largest_violation));
  }
}

// Runs the clock of a watch while it exists.
class ClockRuns {
 public:
  explicit ClockRuns(TrainingWatch& watch) : watch_(watch) { watch_.start_clock(); }
  ~ClockRuns() { watch_.stop_clock(); }
  ClockRuns(const ClockRuns&) = delete;
  ClockRuns& operator=(const ClockRuns&) = delete;

 private:
  TrainingWatch& watch_;
};

}  // namespace

namespace training {

TrainingRun::TrainingRun(const TrainingRows& rows, const TrainOptions& options,
                         const TrainContext& context, Steps steps)
    : rows_(rows),
      options_(options),
      context_(context),
      steps_(steps),
      watch_(context.monitor, options.time_limit) {
  const ClockRuns clock(watch_);
  check(options);
  divided_ = rows.divide(options, context.monitor);
  model_ = untrained_model(rows.description(), *divided_, options, context.start.get());
  begin_phase(model_, *divided_, {.options = options, .checkpoints = context.checkpoints});
}

void TrainingRun::begin_phase(Model& model, const DividedRows& rows, EnsembleSettings settings) {
  settings.curves = context_.start ? CurveState::learned : CurveState::initial;
  settings.phase = phase_;
  settings.tells_iterations = context_.monitor || steps_ == Steps::looked_at;
  settings.ranks = rows_.ranks();
  ensemble_ = make_ensemble_training(model, rows, std::move(settings), watch_);
}

StopReason TrainingRun::step(std::size_t iterations) {
  if (is_over_) return reason();
  const ClockRuns clock(watch_);
  if (ensemble_->advance(iterations)) end_phase();
  return reason();
}

Model TrainingRun::finish() {
  if (!is_over_) {
    const ClockRuns clock(watch_);
    watch_.end();
    ensemble_->end();
    end_phase();
  }
  const ClockRuns clock(watch_);
  add_monotone_remarks(model_, *divided_, options_, watch_);
  model_.training.seconds = earlier_seconds() + watch_.seconds();
  return std::move(model_);
}

void TrainingRun::end_phase() {
  if (steps_ == Steps::looked_at) {
    (phase_ == Phase::refitting ? refitted_ : trained_) = states();
    latest_.clear();
    for (std::size_t m = 0; m < members(); ++m) latest_.push_back(ensemble_->latest(m));
  }
  ensemble_->finish();
  ensemble_.reset();
  if (phase_ == Phase::refitting) {
    end_refit();
  } else {
    end_training();
  }
}

void TrainingRun::end_training() {
  Summary& summary = model_.training;
  if (summary.iterations == 0 && options_.ensemble == 1 && is_from_outside(summary.reason)) {
    summary.remarks.push_back(
        "Training ended before its first iteration; the model is not trained.");
  }
  score();
  if (options_.refit && summary.reason != StopReason::requested) {
    begin_refit();
  } else {
    is_over_ = true;
  }
}

void TrainingRun::score() {
  StageMonitor monitor(watch_);
  monitor.set(StageMonitor::Work::closing);
  try {
    for (const Part part : {Part::train, Part::validation, Part::test}) {
      if (divided_->size(part) == 0) continue;
      const bool is_over = watch_.closing_is_over();
      if (rows_.ranks() ? rows_.ranks()->any(is_over) : is_over) {
        fail(ErrorKind::stopped, "The scoring was stopped.");
      }
      divided_->score(model_, part, options_.threads, &monitor);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::stopped) throw;
    model_.training.remarks.push_back(kUnscored);
  }
}

// Trains once more, on all rows, for as many iterations as early stopping found best.
void TrainingRun::begin_refit() {
  EnsembleSettings settings{.options = options_};
  TrainOptions& options = settings.options;
  if (options.validation_fraction > 0) {
    settings.iterations = best_iterations(model_.training, options);
    options.iterations =
        std::accumulate(settings.iterations.begin(), settings.iterations.end(), std::size_t{0});
  }
  options.validation_fraction = 0;
  // If no time is left, there is nothing to save.
  if (model_.training.reason != StopReason::time) settings.checkpoints = context_.checkpoints;
  phase_ = Phase::refitting;
  try {
    all_divided_ = rows_.divide_all(options, context_.monitor);
    whole_ = untrained_model(rows_.description(), *all_divided_, options, context_.start.get());
    begin_phase(whole_, *all_divided_, std::move(settings));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::stopped) throw;
    whole_.training.reason = StopReason::requested;
    end_refit();
  }
}

void TrainingRun::end_refit() {
  is_over_ = true;
  all_divided_.reset();
  // A half-trained model is worse than the present one.
  if (is_from_outside(whole_.training.reason)) {
    const bool late = whole_.training.reason == StopReason::time;
    model_.training.remarks.push_back(fmt::format(
        "The training on all rows was ended {}; the model is that of the training before it.",
        late ? "by the time limit" : "before it was complete"));
    return;
  }
  whole_.training.train = model_.training.train;
  whole_.training.validation = model_.training.validation;
  whole_.training.test = model_.training.test;
  whole_.training.target_scores = model_.training.target_scores;
  whole_.training.options = model_.training.options;
  whole_.training.refitted = true;
  model_ = std::move(whole_);
}

double TrainingRun::earlier_seconds() const {
  return context_.checkpoints ? state_of(*context_.checkpoints).earlier_seconds() : 0;
}

void TrainingRun::check_member(std::size_t member) const {
  if (member < members()) return;
  fail(ErrorKind::bad_option,
       "There is no network {}: the training has {} networks, counted from 0.", member, members());
}

Network TrainingRun::network(std::size_t member) const {
  check_member(member);
  return ensemble_ ? ensemble_->network(member) : model_.members[member];
}

const TrainIteration& TrainingRun::latest(std::size_t member) const {
  check_member(member);
  return ensemble_ ? ensemble_->latest(member) : latest_.at(member);
}

void TrainingRun::set_parameters(std::size_t member, std::span<const double> parameters) {
  check_member(member);
  if (!ensemble_) {
    fail(ErrorKind::bad_option, "Parameters can no longer be set: the training is over.");
  }
  ensemble_->set_parameters(member, parameters);
}

TrainingRun::States TrainingRun::states() const {
  States states;
  for (std::size_t m = 0; m < members(); ++m) states.push_back(ensemble_->state(m));
  return states;
}

Model TrainingRun::model() const {
  Model now = current();
  if (!ensemble_) return now;
  for (std::size_t m = 0; m < now.members.size(); ++m) {
    now.members[m] = ensemble_->network(m);
    const TrainIteration& latest = ensemble_->latest(m);
    now.training.iterations += latest.iteration;
    now.training.evaluations += latest.evaluations;
    const std::optional<MemberState> state = ensemble_->state(m);
    if (!state) continue;
    now.training.history.parts = state->summary.history.parts;
    for (HistoryPoint point : state->summary.history.points) {
      point.member = m;
      now.training.history.points.push_back(std::move(point));
    }
  }
  return now;
}

TrainingState TrainingRun::state() const {
  TrainingState state;
  if (context_.checkpoints) {
    state = state_of(*context_.checkpoints).state();
  } else {
    if (!identity_) identity_ = training_identity(rows_, options_, context_.start.get());
    state = *identity_;
  }
  const auto put = [](const States& now, States& kept) {
    if (kept.size() < now.size()) kept.resize(now.size());
    for (std::size_t m = 0; m < now.size(); ++m) {
      if (now[m]) kept[m] = now[m];
    }
  };
  put(trained_, state.training);
  put(refitted_, state.refitting);
  if (ensemble_) put(states(), phase_ == Phase::refitting ? state.refitting : state.training);
  state.seconds = earlier_seconds() + watch_.seconds();
  return state;
}

Model train_identified(const TrainingRows& rows, const TrainOptions& options,
                       const TrainContext& context) {
  TrainingRun run(rows, options, context, Steps::all_at_once);
  while (run.step(std::numeric_limits<std::size_t>::max()) == StopReason::none) {
  }
  return run.finish();
}

Model train_rows(const TrainingRows& rows, const TrainOptions& options,
                 const TrainContext& context) {
  check(options);
  if (context.checkpoints) {
    state_of(*context.checkpoints).begin(watched_identity(rows, options, context));
  }
  return train_identified(rows, options, context);
}

}  // namespace training

}  // namespace knotwork
