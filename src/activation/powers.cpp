// SPDX-License-Identifier: MIT
#include "activation/powers.hpp"

#include <cmath>

#include "base/fail.hpp"
#include "base/linear_algebra.hpp"

namespace knotwork {

void check_powers(std::string_view activation, double range, std::size_t degree) {
  constexpr double kMost = 1e18;
  const double largest = std::pow(kBoundInRanges * range, static_cast<double>(degree));
  if (largest <= kMost) return;
  fail(ErrorKind::bad_option,
       "The activation '{}' would compute powers up to {:.0e} with degree {} and range {}; use a "
       "lower degree or a smaller range, so that powers stay below {:.0e}.",
       activation, largest, degree, range, kMost);
}

std::vector<double> fit_polynomial(const std::function<double(double)>& function,
                                   const std::function<double(double)>& divisor, double range,
                                   std::size_t degree) {
  constexpr std::size_t kPlaces = 401;
  const std::size_t terms = degree + 1;
  std::vector<double> powers(kPlaces * terms), wanted(kPlaces);
  for (std::size_t place = 0; place < kPlaces; ++place) {
    // Powers of numbers up to 1 are far better conditioned than powers of s.
    const double x = 2.0 * static_cast<double>(place) / (kPlaces - 1) - 1;
    double power = 1 / divisor(range * x);
    for (std::size_t term = 0; term < terms; ++term) {
      powers[term * kPlaces + place] = power;
      power *= x;
    }
    wanted[place] = function(range * x);
  }
  std::vector<double> coefficients = least_squares(powers, wanted);
  for (std::size_t term = 0; term < terms; ++term) {
    coefficients[term] /= std::pow(range, static_cast<int>(term));
  }
  return coefficients;
}

}  // namespace knotwork
