// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>

namespace knotwork {

struct SquaredLoss {
  template <class T>
  static T value(T prediction, T target) {
    const T error = prediction - target;
    return error * error;
  }
  template <class T>
  static T slope(T prediction, T target) {
    return 2 * (prediction - target);
  }
  // The root mean squared error of the scaled targets.
  static double validation_score(double mean, std::size_t targets) {
    return std::sqrt(mean / static_cast<double>(targets));
  }
};

}  // namespace knotwork
