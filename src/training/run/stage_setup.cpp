// SPDX-License-Identifier: MIT
#include "training/run/stage_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "options/check_options.hpp"

namespace knotwork::training {
namespace {

class ShrinkingStep final : public ProximalStep {
 public:
  explicit ShrinkingStep(const Objective& objective) : objective_(objective) {}
  void apply(std::span<double> point, std::span<const double> steps) const override {
    objective_.shrink(point, steps);
  }

 private:
  const Objective& objective_;
};

}  // namespace

ObjectiveOptions objective_options(const Network& network, const TrainOptions& options) {
  ObjectiveOptions result;
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

std::unique_ptr<Optimizer> make_optimizer(const TrainOptions& options, const Network& network,
                                          std::size_t epochs, const ProximalSteps& steps) {
  OptimizerOptions result;
  result.adam.proximal_steps = steps;
  result.lbfgs_memory = static_cast<int>(options.lbfgs_memory);
  result.adam.rate = options.rate;
  result.adam.weight_decay = options.weight_decay;
  if (epochs > 0) {  // a stage without iterations has no rate schedule
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

StopRules stop_rules(const TrainOptions& options, std::size_t iterations,
                     std::size_t evaluations_done) {
  StopRules rules;
  rules.iterations = iterations;
  if (options.max_evaluations > 0) {
    // Never 0, which would mean no limit.
    const std::size_t used = std::min(evaluations_done, options.max_evaluations - 1);
    rules.evaluations = options.max_evaluations - used;
  }
  rules.gradient_norm = options.gradient_norm;
  rules.relative_decrease = options.relative_decrease;
  return rules;
}

TrainOptions with_last_penalties(TrainOptions options) {
  for (const PenaltyCourse& course : options.penalty_schedule) {
    set_option(options, course.option, fmt::format("{}", course.last));
  }
  return options;
}

void set_courses(Objective& objective, const TrainOptions& options, std::size_t epochs,
                 std::size_t before) {
  for (const PenaltyCourse& course : options.penalty_schedule) {
    objective.set_course(regularizer_of(course.option).name,
                         {course.first, course.last, epochs, before});
  }
}

std::shared_ptr<const ProximalStep> shrinking_step(const Objective& objective,
                                                   const TrainOptions& options) {
  bool shrinks = false;
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.regularizer.empty()) continue;
    const bool scheduled =
        std::any_of(options.penalty_schedule.begin(), options.penalty_schedule.end(),
                    [&](const PenaltyCourse& course) { return course.option == field.name; });
    if (!scheduled && field.lambda(options) == 0) continue;
    shrinks = shrinks || !builtin_regularizers().at(field.regularizer).make({})->is_smooth();
  }
  return shrinks ? std::make_shared<ShrinkingStep>(objective) : nullptr;
}

}  // namespace knotwork::training
