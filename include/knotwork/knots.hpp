// SPDX-License-Identifier: MIT
// Knots that follow the data: the splines of a network moved to where their neurons' inputs fall,
// and refined. training does both by the options fit-range, refit-range and halve-step. Banks are
// left alone: their knots are where their inputs are from the start. Layers that share a curve move
// it once, to where all of them need it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/names.hpp>
#include <knotwork/network.hpp>
#include <knotwork/spline.hpp>

namespace knotwork {

// Whose inputs a range is fitted to: those of each neuron, or of all neurons of its layer.
enum class FitRange { none, neuron, layer };
template <>
struct EnumNames<FitRange> {
  static constexpr EnumFamily family{"way to fit ranges"};
  static constexpr EnumName<FitRange> all[] = {
      {FitRange::none, "none"},
      {FitRange::neuron, "neuron"},
      {FitRange::layer, "layer"},
  };
};
[[deprecated("is from_string<FitRange>() now")]] inline FitRange fit_range_from_name(
    std::string_view name) {
  return from_string<FitRange>(name);
}
[[deprecated("is names<FitRange>() now")]] inline std::vector<std::string> fit_range_names() {
  return names<FitRange>();
}

// Curves that are still the initial function (with its noise) are sampled anew from it: its own
// values reach beyond the old range, where the curve had only a straight tail. Learned curves, and
// their anchors, are carried over by refitted().
enum class CurveState { initial, learned };
template <>
struct EnumNames<CurveState> {
  static constexpr EnumFamily family{"state of a curve"};
  static constexpr EnumName<CurveState> all[] = {
      {CurveState::initial, "initial"},
      {CurveState::learned, "learned"},
  };
};

// Gives the splines of a network, layer after layer from the first, the range that their neurons
// receive over these rows of (scaled) inputs: drawn from the 0.5 % to the 99.5 % quantile of
// s = w x + b, and 5 % of that beyond either end. A neuron that receives only one value (to 4
// digits) keeps its range. No range becomes narrower than a tenth of that which the splines began
// with: a curve on less than that is a straight line, and penalties grow with 1/step^3.
// The number of control points stays. Rows count alike; values that are not finite do not count.
KNOTWORK_API void fit_range(Network& network, MatrixView<const double> inputs, FitRange which,
                            CurveState state, std::size_t threads = 1);

// The same network with half the step between the knots of all its splines: 2Q - 3 control points
// in place of Q, anchors likewise. Outputs move by what halved() states, if at all.
KNOTWORK_API Network with_half_step(const Network& network);

// The splines of one layer of a network, read from its tensors and the activation's settings.
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
