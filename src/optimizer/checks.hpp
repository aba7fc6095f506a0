// SPDX-License-Identifier: MIT
// These functions check what optimizers are given: matching sizes, a finite start, a complete
// state. Each failure is one sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/optimizer.hpp>

namespace knotwork {

// Throws bad_data unless x has one number for each parameter of the function.
void check_start_size(const Function& function, std::span<const double> x);
// Throws failed_run unless both are finite: from such a start an optimizer has no point to return
// to.
void check_start_value(double value, double gradient_norm);
// Throws failed_run unless the optimizer was started or restored for a function of this size.
void check_started(const Function& function, std::span<const double> point);

// Reads a stored state; throws bad_model for another optimizer's state, for a missing or non-finite
// entry, and for a vector of the wrong length.
class StateReader {
 public:
  StateReader(const OptimizerState& state, std::string_view optimizer);

  const std::vector<double>& vector(const std::string& name) const;
  const std::vector<double>& vector(const std::string& name, std::size_t size) const;
  double number(const std::string& name) const;
  std::uint64_t count(const std::string& name) const;  // a whole number, at least 0

 private:
  const OptimizerState& state_;
};

}  // namespace knotwork
