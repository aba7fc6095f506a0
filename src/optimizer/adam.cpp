// SPDX-License-Identifier: MIT
#include "optimizer/adam.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/fail.hpp"
#include "optimizer/checks.hpp"
#include "optimizer/vectors.hpp"

namespace knotwork {
namespace {

// Falls from 1 at share 0 to 0 at share 1.
double half_cosine(double share) {
  return (1 + std::cos(std::numbers::pi * share)) / 2;
}

void check_scale(std::string_view field, const std::vector<double>& scale, std::size_t size) {
  if (!scale.empty() && scale.size() != size) {
    fail(ErrorKind::bad_option,
         "adam.{} has {} factors; it must have one for each of the {} parameters, or none.", field,
         scale.size(), size);
  }
}

void check_scales(const AdamOptions& options, std::size_t size) {
  check_scale("rate_scale", options.rate_scale, size);
  check_scale("decay_scale", options.decay_scale, size);
}

}  // namespace

double scheduled_rate(const AdamOptions& options, std::uint64_t t, std::uint64_t horizon) {
  if (options.schedule == RateSchedule::constant || horizon == 0) return options.rate;
  const auto last = static_cast<double>(horizon - 1);
  const double now = std::min(static_cast<double>(t), last);
  if (options.schedule == RateSchedule::cosine) {
    return options.rate * half_cosine(now / static_cast<double>(horizon));
  }

  constexpr double kWarmUp = 0.3, kFirstDivisor = 25, kLastDivisor = 25e4;
  const double share = last > 0 ? now / last : 0;
  if (share < kWarmUp) {
    const double first = options.rate / kFirstDivisor;
    return first + (options.rate - first) * share / kWarmUp;
  }
  const double lowest = options.rate / kLastDivisor;
  return lowest + (options.rate - lowest) * half_cosine((share - kWarmUp) / (1 - kWarmUp));
}

void Adam::start(Function& function, std::span<const double> x) {
  check_start_size(function, x);
  check_scales(options_, x.size());
  point_.assign(x.begin(), x.end());
  best_point_ = point_;
  if (rule_ == StepRule::moments) {
    first_moment_.assign(x.size(), 0.0);
    second_moment_.assign(x.size(), 0.0);
  }
  gradient_.assign(x.size(), 0.0);
  now_.last_rate = 0;
  now_.epoch = now_.updates = now_.moment_updates = 0;

  now_.value = now_.best_value = function.evaluate(point_, gradient_);
  now_.evaluations = 1;
  now_.gradient_norm = norm(gradient_);
  check_start_value(now_.value, now_.gradient_norm);
}

void Adam::start_again(Function& function, std::span<const double> x) {
  const Numbers before = now_;
  start(function, x);
  now_.epoch = before.epoch;
  now_.updates = before.updates;
  now_.evaluations += before.evaluations;
}

StopReason Adam::iterate(Function& function) {
  check_started(function, point_);
  const std::size_t batches = function.begin_epoch(now_.epoch);
  if (batches == 0) {
    fail(ErrorKind::failed_run, "Epoch {} of the function has no batches; it needs at least one.",
         now_.epoch);
  }
  gradient_.resize(point_.size());
  step_.resize(point_.size());
  epoch_start_ = point_;
  // The moments change with the first update, so before the only batch there is nothing to copy.
  if (batches > 1) {
    first_before_ = first_moment_;
    second_before_ = second_moment_;
  }
  const Numbers before = now_;
  try {
    return run_epoch(function, batches);
  } catch (...) {
    if (batches > 1) {
      point_.swap(epoch_start_);
      first_moment_.swap(first_before_);
      second_moment_.swap(second_before_);
    }
    now_ = before;
    throw;
  }
}

StopReason Adam::run_epoch(Function& function, std::size_t batches) {
  ++now_.epoch;
  const std::uint64_t horizon = std::uint64_t{options_.schedule_epochs} * batches;

  double sum = 0;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const double value = function.evaluate_batch(batch, point_, gradient_);
    ++now_.evaluations;
    const double length = norm(gradient_);
    if (!std::isfinite(value) || !std::isfinite(length)) return fall_back();
    sum += value;
    now_.gradient_norm = length;
    now_.last_rate = scheduled_rate(options_, now_.updates++, horizon);
    update(now_.last_rate);
  }
  const double mean = sum / static_cast<double>(batches);
  if (!std::isfinite(mean) || !all_finite(point_)) return fall_back();

  now_.value = mean;
  if (mean < now_.best_value) {
    now_.best_value = mean;
    best_point_.swap(epoch_start_);
  }
  return StopReason::none;
}

