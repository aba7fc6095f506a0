// SPDX-License-Identifier: MIT
// From the caller's rows to a model: parts, scaling, networks, optimization, scores.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "options/option_text.hpp"
#include "training/data/fitted_columns.hpp"
#include "training/data/memory_rows.hpp"
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

Model untrained_model(const TrainingData& description, const DividedRows& rows,
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
    model.members = build_members(model, options);
  }
  model.training.version = KNOTWORK_VERSION_STRING;
  model.training.instruction_set = instruction_set();
  model.training.seed = options.seed;
  model.training.optimizer = options.optimizer;
  model.training.options = option_texts(options);
  return model;
}

// How many iterations were worth making in each stage: the most that any member made there.
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

CurveState curves_of(const Model* start) {
  return start ? CurveState::learned : CurveState::initial;
}

// The same training once more, on all rows: for as many iterations as early stopping found best.
void refit(Model& model, const TrainingRows& all, TrainOptions options, Clock::time_point begin,
           const TrainObserver& observer, const Model* start, Checkpoints* checkpoints) {
  StageIterations iterations;
  if (options.validation_fraction > 0) {
    iterations = best_iterations(model.training, options);
    options.iterations = std::accumulate(iterations.begin(), iterations.end(), std::size_t{0});
  }
  options.validation_fraction = 0;
  const auto rows = all.divide_all(options);
  Model whole = untrained_model(all.description(), *rows, options, start);
  TrainObserver renamed;
  if (observer) {
    renamed = [&](TrainIteration iteration) {
      iteration.phase = TrainPhase::refitting;
      return observer(iteration);
    };
  }
  train_members(whole, *rows, options, curves_of(start), iterations, begin, renamed,
                TrainPhase::refitting, checkpoints, all.ranks());
  // Half a training is worth less than the model that there is.
  if (whole.training.reason == StopReason::requested || whole.training.reason == StopReason::time) {
    const bool late = whole.training.reason == StopReason::time;
    model.training.remarks.push_back(
        fmt::format("The training on all rows was ended {}; the model is the one from before it.",
                    late ? "by the time limit" : "before it was done"));
    return;
  }
  whole.training.train = model.training.train;
  whole.training.validation = model.training.validation;
  whole.training.test = model.training.test;
  whole.training.target_scores = model.training.target_scores;
  whole.training.options = model.training.options;
  whole.training.refitted = true;
  model = std::move(whole);
}

// Checks the finished model on some of the training rows; one remark for each column of
// monotone-in.
void add_monotone_remarks(Model& model, const DividedRows& rows, const TrainOptions& options) {
  if (options.monotone_in.empty()) return;
  constexpr std::size_t kMostRows = 200;
  const std::vector<double> sample = rows.some_inputs(kMostRows);
  const std::size_t inputs = model.inputs.size(), count = sample.size() / inputs;
  if (count == 0) return;
  const InputSigns signs = input_signs(model, options);
  for (std::size_t c = 0; c < inputs; ++c) {
    if (signs[c] == 0) continue;
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

}  // namespace

Model train(const TrainingData& data, const Partition& partition, const TrainOptions& options,
            const TrainObserver& observer, const Model* start, Checkpoints* checkpoints) {
  return train_rows(MemoryRows(data, partition), options, observer, start, checkpoints);
}

Model training::train_rows(const TrainingRows& rows, const TrainOptions& options,
                           const TrainObserver& observer, const Model* start,
                           Checkpoints* checkpoints) {
  check(options);
  if (checkpoints) state_of(*checkpoints).begin(training_identity(rows, options, start));
  return train_identified(rows, options, observer, start, checkpoints);
}

Model training::train_identified(const TrainingRows& all, const TrainOptions& options,
                                 const TrainObserver& observer, const Model* start,
                                 Checkpoints* checkpoints) {
  const auto begin = Clock::now();
  check(options);
  const auto rows = all.divide(options);
  Model model = untrained_model(all.description(), *rows, options, start);
  train_members(model, *rows, options, curves_of(start), {}, begin, observer, TrainPhase::training,
                checkpoints, all.ranks());
  Summary& summary = model.training;
  if (summary.iterations == 0 && options.ensemble == 1 &&
      (summary.reason == StopReason::requested || summary.reason == StopReason::time)) {
    summary.remarks.push_back(
        "Training was ended before its first iteration; the model is one that is not trained.");
  }
  for (const Part part : {Part::train, Part::validation, Part::test}) {
    if (rows->size(part) > 0) rows->score(model, part, options.threads);
  }
  if (options.refit && summary.reason != StopReason::requested) {
    // Where no time is left there is nothing of it to keep.
    Checkpoints* const kept = summary.reason == StopReason::time ? nullptr : checkpoints;
    refit(model, all, options, begin, observer, start, kept);
  }
  add_monotone_remarks(model, *rows, options);
  summary.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (checkpoints) summary.seconds += state_of(*checkpoints).earlier_seconds();
  return model;
}

Model train(const TrainingData& data, const TrainOptions& options, const TrainObserver& observer) {
  return train(data, Partition{}, options, observer);
}

}  // namespace knotwork
