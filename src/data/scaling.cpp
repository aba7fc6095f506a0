// SPDX-License-Identifier: MIT
#include <knotwork/scaling.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <knotwork/named_table.hpp>

#include "base/fail.hpp"
#include "data/normal_quantile.hpp"

namespace knotwork {
namespace {

constexpr std::array<std::pair<ScalingKind, std::string_view>, 5> kNames{
    {{ScalingKind::none, "none"},
     {ScalingKind::range, "range"},
     {ScalingKind::standard, "standard"},
     {ScalingKind::quantile, "quantile"},
     {ScalingKind::uniform, "uniform"}}};

// Keeps the normal scores of the extremes at +-5.2.
constexpr double kSmallestProbability = 1e-7;

bool uses_quantiles(ScalingKind kind) {
  return kind == ScalingKind::quantile || kind == ScalingKind::uniform;
}

// Where x lies between a and b, also when their distance overflows.
double fraction_between(double a, double x, double b) {
  const double spread = b - a;
  return std::isfinite(spread) ? (x - a) / spread : (x / 2 - a / 2) / (b / 2 - a / 2);
}

// Tied quantiles stand for one knot in the middle of their probabilities, and the curve is linear
// between knots and constant beyond the outermost: values a rounding error away from a tie stay
// beside it, also at the ends.
double probability_of(const std::vector<double>& quantiles, double x) {
  const auto begin = quantiles.begin(), end = quantiles.end();
  x = std::clamp(x, quantiles.front(), quantiles.back());
  const auto middle_rank = [&](double value) {
    const auto [first, past] = std::equal_range(begin, end, value);
    return 0.5 * static_cast<double>((first - begin) + (past - begin) - 1);
  };
  const auto above = std::lower_bound(begin, end, x);
  double rank;
  if (*above == x) {
    rank = middle_rank(x);
  } else {
    const double low = above[-1], high = *above;
    rank = std::lerp(middle_rank(low), middle_rank(high), fraction_between(low, x, high));
  }
  return rank / static_cast<double>(quantiles.size() - 1);
}

std::vector<double> fit_quantiles(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
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

struct Moments {
  double mean, deviation;
};

// In units of half the spread around the middle, so that neither a mean that dwarfs the deviation
// nor numbers near the ends of double's range spoil the sums.
Moments moments_of(std::span<const double> values, double smallest, double largest) {
  const double middle = smallest / 2 + largest / 2;
  const double half = largest / 2 - smallest / 2;
  const double count = static_cast<double>(values.size());
  double sum = 0;
  for (const double x : values) sum += (x - middle) / half;
  const double mean = sum / count;
  double squares = 0;
  for (const double x : values) {
    const double z = (x - middle) / half - mean;
    squares += z * z;
  }
  return {middle + half * mean, half * std::sqrt(squares / count)};
}

void check(ScalingKind kind, std::span<const double> values, ColumnRole role, double low,
           double high) {
  if (uses_quantiles(kind) && role == ColumnRole::target) {
    fail(
        ErrorKind::bad_option,
        "A target cannot be scaled by '{}', which is for inputs only; use range, standard or none.",
        to_string(kind));
  }
  if (kind == ScalingKind::range &&
      !(std::isfinite(low) && std::isfinite(high) && std::isfinite(high - low) && low < high)) {
    fail(ErrorKind::bad_option,
         "A column cannot be scaled to the range {} .. {}; both ends must be finite, the lower one "
         "first.",
         low, high);
  }
  if (values.empty()) {
    fail(ErrorKind::bad_data,
         "A column without rows cannot be scaled; scaling needs at least one value.");
  }
  const auto bad =
      std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); });
  if (bad != values.end()) {
    fail(ErrorKind::bad_data,
         "Value {} of a column to be scaled is {}; all of them must be finite numbers.",
         bad - values.begin() + 1, *bad);
  }
}

}  // namespace

std::string_view to_string(ScalingKind kind) {
  for (const auto& [known, name] : kNames) {
    if (known == kind) return name;
  }
  fail(ErrorKind::bad_option, "There is no scaling of number {}; there are {} of them.",
       static_cast<int>(kind), kNames.size());
}

ScalingKind scaling_from_name(std::string_view name) {
  for (const auto& [kind, known] : kNames) {
    if (known == name) return kind;
  }
  throw Error(ErrorKind::bad_option, unknown_name_message("scaling", name, scaling_names()));
}

std::vector<std::string> scaling_names() {
  std::vector<std::string> names;
  for (const auto& entry : kNames) names.emplace_back(entry.second);
  return names;
}

double Scaling::apply(double x) const {
  if (kind == ScalingKind::none) return x;
  if (!uses_quantiles(kind)) return (x - offset) * scale;
  if (std::isnan(x)) return x;
  if (quantiles.empty() || quantiles.front() == quantiles.back()) return 0;
  const double p = probability_of(quantiles, x);
  if (kind == ScalingKind::uniform) return 2 * p - 1;
  return normal_quantile(std::clamp(p, kSmallestProbability, 1 - kSmallestProbability));
}

double Scaling::invert(double scaled) const {
  if (kind == ScalingKind::none) return scaled;
  if (uses_quantiles(kind)) {
    fail(ErrorKind::bad_option,
         "Scaling by '{}' cannot be inverted; only none, range and standard can.", to_string(kind));
  }
  return scale == 0 ? offset : scaled / scale + offset;
}

Scaling fit_scaling(ScalingKind kind, std::span<const double> values, ColumnRole role, double low,
                    double high) {
  check(kind, values, role, low, high);
  Scaling fitted;
  fitted.kind = kind;
  if (kind == ScalingKind::none) return fitted;
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  // Not by the deviation: rounding gives a constant column of large numbers a small one.
  if (*smallest == *largest) return constant_scaling(kind, *smallest, role);
  if (uses_quantiles(kind)) {
    fitted.quantiles = fit_quantiles(values);
    return fitted;
  }
  if (kind == ScalingKind::range) {
    // Halves, because the whole spread may overflow.
    fitted.scale = (high / 2 - low / 2) / (*largest / 2 - *smallest / 2);
    fitted.offset = *smallest - low / fitted.scale;
  } else {
    const Moments moments = moments_of(values, *smallest, *largest);
    fitted.offset = moments.mean;
    fitted.scale = 1 / moments.deviation;
  }
  // Spreads at the very ends of double's range have no usable scale: such a column counts as
  // constant rather than put infinities into a network. From its middle no difference overflows.
  const bool usable = std::isfinite(fitted.scale) && fitted.scale > 0 &&
                      std::isfinite(fitted.apply(*smallest)) &&
                      std::isfinite(fitted.apply(*largest));
  return usable ? fitted : constant_scaling(kind, *smallest / 2 + *largest / 2, role);
}

}  // namespace knotwork
