// SPDX-License-Identifier: MIT
// The splines of one layer of a network, read from its tensors and the activation's settings.
// (Exported for Knotwork::tools.)
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/network.hpp>
#include <knotwork/spline.hpp>

namespace knotwork {

class KNOTWORK_API SplineLayer {
 public:
  static bool is_one(const Network& network, std::size_t layer);

  // Refers to the network; only for a layer that is one.
  SplineLayer(const Network& network, std::size_t layer);

  const Settings& settings() const { return settings_; }
  const SplineBasis& basis() const { return basis_; }
  Tails tails() const { return tails_; }

  // As many as there are neurons, or one that all share.
  std::size_t curves() const;
  std::size_t curve_of(std::size_t neuron) const { return curves() == 1 ? 0 : neuron; }

  Knots knots(std::size_t curve) const;
  std::span<const double> control_points(std::size_t curve) const;
  std::span<const double> anchor(std::size_t curve) const;
  Spline spline(std::size_t curve) const;

  // Into the same layer of a network whose splines have as many points.
  struct Curve {
    Knots knots;
    std::vector<double> control_points, anchor;
  };
  static void set(Network& network, std::size_t layer, std::size_t curve, const Curve& numbers);

 private:
  std::span<const double> numbers(std::string_view tensor, std::size_t curve) const;

  const Network& network_;
  std::size_t layer_;
  Settings settings_;
  SplineBasis basis_;
  Tails tails_;
};

}  // namespace knotwork
