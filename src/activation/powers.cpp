// SPDX-License-Identifier: MIT
#include "activation/powers.hpp"

#include <Eigen/QR>

#include <cmath>

#include "activation/families.hpp"
#include "base/fail.hpp"

namespace knotwork {

void check_powers(std::string_view activation, double range, std::size_t degree) {
  constexpr double kMost = 1e18;
  const double largest = std::pow(kBoundInRanges * range, static_cast<double>(degree));
  if (largest <= kMost) return;
  fail(ErrorKind::bad_option,
       "The activation '{}' would have powers up to {:.0e} with degree {} and range {}; a lower "
       "degree or a smaller range keeps them below {:.0e}.",
       activation, largest, degree, range, kMost);
}

std::vector<double> fit_polynomial(const std::function<double(double)>& function,
                                   const std::function<double(double)>& divisor, double range,
                                   std::size_t degree) {
  constexpr int kPlaces = 401;
  const int terms = static_cast<int>(degree) + 1;
  Eigen::MatrixXd powers(kPlaces, terms);
  Eigen::VectorXd wanted(kPlaces);
  for (int place = 0; place < kPlaces; ++place) {
    // Powers of numbers up to 1 are far better conditioned than those of s.
    const double x = 2.0 * place / (kPlaces - 1) - 1;
    double power = 1 / divisor(range * x);
    for (int term = 0; term < terms; ++term) {
      powers(place, term) = power;
      power *= x;
    }
    wanted(place) = function(range * x);
  }
  const Eigen::VectorXd solution = powers.colPivHouseholderQr().solve(wanted);
  std::vector<double> coefficients;
  for (int term = 0; term < terms; ++term) {
    coefficients.push_back(solution(term) / std::pow(range, term));
  }
  return coefficients;
}

}  // namespace knotwork
