// SPDX-License-Identifier: MIT
// Robust losses grow no faster than the error, so that outliers have less influence.
#pragma once

#include <cmath>

namespace knotwork {

struct AbsoluteLoss {
  template <class T>
  static T value(T prediction, T target) {
    return std::fabs(prediction - target);
  }
  template <class T>
  static T slope(T prediction, T target) {
    return static_cast<T>(prediction > target) - static_cast<T>(prediction < target);
  }
};

struct HuberLoss {
  double delta = 1;

  template <class T>
  T value(T prediction, T target) const {
    const T error = std::fabs(prediction - target), end = static_cast<T>(delta);
    const T within = error < end ? error : end;
    return within * (2 * error - within);
  }
  template <class T>
  T slope(T prediction, T target) const {
    const T error = prediction - target, end = static_cast<T>(delta);
    return 2 * (error < -end ? -end : (error > end ? end : error));
  }
};

// Its mean is smallest at the quantile of `level`.
struct PinballLoss {
  double level = 0.5;

  template <class T>
  T value(T prediction, T target) const {
    const T error = target - prediction, t = static_cast<T>(level);
    return error > 0 ? t * error : (t - 1) * error;
  }
  template <class T>
  T slope(T prediction, T target) const {
    const T t = static_cast<T>(level);
    return prediction < target ? -t : (prediction > target ? 1 - t : T{0});
  }
};

}  // namespace knotwork
