// SPDX-License-Identifier: MIT
// The dual of the problem is  min 1/2 ||z - D'u||^2  over |u_k| <= weight, with x = z - D'u and the
// second differences D. At the solution u_k = weight * sign of (Dx)_k wherever x bends at k, and
// where |u_k| < weight x is straight. The solution is therefore known once it is known which points
// bend and to which side: then x is the least squares fit of straight pieces between the bends, a
// tridiagonal system, and u follows from the residuals z - x by summing twice.
//
// All bends are guessed at once (primal-dual active sets: M. Hintermueller, K. Ito and K. Kunisch,
// 2002), which takes a few rounds. If this cycles, an active-set method in u takes over; it
// terminates, because the dual is strictly convex and decreases with every step.
#include "spline/straighten.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace knotwork {
namespace {

class TrendFilter {
 public:
  TrendFilter(std::span<const double> z, double weight)
      : z_(z), weight_(weight), x_(z.begin(), z.end()), bend_(z.size(), 0), u_(z.size(), 0.0) {
    double largest = 0;
    for (const double point : z) largest = std::max(largest, std::abs(point));
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
    const auto n = static_cast<double>(z.size());
    // |u| cannot exceed n^2 times the largest residual; a larger weight changes nothing.
    weight_ = std::min(weight_, 2 * n * n * largest);
    straight_ = 8 * kEpsilon * largest;
    // u is a sum of sums of residuals.
    inside_ = 4 * kEpsilon * n * (largest + n * weight_);
  }

  std::span<const double> solve() {
    for (std::size_t k = 1; k + 1 < z_.size(); ++k) bend_[k] = sign(second_difference(k));
    if (!guess_bends()) descend();
    return x_;
  }

 private:
  static signed char sign(double value) {
    return static_cast<signed char>(value > 0 ? 1 : value < 0 ? -1 : 0);
  }
  double second_difference(std::size_t k) const { return x_[k - 1] - 2 * x_[k] + x_[k + 1]; }
  bool bends_to_the_wrong_side(std::size_t k) const {
    return bend_[k] != 0 && bend_[k] * second_difference(k) < -straight_;
  }

  bool guess_bends() {
    constexpr int kRounds = 30;
    for (int round = 0; round < kRounds; ++round) {
      fit_pieces();
      bool settled = true;
      for (std::size_t k = 1; k + 1 < z_.size(); ++k) {
        if (bends_to_the_wrong_side(k)) {
          bend_[k] = 0;
          settled = false;
        } else if (bend_[k] == 0 && std::abs(u_[k]) > weight_ + inside_) {
          bend_[k] = sign(u_[k]);
          settled = false;
        }
      }
      if (settled) return true;
    }
    return false;
  }

  // Moves from the nearest allowed u towards the fit, up to the first bound, which becomes a bend;
  // once the fit is reached, bends to the wrong side are removed.
  void descend() {
    const std::size_t most_steps = 50 * z_.size();
    std::vector<double> allowed(u_.size());
    for (std::size_t k = 1; k + 1 < z_.size(); ++k) {
      allowed[k] = std::clamp(u_[k], -weight_, weight_);
      bend_[k] = std::abs(allowed[k]) < weight_ ? static_cast<signed char>(0) : sign(allowed[k]);
    }
    for (std::size_t step = 0; step < most_steps; ++step) {
      fit_pieces();
      double share = 1;
      std::size_t first = 0;
      for (std::size_t k = 1; k + 1 < z_.size(); ++k) {
        if (bend_[k] != 0 || std::abs(u_[k]) <= weight_ + inside_) continue;
        const double bound = std::copysign(weight_, u_[k]);
        const double own = (bound - allowed[k]) / (u_[k] - allowed[k]);
        if (own < share) {
          share = std::max(own, 0.0);
          first = k;
        }
      }
      for (std::size_t k = 1; k + 1 < z_.size(); ++k) {
        allowed[k] = std::clamp(std::lerp(allowed[k], u_[k], share), -weight_, weight_);
      }
      if (first > 0) {
        bend_[first] = sign(u_[first]);
        allowed[first] = std::copysign(weight_, u_[first]);
        continue;
      }
      bool given_up = false;
      for (std::size_t k = 1; k + 1 < z_.size(); ++k) {
        if (!bends_to_the_wrong_side(k)) continue;
        bend_[k] = 0;
        given_up = true;
      }
      if (!given_up) return;
    }
  }

