// SPDX-License-Identifier: MIT
#include "optimizer/checks.hpp"

#include <cmath>

#include "base/fail.hpp"
#include "optimizer/vectors.hpp"

namespace knotwork {

void check_start_size(const Function& function, std::span<const double> x) {
  if (x.size() != function.size()) {
    fail(ErrorKind::bad_data,
         "The start has {} numbers, but the function has {} parameters; there must be one number "
         "for each.",
         x.size(), function.size());
  }
}

void check_start_value(double value, double gradient_norm) {
  if (std::isfinite(value) && std::isfinite(gradient_norm)) return;
  fail(ErrorKind::failed_run,
       "At the start the objective is {} and the norm of its gradient {}, but both must be finite; "
       "use numbers of moderate size.",
       std::fabs(value), std::fabs(gradient_norm));  // NaN has a sign, which messages omit
}

void check_started(const Function& function, std::span<const double> point) {
  if (point.size() != function.size()) {
    fail(ErrorKind::failed_run,
         "The optimizer has a point of {} numbers, but the function has {} parameters; start or "
         "restore it for this function first.",
         point.size(), function.size());
  }
}

StateReader::StateReader(const OptimizerState& state, std::string_view optimizer) : state_(state) {
  if (state.optimizer != optimizer) {
    fail(ErrorKind::bad_model,
         "The optimizer's state was taken from '{}' and cannot be restored into '{}'.",
         state.optimizer, optimizer);
  }
}

const std::vector<double>& StateReader::vector(const std::string& name) const {
  const auto it = state_.vectors.find(name);
  if (it == state_.vectors.end()) {
    fail(ErrorKind::bad_model, "The state of optimizer '{}' lacks its vector '{}'.",
         state_.optimizer, name);
  }
  if (!all_finite(it->second)) {
    fail(ErrorKind::bad_model,
         "The vector '{}' in the state of optimizer '{}' contains a number that is not finite.",
         name, state_.optimizer);
  }
  return it->second;
}

const std::vector<double>& StateReader::vector(const std::string& name, std::size_t size) const {
  const std::vector<double>& found = vector(name);
  if (found.size() != size) {
    fail(ErrorKind::bad_model,
         "The vector '{}' in the state of optimizer '{}' has {} numbers instead of {}.", name,
         state_.optimizer, found.size(), size);
  }
  return found;
}

double StateReader::number(const std::string& name) const {
  const auto it = state_.numbers.find(name);
  if (it == state_.numbers.end()) {
    fail(ErrorKind::bad_model, "The state of optimizer '{}' lacks its number '{}'.",
         state_.optimizer, name);
  }
  if (!std::isfinite(it->second)) {
    fail(ErrorKind::bad_model, "The number '{}' in the state of optimizer '{}' is {}, not finite.",
         name, state_.optimizer, it->second);
  }
  return it->second;
}

std::uint64_t StateReader::count(const std::string& name) const {
  constexpr double kLargestExact = 0x1p53;  // beyond this a double skips whole numbers
  const double found = number(name);
  if (found < 0 || found > kLargestExact || found != std::floor(found)) {
    fail(ErrorKind::bad_model,
         "The number '{}' in the state of optimizer '{}' is {}; it must be a count from 0 up.",
         name, state_.optimizer, found);
  }
  return static_cast<std::uint64_t>(found);
}

}  // namespace knotwork
