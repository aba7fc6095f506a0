// SPDX-License-Identifier: MIT
#include "features/scaling_fit.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"

namespace knotwork {

using namespace features;

namespace {

// Picks values at equally spaced probabilities from ascending values.
std::vector<double> thinned(std::vector<double> sorted) {
  if (sorted.size() <= kMaxQuantiles) return sorted;
  std::vector<double> quantiles(kMaxQuantiles);
  constexpr std::size_t kSteps = kMaxQuantiles - 1;
  for (std::size_t i = 0; i <= kSteps; ++i) {
    const std::size_t position = i * (sorted.size() - 1);  // in steps of 1 / kSteps
    const std::size_t below = position / kSteps;
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    quantiles[i] = std::lerp(sorted[below], sorted[above],
                             static_cast<double>(position % kSteps) / double{kSteps});
  }
  return quantiles;
}

Scaling constant_scaling(ScalingKind kind, double value, ColumnRole role) {
  return {.kind = kind,
          .offset = value,
          .scale = role == ColumnRole::input ? 0.0 : 1.0,
          .quantiles = uses_quantiles(kind) ? std::vector{value} : std::vector<double>{}};
}

}  // namespace

ScalingFit::ScalingFit(ScalingKind kind, ColumnRole role, double low, double high)
    : kind_(kind), role_(role), low_(low), high_(high) {
  if (uses_quantiles(kind) && role == ColumnRole::target) {
    fail(
        ErrorKind::bad_option,
        "A target cannot be scaled by '{}', which is for inputs only; use range, standard or none.",
        to_string(kind));
  }
  if (kind == ScalingKind::range &&
      !(std::isfinite(low) && std::isfinite(high) && std::isfinite(high - low) && low < high)) {
    fail(ErrorKind::bad_option,
         "A column cannot be scaled to the range {} .. {}; both ends must be finite, and the first "
         "one must be lower.",
         low, high);
  }
  if (uses_quantiles(kind)) sample_.emplace();
}

template <class RowOf>
void ScalingFit::see_rows(std::span<const double> values, const RowOf& row_of) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double x = values[k] + 0.0;  // turns -0 into 0, because the two have no order
    if (pass_ == Pass::mean) {
      sum_.add(relative(x));
    } else if (pass_ == Pass::deviation) {
      const double z = relative(x) - mean_;
      sum_.add(z * z);
    } else {
      if (!std::isfinite(x)) {
        fail(ErrorKind::bad_data,
             "Value {} of a column to be scaled is {}; all of them must be finite numbers.",
             row_of(k) + 1, x);
      }
      smallest_ = std::min(smallest_, x);
      largest_ = std::max(largest_, x);
      ++count_;
      if (sample_) sample_->see(x, row_of(k));
    }
  }
}

void ScalingFit::see(std::span<const double> values, std::span<const std::size_t> rows) {
  see_rows(values, [&](std::size_t k) { return rows[k]; });
}

void ScalingFit::see(std::span<const double> values, std::size_t first_row) {
  see_rows(values, [&](std::size_t k) { return first_row + k; });
}

parallel::MergeState ScalingFit::state() const {
  parallel::MergeState state;
  if (pass_ == Pass::ends) {
    parallel::put(state, count_);
    parallel::put(state, smallest_);
    parallel::put(state, largest_);
    if (sample_) sample_->put(state);
  } else {
    sum_.put(state);
  }
  return state;
}

void ScalingFit::merge(std::span<const std::int64_t> state) {
  parallel::StateReader reader(state);
  if (pass_ == Pass::ends) {
    count_ += reader.size();
    smallest_ = std::min(smallest_, reader.number());
    largest_ = std::max(largest_, reader.number());
    if (sample_) sample_->merge(reader);
  } else {
    sum_.merge(reader);
  }
  reader.finish();
}

void ScalingFit::end_pass() {
  const auto count = static_cast<double>(count_);
  switch (pass_) {
    case Pass::ends:
      if (count_ == 0) {
        fail(ErrorKind::bad_data,
             "A column without rows cannot be scaled; scaling needs at least one value.");
      }
      middle_ = smallest_ / 2 + largest_ / 2;
      half_ = largest_ / 2 - smallest_ / 2;
      pass_ = kind_ == ScalingKind::standard && smallest_ < largest_ ? Pass::mean : Pass::none;
      break;
    case Pass::mean:
      mean_ = sum_.value() / count;
      pass_ = Pass::deviation;
      break;
    case Pass::deviation:
      deviation_ = std::sqrt(sum_.value() / count);
      pass_ = Pass::none;
      break;
    case Pass::none:
      break;
  }
  sum_ = {};
}

std::vector<double> ScalingFit::quantiles() const {
  std::vector<double> quantiles = thinned(sample_->sorted());
  // The ends are exact even if the rest is from a sample.
  quantiles.front() = smallest_;
  quantiles.back() = largest_;
  return quantiles;
}

Scaling ScalingFit::finish() const {
  Scaling fitted;
  fitted.kind = kind_;
  if (kind_ == ScalingKind::none) return fitted;
  // The deviation cannot decide this: rounding gives a constant column of large numbers a small
  // deviation.
  if (smallest_ == largest_) return constant_scaling(kind_, smallest_, role_);
  if (uses_quantiles(kind_)) {
    fitted.quantiles = quantiles();
    return fitted;
  }
  if (kind_ == ScalingKind::range) {
    // Halves, because the full spread may overflow.
    fitted.scale = (high_ / 2 - low_ / 2) / (largest_ / 2 - smallest_ / 2);
    fitted.offset = smallest_ - low_ / fitted.scale;
  } else {
    fitted.offset = middle_ + half_ * mean_;
    fitted.scale = 1 / (half_ * deviation_);
  }
  // Spreads near the limits of double have no usable scale. Such a column counts as constant, so
  // that no infinities enter a network. Differences from its middle do not overflow.
  const bool usable = std::isfinite(fitted.scale) && fitted.scale > 0 &&
                      std::isfinite(fitted.apply(smallest_)) &&
                      std::isfinite(fitted.apply(largest_));
  return usable ? fitted : constant_scaling(kind_, smallest_ / 2 + largest_ / 2, role_);
}

Scaling fit_scaling(ScalingKind kind, std::span<const double> values, ColumnRole role, double low,
                    double high, std::span<const std::size_t> rows) {
  ScalingFit fit(kind, role, low, high);
  while (fit.needs_another_pass()) {
    if (rows.empty()) {
      fit.see(values, 0);
    } else {
      fit.see(values, rows);
    }
    fit.end_pass();
  }
  return fit.finish();
}

}  // namespace knotwork
