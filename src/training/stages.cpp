// SPDX-License-Identifier: MIT
#include "training/stages.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "network/forward_blocks.hpp"
#include "training/penalties.hpp"

namespace knotwork {
namespace {

ObjectiveOptions objective_options(const Network& network, const TrainOptions& options,
                                   std::shared_ptr<const Loss> loss) {
  ObjectiveOptions result;
  result.loss = std::move(loss);
  const RegulariserOptions settings{options.free_bias};
  auto add = [&](std::string_view name, double lambda) {
    result.regularisers.push_back({builtin_regularisers().at(name).make(settings), lambda});
  };
  add("weights", options.lambda_w);
  add("damping", options.lambda_q);
  add("slope", options.lambda_slope);
  add("curvature", options.lambda_curvature);
  if (network.layers().front().kind == LayerKind::bank) {
    add("bank-curvature", options.lambda_bank);
  }
  add("absolute-weights", options.lambda_w1);
  add("kinks", options.lambda_kinks);
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

// The mean loss of the validation part; of the squared one the root of its mean over the targets,
// which is the RMSE of the scaled targets.
template <class T>
class ValidationScore {
 public:
  ValidationScore(const Network& network, const Samples<T>& samples,
                  std::shared_ptr<const Loss> loss, std::size_t threads)
      : samples_(samples),
        loss_(std::move(loss)),
        blocks_(network, samples.inputs.rows, threads),
        outputs_(samples.targets.rows * network.outputs()),
        gradients_(outputs_.size()) {
    const std::size_t rows = samples.targets.rows;
    for (std::size_t c = 0; c < samples.targets.columns; ++c) {
      for (std::size_t r = 0; r < rows; ++r) truth_.push_back(samples.targets(r, c));
    }
    mass_ = samples.weights.empty()
                ? static_cast<double>(rows)
                : std::accumulate(samples.weights.begin(), samples.weights.end(), 0.0);
  }

  double operator()(std::span<const double> parameters) {
    const std::size_t rows = samples_.targets.rows, outputs = outputs_.size() / rows;
    blocks_.run(parameters, samples_.inputs, column_major(std::span<T>(outputs_), rows, outputs));
    const double mean =
        loss_->evaluate(LossBlock<T>{outputs, rows, rows, outputs_.data(), truth_.data(),
                                     samples_.weights.empty() ? nullptr : samples_.weights.data(),
                                     gradients_.data()}) /
        mass_;
    const auto targets = static_cast<double>(samples_.targets.columns);
    return loss_->name() == "squared" ? std::sqrt(mean / targets) : mean;
  }

 private:
  Samples<T> samples_;
  std::shared_ptr<const Loss> loss_;
  ForwardBlocks<T> blocks_;
  std::vector<T> outputs_, gradients_, truth_;
  double mass_ = 0;
};

// Rows that ranges are fitted to, scaled and in double: all of them, or so many at equal distances.
constexpr std::size_t kRangeRows = 16384;

template <class T>
std::vector<double> range_rows(const Samples<T>& samples) {
  const std::size_t rows = samples.inputs.rows, taken = std::min(rows, kRangeRows);
  std::vector<double> columns;
  columns.reserve(taken * samples.inputs.columns);
  for (std::size_t c = 0; c < samples.inputs.columns; ++c) {
    const ColumnScale scale =
        samples.input_scales.empty() ? ColumnScale{} : samples.input_scales[c];
    for (std::size_t k = 0; k < taken; ++k) {
      const auto x = static_cast<double>(samples.inputs(k * rows / taken, c));
      columns.push_back((x - scale.offset) * scale.scale);
    }
  }
  return columns;
}

template <class T>
class StageRunner {
 public:
  StageRunner(Network& network, CurveState curves, Summary& summary, const Samples<T>& training,
              const std::optional<Samples<T>>& validation, const std::shared_ptr<const Loss>& loss,
              const TrainOptions& options, const InputSigns& signs,
              const StageIterations& iterations, Clock::time_point begin,
              const TrainObserver& observer)
      : options_(with_last_penalties(options)),
        stages_(plan_stages(options_, iterations)),
        observer_(observer),
        network_(network),
        curves_(curves),
        summary_(summary),
        begin_(begin),
        training_(training),
        validation_(validation),
        loss_(loss),
        signs_(signs) {
    take_network();
  }

  void run() {
    Stage last;
    for (stage_ = 0; stage_ < stages_.size(); ++stage_) {
      last = stages_[stage_];
      change_knots(last);
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
  }

 private:
  void store_point() { std::copy(point_.begin(), point_.end(), network_.parameters().begin()); }

  // What depends on the network's structure and constants.
  void take_network() {
    point_.assign(network_.parameters().begin(), network_.parameters().end());
    objective_.emplace(network_, training_, objective_options(network_, options_, loss_));
    projection_ = projection_for(network_, options_, signs_);
    if (validation_) validate_.emplace(network_, *validation_, loss_, options_.threads);
  }

  void change_knots(const Stage& stage) {
    if (!stage.halves_step && !stage.fits_range) return;
    store_point();
    objective_.reset();
    validate_.reset();
    if (stage.halves_step) network_ = with_half_step(network_);
    if (stage.fits_range) {
      const std::vector<double> rows = range_rows(training_);
      const std::size_t columns = training_.inputs.columns;
      fit_range(network_,
                column_major(std::span<const double>(rows), rows.size() / columns, columns),
                options_.fit_range, stage_ == 0 ? curves_ : CurveState::learned, options_.threads);
    }
    take_network();
  }

  void weigh(const Stage& stage) {
    objective_->set_lambda("weights", stage.lambda_w);
    objective_->set_lambda("damping", stage.lambda_q);
  }

  void run_stage(const Stage& stage) {
    weigh(stage);
    set_courses(*objective_, options_, total_iterations(stages_.size()), total_iterations(stage_));
    best_ = {};
    latest_.clear();
    before_latest_.clear();
    ProximalSteps steps;
    if (auto shrinking = shrinking_step(*objective_, options_)) steps.push_back(shrinking);
    if (projection_) {
      projection_->apply(point_, {});
      steps.push_back(projection_);
    }
    const auto optimizer = make_optimizer(options_, network_, stage.iterations, steps);
    MinimizeResult result =
        minimize(*optimizer, *objective_, point_, stop_rules(stage.iterations),
                 [this](const IterationReport& report) { return watch(report); });
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
    if (options_.time_limit > 0) rules.seconds = std::max(1e-9, options_.time_limit - elapsed());
    rules.gradient_norm = options_.gradient_norm;
    rules.relative_decrease = options_.relative_decrease;
    return rules;
  }

  StopReason watch(const IterationReport& report) {
    std::swap(latest_, before_latest_);
    latest_.assign(report.point.begin(), report.point.end());
    std::optional<double> score;
    if (validate_) {
      score = (*validate_)(report.point);
      if (*score < best_.score) best_ = {*score, report.iteration, latest_};
    }
    // A later stage's start is the end of the one before, which has been reported.
    if (observer_ && (report.iteration > 0 || stage_ == 0)) {
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
      if (!observer_(seen)) return StopReason::requested;
    }
    const bool patient = !validate_ || report.iteration - best_.iteration < options_.patience;
    return patient ? StopReason::none : StopReason::early_stopping;
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

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  // The best iteration of the stage on the validation part.
  struct Best {
    double score = std::numeric_limits<double>::infinity();
    std::size_t iteration = 0;
    std::vector<double> point;
  };

  const TrainOptions options_;  // penalties that change have their last values here
  std::vector<Stage> stages_;
  const TrainObserver& observer_;
  Network& network_;
  CurveState curves_;  // at the start
  Summary& summary_;
  Clock::time_point begin_;
  Samples<T> training_;
  const std::optional<Samples<T>>& validation_;
  std::shared_ptr<const Loss> loss_;
  const InputSigns& signs_;
  std::optional<Objective> objective_;
  std::shared_ptr<const ProximalStep> projection_;  // null: everything is allowed
  std::optional<ValidationScore<T>> validate_;
  std::size_t stage_ = 0;
  std::vector<double> point_;  // where the next stage starts
  std::vector<double> latest_, before_latest_, gradient_;
  Best best_;
};

}  // namespace

template <class T>
void run_stages(Network& network, CurveState curves, Summary& summary, const Samples<T>& training,
                const std::optional<Samples<T>>& validation,
                const std::shared_ptr<const Loss>& loss, const TrainOptions& options,
                const InputSigns& signs, const StageIterations& iterations, Clock::time_point begin,
                const TrainObserver& observer) {
  StageRunner<T>(network, curves, summary, training, validation, loss, options, signs, iterations,
                 begin, observer)
      .run();
}

template void run_stages(Network&, CurveState, Summary&, const Samples<float>&,
                         const std::optional<Samples<float>>&, const std::shared_ptr<const Loss>&,
                         const TrainOptions&, const InputSigns&, const StageIterations&,
                         Clock::time_point, const TrainObserver&);
template void run_stages(Network&, CurveState, Summary&, const Samples<double>&,
                         const std::optional<Samples<double>>&, const std::shared_ptr<const Loss>&,
                         const TrainOptions&, const InputSigns&, const StageIterations&,
                         Clock::time_point, const TrainObserver&);

}  // namespace knotwork
