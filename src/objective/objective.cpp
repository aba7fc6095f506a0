// SPDX-License-Identifier: MIT
#include <cmath>

#include "base/fail.hpp"
#include "objective/walk.hpp"

namespace knotwork {
namespace {

// The targets of a loss of classes are used as indices, so they must be class numbers.
template <class T>
void check_classes(const Loss& loss, const Samples<T>& samples) {
  if (loss.classes() == 0) return;
  if (samples.targets.columns != 1 || !samples.target_scales.empty()) {
    fail(ErrorKind::bad_data, "The loss '{}' needs one target column with unscaled class numbers.",
         loss.name());
  }
  const auto most = static_cast<T>(loss.classes() - 1);
  for (std::size_t r = 0; r < samples.targets.rows; ++r) {
    const T target = samples.targets(r, 0);
    if (target >= 0 && target <= most && target == std::floor(target)) continue;
    fail(ErrorKind::bad_data,
         "The target of row {} is {}; for the loss '{}' it must be a class, from 0 to {}.", r,
         target, loss.name(), most);
  }
}

template <class T>
void check(const Network& network, const Samples<T>& samples, const Loss& loss) {
  if (samples.inputs.rows == 0 && samples.all_rows == 0)
    fail(ErrorKind::bad_data, "There are no training rows.");
  if (samples.inputs.columns != network.inputs() ||
      loss.outputs(samples.targets.columns) != network.outputs()) {
    fail(ErrorKind::bad_data,
         "A network of {} inputs and {} outputs does not fit samples of {} inputs and {} targets "
         "with the loss '{}'.",
         network.inputs(), network.outputs(), samples.inputs.columns, samples.targets.columns,
         loss.name());
  }
  if (samples.targets.rows != samples.inputs.rows) {
    fail(ErrorKind::bad_data, "There are {} rows of inputs but {} rows of targets.",
         samples.inputs.rows, samples.targets.rows);
  }
  if (!samples.inputs.columns_contiguous() || !samples.targets.columns_contiguous()) {
    fail(ErrorKind::bad_data, "Samples of an objective must be stored column by column.");
  }
  const auto scales_fit = [](std::span<const ColumnScale> scales, std::size_t columns) {
    return scales.empty() || scales.size() == columns;
  };
  if (!scales_fit(samples.input_scales, samples.inputs.columns) ||
      !scales_fit(samples.target_scales, samples.targets.columns)) {
    fail(ErrorKind::bad_data,
         "Samples with {} inputs and {} targets have {} and {} scales; give one scale for each "
         "column, or none.",
         samples.inputs.columns, samples.targets.columns, samples.input_scales.size(),
         samples.target_scales.size());
  }
  if (samples.weights.empty()) return;
  if (samples.weights.size() != samples.inputs.rows) {
    fail(ErrorKind::bad_data, "There are {} rows but {} sample weights.", samples.inputs.rows,
         samples.weights.size());
  }
  double mass = 0;
  for (std::size_t r = 0; r < samples.weights.size(); ++r) {
    const T weight = samples.weights[r];
    if (!(weight >= 0) || !std::isfinite(weight)) {
      fail(ErrorKind::bad_data,
           "The weight of row {} is {}; weights must be finite and at least 0.", r, weight);
    }
    mass += static_cast<double>(weight);
  }
  if (!(mass > 0) && samples.mass == 0)
    fail(ErrorKind::bad_data, "All sample weights are 0; at least one must be above 0.");
}

void check_lambda(std::string_view regularizer, double lambda) {
  if (!(lambda >= 0) || !std::isfinite(lambda)) {
    fail(ErrorKind::bad_option, "The weight of the regularizer '{}' must be at least 0, not {}.",
         regularizer, lambda);
  }
}

void check_sizes(std::size_t wanted, std::span<const double> parameters,
                 std::span<double> gradient) {
  if (parameters.size() != wanted || gradient.size() != wanted) {
    fail(ErrorKind::bad_option,
         "An objective with {} parameters got {} parameters and memory for {} derivatives.", wanted,
         parameters.size(), gradient.size());
  }
}

}  // namespace

double LambdaCourse::at(std::uint64_t epoch) const {
  const auto now = static_cast<double>(epochs_before) + static_cast<double>(epoch);
  if (now + 1 >= static_cast<double>(epochs)) return last;
  const double share = now / static_cast<double>(epochs - 1);
  if (first > 0 && last > 0) return first * std::pow(last / first, share);
  return std::lerp(first, last, share);
}

Objective::Objective(const Network& network, AnySamples samples, ObjectiveOptions options)
    : network_(network), options_(std::move(options)) {
  if (!(options_.dropout >= 0 && options_.dropout < 1)) {
    fail(ErrorKind::bad_option, "dropout must be at least 0 and below 1, not {}.",
         options_.dropout);
  }
  if (network.parameters().empty()) {
    fail(ErrorKind::bad_option, "The network has no parameters to train.");
  }
  if (!options_.loss) options_.loss = builtin_losses().at("squared").make({});
  for (const WeightedRegularizer& term : options_.regularizers) {
    if (!term.regularizer) {
      fail(ErrorKind::bad_option, "A regularizer is missing: only its weight is given.");
    }
    check_lambda(term.regularizer->name(), term.lambda);
  }
  std::visit(
      [&]<class T>(const Samples<T>& typed) {
        check(network, typed, *options_.loss);
        check_classes(*options_.loss, typed);
        walk_ = std::make_unique<WalkOf<T>>(network, typed, options_);
      },
      samples);
}

Objective::~Objective() = default;

std::size_t Objective::size() const {
  return network_.parameters().size();
}

double Objective::evaluate(std::span<const double> parameters, std::span<double> gradient) {
  check_sizes(size(), parameters, gradient);
  return add_regularizers(walk_->all(parameters, gradient), parameters, gradient);
}

std::size_t Objective::begin_epoch(std::uint64_t epoch) {
  for (const auto& [regularizer, course] : courses_) set_lambda(regularizer, course.at(epoch));
  return walk_->begin_epoch(epoch);
}

double Objective::evaluate_batch(std::size_t batch, std::span<const double> parameters,
                                 std::span<double> gradient) {
  check_sizes(size(), parameters, gradient);
  return add_regularizers(walk_->batch(batch, parameters, gradient), parameters, gradient);
}

double Objective::add_regularizers(double loss, std::span<const double> parameters,
                                   std::span<double> gradient) const {
  for (const auto& [regularizer, lambda] : options_.regularizers) {
    if (lambda > 0) loss += regularizer->add(network_, parameters, lambda, gradient);
  }
  return loss;
}

ObjectiveParts Objective::parts_at(std::span<const double> parameters, double value) const {
  ObjectiveParts result{value, {{"loss", value}}};
  std::vector<double> unused(parameters.size());
  for (const auto& [regularizer, lambda] : options_.regularizers) {
    if (lambda == 0) continue;
    const double part = regularizer->add(network_, parameters, lambda, unused);
    result.parts.emplace_back(regularizer->name(), part);
    result.parts.front().second -= part;
  }
  return result;
}

void Objective::set_lambda(std::string_view regularizer, double lambda) {
  check_lambda(regularizer, lambda);
  bool known = false;
  for (WeightedRegularizer& term : options_.regularizers) {
    if (term.regularizer->name() != regularizer) continue;
    term.lambda = lambda;
    known = true;
  }
  if (!known) {
    fail(ErrorKind::bad_option, "The objective has no regularizer called '{}'.", regularizer);
  }
}

void Objective::set_course(std::string_view regularizer, const LambdaCourse& course) {
  check_lambda(regularizer, course.first);
  check_lambda(regularizer, course.last);
  set_lambda(regularizer, course.at(0));
  std::erase_if(courses_, [&](const auto& own) { return own.first == regularizer; });
  courses_.emplace_back(regularizer, course);
}

void Objective::shrink(std::span<double> parameters, std::span<const double> steps) const {
  if (parameters.size() != size() || steps.size() != size()) {
    fail(ErrorKind::bad_option,
         "An objective with {} parameters got {} parameters to shrink, with {} steps.", size(),
         parameters.size(), steps.size());
  }
  for (const auto& [regularizer, lambda] : options_.regularizers) {
    if (lambda > 0 && !regularizer->is_smooth()) {
      regularizer->shrink(network_, parameters, lambda, steps);
    }
  }
}

}  // namespace knotwork