  // x is straight between the bends, nearest to z - weight * D' bend; u follows from Du' = z - x.
  void fit_pieces() {
    const std::size_t n = z_.size();
    joints_.clear();
    for (std::size_t k = 0; k < n; ++k) {
      if (k == 0 || k + 1 == n || bend_[k] != 0) joints_.push_back(k);
    }
    const std::size_t count = joints_.size();
    diagonal_.assign(count, 0.0);
    beside_.assign(count, 0.0);
    value_.assign(count, 0.0);
    const auto side = [&](std::size_t k) { return k < n ? bend_[k] * weight_ : 0; };
    const auto wanted = [&](std::size_t k) {
      return z_[k] - ((k > 0 ? side(k - 1) : 0) - 2 * side(k) + side(k + 1));
    };
    // Normal equations of the hat functions of the joints, point by point.
    for (std::size_t j = 0; j + 1 < count; ++j) {
      const std::size_t begin = joints_[j], end = joints_[j + 1];
      const auto length = static_cast<double>(end - begin);
      const bool last = j + 2 == count;
      for (std::size_t k = begin; k < end + (last ? 1 : 0); ++k) {
        const double right = static_cast<double>(k - begin) / length, left = 1 - right;
        diagonal_[j] += left * left;
        beside_[j] += left * right;
        diagonal_[j + 1] += right * right;
        value_[j] += left * wanted(k);
        value_[j + 1] += right * wanted(k);
      }
    }
    for (std::size_t j = 0; j + 1 < count; ++j) {
      const double factor = beside_[j] / diagonal_[j];
      diagonal_[j + 1] -= factor * beside_[j];
      value_[j + 1] -= factor * value_[j];
    }
    value_[count - 1] /= diagonal_[count - 1];
    for (std::size_t j = count - 1; j-- > 0;) {
      value_[j] = (value_[j] - beside_[j] * value_[j + 1]) / diagonal_[j];
    }
    for (std::size_t j = 0; j + 1 < count; ++j) {
      const std::size_t begin = joints_[j], end = joints_[j + 1];
      const double rise = (value_[j + 1] - value_[j]) / static_cast<double>(end - begin);
      for (std::size_t k = begin; k < end; ++k) {
        x_[k] = value_[j] + static_cast<double>(k - begin) * rise;
      }
    }
    x_[n - 1] = value_[count - 1];

    // (D'u)_k = u_{k-1} - 2 u_k + u_{k+1} with u_0 = u_{n-1} = 0. At a bend u is known.
    double before = 0, here = 0;
    for (std::size_t k = 0; k + 2 < n; ++k) {
      const double next = bend_[k + 1] != 0 ? side(k + 1) : z_[k] - x_[k] - before + 2 * here;
      before = here;
      here = next;
      u_[k + 1] = here;
    }
  }

  std::span<const double> z_;
  double weight_;
  std::vector<double> x_;
  std::vector<signed char> bend_;  // the sign of the second difference, 0 where x is straight
  std::vector<double> u_;
  std::vector<std::size_t> joints_;  // the bends and both ends
  std::vector<double> diagonal_, beside_, value_;
  double straight_ = 0, inside_ = 0;  // tolerances for values that are 0 up to rounding
};

}  // namespace

void straighten(std::span<double> points, double weight) {
  if (points.size() < 3 || !(weight > 0)) return;
  TrendFilter filter(points, weight);
  const std::span<const double> straight = filter.solve();
  std::copy(straight.begin(), straight.end(), points.begin());
}

}  // namespace knotwork
