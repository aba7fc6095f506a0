// SPDX-License-Identifier: MIT
#include "training/stages.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <knotwork/metrics.hpp>

namespace knotwork {
namespace {

struct Stage {
  double lambda_w, lambda_q;
  std::size_t iterations;
};

std::vector<Stage> plan_stages(const TrainOptions& options) {
  const std::size_t count =
      std::max({std::size_t{1}, options.warm_path.size(), options.warm_path_q.size()});
  std::vector<Stage> stages;
  for (std::size_t k = 0; k < count; ++k) {
    stages.push_back({options.warm_path.empty() ? options.lambda_w : options.warm_path[k],
                      options.warm_path_q.empty() ? options.lambda_q : options.warm_path_q[k],
                      options.iterations * (k + 1) / count - options.iterations * k / count});
  }
  return stages;
}

ObjectiveOptions objective_options(const TrainOptions& options) {
  ObjectiveOptions result;
  result.loss = (options.losses ? *options.losses : builtin_losses()).at(options.loss).make();
  const RegulariserOptions settings{options.free_bias};
  auto add = [&](std::string_view name, double lambda) {
    result.regularisers.push_back({builtin_regularisers().at(name).make(settings), lambda});
  };
  add("weights", options.lambda_w);
  add("damping", options.lambda_q);
  add("slope", options.lambda_slope);
  add("curvature", options.lambda_curvature);
  result.threads = options.threads;
  result.batch = options.batch;
  result.seed = options.seed;
  return result;
}

std::unique_ptr<Optimizer> make_optimizer(const TrainOptions& options, const Network& network,
                                          std::size_t epochs) {
  OptimizerOptions result;
  result.lbfgs_memory = static_cast<int>(options.lbfgs_memory);
  result.adam.rate = options.rate;
  result.adam.weight_decay = options.weight_decay;
  result.adam.schedule = options.schedule;
  result.adam.schedule_epochs = epochs;
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

// NRMSE of the scaled targets on the validation part.
template <class T>
class ValidationScore {
 public:
  ValidationScore(const Network& network, const Samples<T>& samples, std::size_t threads)
      : network_(network),
        samples_(samples),
        threads_(threads),
        outputs_(samples.targets.rows * samples.targets.columns),
        predictions_(outputs_.size()),
        truth_(outputs_.size()),
        weights_(samples.weights.begin(), samples.weights.end()) {
    const std::size_t rows = samples.targets.rows;
    for (std::size_t k = 0; k < truth_.size(); ++k) {
      truth_[k] = static_cast<double>(samples.targets(k % rows, k / rows));
    }
  }

  double operator()(std::span<const double> parameters) {
    std::copy(parameters.begin(), parameters.end(), network_.parameters().begin());
    const std::size_t rows = samples_.targets.rows, columns = samples_.targets.columns;
    evaluate(network_, samples_.inputs, column_major(std::span<T>(outputs_), rows, columns),
             threads_);
    std::copy(outputs_.begin(), outputs_.end(), predictions_.begin());
    return score(column_major(std::span<const double>(predictions_), rows, columns),
                 column_major(std::span<const double>(truth_), rows, columns), weights_)
        .nrmse;
  }

 private:
  Network network_;
  Samples<T> samples_;
  std::size_t threads_;
  std::vector<T> outputs_;
  std::vector<double> predictions_, truth_, weights_;
};

}  // namespace

template <class T>
void run_stages(Model& model, const Samples<T>& training,
                const std::optional<Samples<T>>& validation, const TrainOptions& options,
                const TrainObserver& observer) {
  const auto begin = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  Network& network = model.network;
  Summary& summary = model.training;
  Objective objective(network, training, objective_options(options));
  std::optional<ValidationScore<T>> validate;
  if (validation) validate.emplace(network, *validation, options.threads);
  std::vector<double> point(network.parameters().begin(), network.parameters().end());

  const std::vector<Stage> stages = plan_stages(options);
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const Stage& stage = stages[s];
    objective.set_lambda("weights", stage.lambda_w);
    objective.set_lambda("damping", stage.lambda_q);

    StopRules rules;
    rules.iterations = stage.iterations;
    if (options.max_evaluations > 0) {
      rules.evaluations =
          options.max_evaluations - std::min(summary.evaluations, options.max_evaluations);
    }
    if (options.time_limit > 0) rules.seconds = std::max(0.0, options.time_limit - elapsed());
    rules.gradient_norm = options.gradient_norm;
    rules.relative_decrease = options.relative_decrease;

    double best_score = std::numeric_limits<double>::infinity();
    std::size_t best_iteration = 0;
    std::vector<double> best_point, latest, before_latest;
    const auto watch = [&](const IterationReport& report) {
      std::swap(latest, before_latest);
      latest.assign(report.point.begin(), report.point.end());
      std::optional<double> validation_score;
      if (validate) {
        validation_score = (*validate)(report.point);
        if (*validation_score < best_score) {
          best_score = *validation_score;
          best_iteration = report.iteration;
          best_point.assign(report.point.begin(), report.point.end());
        }
      }
      // A later stage's start is the last stage's end, which has been reported.
      if (observer && (report.iteration > 0 || s == 0)) {
        const TrainIteration seen{s,
                                  summary.iterations + report.iteration,
                                  options.iterations,
                                  summary.evaluations + report.evaluations,
                                  objective.parts_at(report.point, report.value),
                                  report.gradient_norm,
                                  report.step,
                                  validation_score,
                                  elapsed()};
        if (!observer(seen)) return StopReason::requested;
      }
      const bool patient = !validate || report.iteration - best_iteration < options.patience;
      return patient ? StopReason::none : StopReason::early_stopping;
    };

    const auto optimizer = make_optimizer(options, network, stage.iterations);
    MinimizeResult result = minimize(*optimizer, objective, point, rules, watch);
    // The point that adam ends at has not been evaluated: it is one update beyond its last
    // evaluation. If that update left the finite values, the point before it counts.
    if (std::vector<double> unused(point.size());
        result.reason != StopReason::non_finite &&
        !std::isfinite(objective.evaluate(result.point, unused))) {
      result.point =
          std::isfinite(objective.evaluate(before_latest, unused)) ? before_latest : point;
      result.reason = StopReason::non_finite;
    }
    point = best_point.empty() ? std::move(result.point) : std::move(best_point);
    if (validate) summary.best_iteration = summary.iterations + best_iteration;
    summary.iterations += result.iterations;
    summary.evaluations += result.evaluations;
    summary.stages.push_back({stage.lambda_w, stage.lambda_q, result.iterations, result.evaluations,
                              result.value, result.reason});
    summary.reason = result.reason;
    if (result.reason == StopReason::requested || result.reason == StopReason::time ||
        result.reason == StopReason::evaluations) {
      break;
    }
  }
  std::copy(point.begin(), point.end(), network.parameters().begin());
  std::vector<double> gradient(point.size());
  const double value = objective.evaluate(point, gradient);
  summary.objective = objective.parts_at(point, value);
}

template void run_stages(Model&, const Samples<float>&, const std::optional<Samples<float>>&,
                         const TrainOptions&, const TrainObserver&);
template void run_stages(Model&, const Samples<double>&, const std::optional<Samples<double>>&,
                         const TrainOptions&, const TrainObserver&);

}  // namespace knotwork
