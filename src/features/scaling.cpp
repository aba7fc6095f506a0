// SPDX-License-Identifier: MIT
#include <knotwork/scaling.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <knotwork/names.hpp>

#include "base/fail.hpp"
#include "features/normal_quantile.hpp"
#include "features/scaling_fit.hpp"

namespace knotwork {

using namespace features;

namespace {

// Limits the normal scores of the extremes to +-5.2.
constexpr double kSmallestProbability = 1e-7;

// The relative position of x between a and b, correct even if their distance overflows.
double fraction_between(double a, double x, double b) {
  const double spread = b - a;
  return std::isfinite(spread) ? (x - a) / spread : (x / 2 - a / 2) / (b / 2 - a / 2);
}

// Tied quantiles become one knot in the middle of their probabilities, and the curve is linear
// between knots and constant beyond the outermost: values a rounding error away from a tie get
// almost the same result, even at the ends.
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

}  // namespace

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

}  // namespace knotwork
