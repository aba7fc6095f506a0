// SPDX-License-Identifier: MIT
#include "optimizer/lbfgs.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "optimizer/vectors.hpp"

namespace knotwork {
namespace {

// Cosine between step and change of gradient below which a pair contains no information on
// curvature.
constexpr double kLeastCosine = 1e-10;

// Summed in the same order as in remember(), so that a restored pair has the same bits.
double curvature_of(std::span<const double> step, std::span<const double> change) {
  double sum = 0;
  for (std::size_t i = 0; i < step.size(); ++i) sum += step[i] * change[i];
  return sum;
}

}  // namespace

void Lbfgs::forget(std::size_t size) {
  size_ = size;
  begin_ = 0;
  pairs_ = 0;
  steps_.resize(capacity_ * size);
  changes_.resize(capacity_ * size);
  curvature_.resize(capacity_);
  alpha_.resize(capacity_);
}

void Lbfgs::remember(std::span<const double> old_point, std::span<const double> old_gradient) {
  // The row after the newest is free, or contains the oldest pair. A rejected pair must not
  // overwrite the oldest pair, so curvature is computed before anything is written.
  double sy = 0, ss = 0, yy = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const double s = point()[i] - old_point[i];
    const double y = gradient()[i] - old_gradient[i];
    sy += s * y;
    ss += s * s;
    yy += y * y;
  }
  if (!std::isfinite(sy) || !(sy > kLeastCosine * std::sqrt(ss) * std::sqrt(yy))) return;

  if (pairs_ == capacity_) {
    begin_ = (begin_ + 1) % capacity_;
  } else {
    ++pairs_;
  }
  const std::span<double> s = step(pairs_ - 1);
  const std::span<double> y = change(pairs_ - 1);
  for (std::size_t i = 0; i < size_; ++i) {
    s[i] = point()[i] - old_point[i];
    y[i] = gradient()[i] - old_gradient[i];
  }
  curvature_[place(pairs_ - 1)] = sy;
}

void Lbfgs::choose_direction(std::span<const double> old_point,
                             std::span<const double> old_gradient) {
  remember(old_point, old_gradient);
  const std::span<double> d = direction();
  for (std::size_t i = 0; i < size_; ++i) d[i] = -gradient()[i];
  if (pairs_ == 0) return;

  for (std::size_t pair = pairs_; pair-- > 0;) {
    const std::span<const double> s = step(pair), y = change(pair);
    const double alpha = dot(s, d) / curvature_[place(pair)];
    for (std::size_t i = 0; i < size_; ++i) d[i] -= alpha * y[i];
    alpha_[pair] = alpha;
  }
  const std::span<const double> newest = change(pairs_ - 1);
  const double scale = curvature_[place(pairs_ - 1)] / dot(newest, newest);
  for (double& number : d) number *= scale;
  for (std::size_t pair = 0; pair < pairs_; ++pair) {
    const std::span<const double> s = step(pair), y = change(pair);
    const double correction = alpha_[pair] - dot(y, d) / curvature_[place(pair)];
    for (std::size_t i = 0; i < size_; ++i) d[i] += correction * s[i];
  }
}

double Lbfgs::choose_first_step(double /*last_step*/, double /*old_slope*/) const {
  return pairs_ > 0 ? 1 : 1 / (1 - slope());
}

void Lbfgs::save(OptimizerState& state) const {
  std::vector<double> steps, changes;
  for (std::size_t pair = 0; pair < pairs_; ++pair) {
    const auto from = static_cast<std::ptrdiff_t>(place(pair) * size_);
    const auto to = from + static_cast<std::ptrdiff_t>(size_);
    steps.insert(steps.end(), steps_.begin() + from, steps_.begin() + to);
    changes.insert(changes.end(), changes_.begin() + from, changes_.begin() + to);
  }
  state.vectors["steps"] = std::move(steps);
  state.vectors["gradient_changes"] = std::move(changes);
  state.numbers["pairs"] = static_cast<double>(pairs_);
}

void Lbfgs::load(const StateReader& reader, std::size_t size) {
  // Guards against a count so large that its product with the size overflows.
  const std::size_t stored = reader.vector("steps").size();
  const std::uint64_t pairs = reader.count("pairs");
  if (pairs > 0 && (size == 0 || pairs > stored / size)) {
    fail(ErrorKind::bad_model,
         "The state of optimizer 'lbfgs' has {} pairs, but its vector 'steps' has only {} numbers "
         "for {} parameters.",
         pairs, stored, size);
  }
  const std::vector<double>& steps = reader.vector("steps", pairs * size);
  const std::vector<double>& changes = reader.vector("gradient_changes", pairs * size);
  const std::size_t kept = std::min<std::size_t>(pairs, capacity_);
  for (std::size_t pair = pairs - kept; pair < pairs; ++pair) {
    const std::size_t row = pair * size;
    if (!(curvature_of(std::span(steps).subspan(row, size), std::span(changes).subspan(row, size)) >
          0)) {
      fail(ErrorKind::bad_model,
           "Pair {} in the state of optimizer 'lbfgs' has no positive curvature.", pair);
    }
  }

  forget(size);
  pairs_ = kept;
  const auto skipped = static_cast<std::ptrdiff_t>((pairs - kept) * size);
  std::copy(steps.begin() + skipped, steps.end(), steps_.begin());
  std::copy(changes.begin() + skipped, changes.end(), changes_.begin());
  for (std::size_t pair = 0; pair < kept; ++pair) {
    curvature_[pair] = curvature_of(step(pair), change(pair));
  }
}

}  // namespace knotwork
