// SPDX-License-Identifier: MIT
#pragma once

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
};

}  // namespace knotwork
