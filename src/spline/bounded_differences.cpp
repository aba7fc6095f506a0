// SPDX-License-Identifier: MIT
#include "spline/bounded_differences.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace knotwork {
namespace {

// Dynamic programming from left to right. f_k(x) is the least cost of the first k points if the
// last of them becomes x:
//     f_1(x) = (x - z_1)^2 / 2,   f_{k+1}(x) = (x - z_{k+1})^2 / 2 + min f_k(x - d), low <= d <=
//     high.
// The derivative of f_k is continuous, increasing and piecewise linear. Taking the minimum moves
// the part left of its zero by `low` and the part right of it by `high`; between them the
// derivative becomes 0. Breakpoints are therefore on two stacks that are moved as a whole.
class BoundedFit {
 public:
  BoundedFit(std::span<double> points, double low, double high)
      : points_(points), low_(low), high_(high) {}

  void run() {
    zeros_.push_back(points_[0]);
    for (std::size_t k = 1; k < points_.size(); ++k) add(points_[k]);
    // Backward from the end: each point goes where its own cost is least, within the bounds.
    points_.back() = zeros_.back();
    for (std::size_t k = points_.size() - 1; k-- > 0;) {
      const double next = points_[k + 1];
      points_[k] = std::min(std::max(zeros_[k], next - high_), next - low_);
    }
  }

 private:
  // A slope is the slope of the piece on the outer side, minus the number of points so far: every
  // point makes all pieces steeper by one.
  struct Breakpoint {
    double place, slope;
  };

  void add(double z) {
    const double before = count_;
    moved_left_ += low_;
    moved_right_ += high_;
    count_ += 1;
    if (std::isinf(high_)) right_.clear();
    if (std::isinf(low_)) left_.clear();
    // The new piece, of slope 1 through z, and its ends; beyond them the old pieces continue.
    const double from = zeros_.back() + low_, to = zeros_.back() + high_;
    const double outer = slope_ - before;
    if (z < from) {
      if (!std::isinf(to)) right_.push_back({to - moved(moved_right_), outer});
      right_.push_back({from - moved(moved_right_), 1 - count_});
      search_left(from, from - z, outer);
    } else if (z > to) {
      if (!std::isinf(from)) left_.push_back({from - moved(moved_left_), outer});
      left_.push_back({to - moved(moved_left_), 1 - count_});
      search_right(to, to - z, outer);
    } else {
      if (!std::isinf(from)) left_.push_back({from - moved(moved_left_), outer});
      if (!std::isinf(to)) right_.push_back({to - moved(moved_right_), outer});
      zeros_.push_back(z);
      slope_ = 1;
    }
  }

  // With an infinite bound a stack contains only what was added since the last point.
  static double moved(double distance) { return std::isinf(distance) ? 0 : distance; }

  // From a place where the derivative is `value` > 0, leftward to its zero.
  void search_left(double place, double value, double slope) {
    while (!left_.empty()) {
      const double next = left_.back().place + moved(moved_left_);
      const double fall = (slope + count_) * (place - next);
      if (fall >= value) break;
      value -= fall;
      right_.push_back({next - moved(moved_right_), slope});
      slope = left_.back().slope;
      place = next;
      left_.pop_back();
    }
    zeros_.push_back(place - value / (slope + count_));
    slope_ = slope + count_;
  }

  void search_right(double place, double value, double slope) {
    while (!right_.empty()) {
      const double next = right_.back().place + moved(moved_right_);
      const double rise = (slope + count_) * (next - place);
      if (rise >= -value) break;
      value += rise;
      left_.push_back({next - moved(moved_left_), slope});
      slope = right_.back().slope;
      place = next;
      right_.pop_back();
    }
    zeros_.push_back(place - value / (slope + count_));
    slope_ = slope + count_;
  }

  std::span<double> points_;
  double low_, high_;
  std::vector<double> zeros_;  // zeros of the derivatives of f_1, f_2, ...
  std::vector<Breakpoint> left_, right_;
  double moved_left_ = 0, moved_right_ = 0;
  double count_ = 1;
  double slope_ = 1;  // at the last zero
};

}  // namespace

void bound_differences(std::span<double> points, double low, double high) {
  bool within = true;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const double difference = points[k + 1] - points[k];
    within = within && difference >= low && difference <= high;
  }
  if (!within) BoundedFit(points, low, high).run();
}

}  // namespace knotwork