// The vectors are known not to overlap, and rare features have separate loops, so that the compiler
// can process several parameters at once.
void Adam::take_moments() {
  const double beta1 = options_.beta1, beta2 = options_.beta2;
  const auto k = static_cast<double>(++now_.moment_updates);
  const double correction1 = 1 - std::pow(beta1, k);
  const double correction2 = 1 - std::pow(beta2, k);
  const double scale1 = 1 / correction1, scale2 = 1 / correction2, epsilon = options_.epsilon;
  const std::size_t size = point_.size();
  const double* __restrict const gradient = gradient_.data();
  double* __restrict const first = first_moment_.data();
  double* __restrict const second = second_moment_.data();
  double* __restrict const step = step_.data();
  for (std::size_t i = 0; i < size; ++i) {
    const double g = gradient[i];
    const double mean = beta1 * first[i] + (1 - beta1) * g;
    const double square = beta2 * second[i] + (1 - beta2) * g * g;
    first[i] = mean;
    second[i] = square;
    step[i] = mean * scale1 / (std::sqrt(square * scale2) + epsilon);
  }
}

void Adam::update(double rate) {
  if (rule_ == StepRule::moments) {
    take_moments();
  } else {
    std::copy(gradient_.begin(), gradient_.end(), step_.begin());
  }
  const double decay = decay_ == DecayRule::decoupled ? options_.weight_decay : 0;
  const std::size_t size = point_.size();
  double* __restrict const step = step_.data();
  double* __restrict const point = point_.data();
  if (decay != 0) {
    for (std::size_t i = 0; i < size; ++i) {
      step[i] += decay * (options_.decay_scale.empty() ? 1 : options_.decay_scale[i]) * point[i];
    }
  }
  if (!options_.rate_scale.empty()) {
    for (std::size_t i = 0; i < size; ++i) step[i] *= options_.rate_scale[i];
  }
  for (std::size_t i = 0; i < size; ++i) point[i] -= rate * step[i];
  if (!options_.proximal_steps.empty()) apply_proximal_steps(rate);
}

void Adam::apply_proximal_steps(double rate) {
  if (!all_finite(point_)) return;  // the end of the epoch returns to the fall-back
  const double scale2 =
      1 / (1 - std::pow(options_.beta2, static_cast<double>(now_.moment_updates)));
  for (std::size_t i = 0; i < point_.size(); ++i) {
    const double scale = options_.rate_scale.empty() ? 1 : options_.rate_scale[i];
    step_[i] = rate * scale / (std::sqrt(second_moment_[i] * scale2) + options_.epsilon);
  }
  for (const auto& proximal : options_.proximal_steps) proximal->apply(point_, step_);
}

StopReason Adam::fall_back() {
  point_ = best_point_;
  now_.value = now_.best_value;
  std::fill(first_moment_.begin(), first_moment_.end(), 0.0);
  std::fill(second_moment_.begin(), second_moment_.end(), 0.0);
  now_.moment_updates = 0;
  return StopReason::non_finite;
}

OptimizerState Adam::state() const {
  OptimizerState state;
  state.optimizer = name();
  state.vectors = {{"point", point_}, {"best_point", best_point_}};
  if (rule_ == StepRule::moments) {
    state.vectors["first_moment"] = first_moment_;
    state.vectors["second_moment"] = second_moment_;
  }
  state.numbers = {{"value", now_.value},
                   {"best_value", now_.best_value},
                   {"gradient_norm", now_.gradient_norm},
                   {"last_rate", now_.last_rate},
                   {"epoch", static_cast<double>(now_.epoch)},
                   {"updates", static_cast<double>(now_.updates)},
                   {"moment_updates", static_cast<double>(now_.moment_updates)},
                   {"evaluations", static_cast<double>(now_.evaluations)}};
  return state;
}

void Adam::restore(const OptimizerState& state) {
  const StateReader reader(state, name());
  Adam restored(*this);
  restored.point_ = reader.vector("point");
  const std::size_t size = restored.point_.size();
  check_scales(options_, size);
  if (rule_ == StepRule::moments) {
    restored.first_moment_ = reader.vector("first_moment", size);
    restored.second_moment_ = reader.vector("second_moment", size);
  }
  restored.best_point_ = reader.vector("best_point", size);
  restored.now_.value = reader.number("value");
  restored.now_.best_value = reader.number("best_value");
  restored.now_.gradient_norm = reader.number("gradient_norm");
  restored.now_.last_rate = reader.number("last_rate");
  restored.now_.epoch = reader.count("epoch");
  restored.now_.updates = reader.count("updates");
  restored.now_.moment_updates = reader.count("moment_updates");
  restored.now_.evaluations = static_cast<std::size_t>(reader.count("evaluations"));
  *this = std::move(restored);
}

}  // namespace knotwork
