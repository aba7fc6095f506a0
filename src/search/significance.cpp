// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <knotwork/comparison.hpp>

#include "base/fail.hpp"

namespace knotwork {

namespace {

// The continued fraction 1 / (1 + d1 / (1 + d2 / (1 + ...))) of the incomplete beta function,
// evaluated from the front by Lentz's method. It converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;  // replaces 0, to avoid a division by 0
  constexpr int kMostTerms = 10'000;
  const auto not_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double numerator = 1, denominator = 1 / not_zero(1 - (a + b) * x / (a + 1));
  double value = denominator;
  for (int k = 1; k < kMostTerms; ++k) {
    const double m = k;
    double factor = 1;
    for (const double term : {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                              -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))}) {
      numerator = not_zero(1 + term / numerator);
      denominator = 1 / not_zero(1 + term * denominator);
      factor = numerator * denominator;
      value *= factor;
    }
    if (std::abs(factor - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return value;
}

// `y` is 1 - x; the caller may know it more exactly.
double incomplete_beta(double a, double b, double x, double y) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, y, x);
  const double log_factor =
      std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log(y);
  return std::exp(log_factor) / a * beta_fraction(a, b, x);
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1)) {
    fail(ErrorKind::bad_data,
         "The incomplete beta function needs a and b above 0 and x from 0 to 1, not {}, {} and {}.",
         a, b, x);
  }
  return incomplete_beta(a, b, x, 1 - x);
}

double student_t_p(double t, double degrees) {
  if (!(degrees > 0) || std::isnan(t)) {
    fail(ErrorKind::bad_data,
         "Student's distribution needs a number and degrees of freedom above 0, not {} and {}.", t,
         degrees);
  }
  if (std::isinf(t)) return 0;
  // Divided by t^2 if t^2 could overflow.
  const double ratio = std::abs(t) > 1 ? degrees / t / t : t * t / degrees;
  const double small = ratio / (1 + ratio), rest = 1 / (1 + ratio);
  return std::abs(t) > 1 ? incomplete_beta(degrees / 2, 0.5, small, rest)
                         : incomplete_beta(degrees / 2, 0.5, rest, small);
}

PairedTest corrected_t_test(std::span<const double> differences, double ratio) {
  if (differences.size() < 2) {
    fail(ErrorKind::bad_data, "A paired test needs at least two differences, not {}.",
         differences.size());
  }
  if (!(ratio >= 0)) {
    fail(ErrorKind::bad_data, "n_test / n_train must be at least 0, not {}.", ratio);
  }
  const auto n = static_cast<double>(differences.size());
  for (const double difference : differences) {
    if (std::isfinite(difference)) continue;
    fail(ErrorKind::bad_data, "A paired test needs finite differences, not {}.", difference);
  }
  const auto [mean, deviation] = mean_deviation(differences);
  PairedTest test{.difference = mean, .degrees = n - 1};
  const bool all_equal = std::all_of(differences.begin(), differences.end(),
                                     [&](double d) { return d == differences.front(); });
  if (all_equal) {
    test.difference = differences.front();
    if (test.difference == 0) return test;
    test.t = std::copysign(std::numeric_limits<double>::infinity(), test.difference);
  } else {
    test.t = mean / (std::sqrt(1 / n + ratio) * deviation);
  }
  test.p = student_t_p(test.t, test.degrees);
  return test;
}

std::vector<double> holm_adjusted(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double before = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double own = std::min(1.0, p[order[k]] * static_cast<double>(order.size() - k));
    before = std::max(before, own);
    adjusted[order[k]] = before;
  }
  return adjusted;
}

}  // namespace knotwork
