// SPDX-License-Identifier: MIT
// What the optimizers demand of what they are handed: sizes that agree, a start that is finite, a
// state that is whole. Each failure is one sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/optimizer.hpp>

namespace knotwork {

// bad_data unless x holds one number for each parameter of the function.
void check_start_size(const Function& function, std::span<const double> x);
// failed_run unless both are finite: an optimizer has nothing to go back to from such a start.
void check_start_value(double value, double gradient_norm);
// failed_run unless the optimizer was started or restored for a function of this size.
void check_started(const Function& function, std::span<const double> point);

// Reads a state back; bad_model for another optimizer's state, for a missing or non-finite entry,
// and for a vector of the wrong length.
class StateReader {
 public:
  StateReader(const OptimizerState& state, std::string_view optimizer);

  const std::vector<double>& vector(const std::string& name) const;
  const std::vector<double>& vector(const std::string& name, std::size_t size) const;
  double number(const std::string& name) const;
  std::uint64_t count(const std::string& name) const;  // a whole number, not negative

 private:
  const OptimizerState& state_;
};

}  // namespace knotwork
