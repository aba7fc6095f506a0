// SPDX-License-Identifier: MIT
// The functions of this header move the splines of a network to where their neurons' inputs fall,
// and refine them. train() uses them for the options fit-range, refit-range and halve-step. Banks
// are left unchanged: their knots fit their inputs from the start. If layers share a curve, it is
// moved once, to a range that suits all of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/monitor.hpp>
#include <knotwork/names.hpp>
#include <knotwork/network.hpp>
#include <knotwork/spline.hpp>

namespace knotwork {

// The inputs to which a range is fitted: the inputs of each neuron, or of all neurons of its layer.
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

// The state of the curves when a range is fitted. Initial curves (the initial function with its
// noise) are sampled again, because the function has values beyond the old range, where the curve
// had only a straight tail. Learned curves, and their anchors, are carried over by refitted().
enum class CurveState { initial, learned };
template <>
struct EnumNames<CurveState> {
  static constexpr EnumFamily family{"state of a curve"};
  static constexpr EnumName<CurveState> all[] = {
      {CurveState::initial, "initial"},
      {CurveState::learned, "learned"},
  };
};

// Fits the ranges of a network's splines, layer after layer from the first, to the sums s = w x + b
// that their neurons receive over these rows of (scaled) inputs. The new range goes from the 0.5 %
// to the 99.5 % quantile of s, extended by 5 % at either end. A neuron that receives only one value
// (to 4 digits) keeps its range. No range becomes narrower than a tenth of the initial range: on a
// narrower range a curve is a straight line, and penalties grow with 1/step^3. The number of
// control points does not change. All rows have equal weight; values that are not finite are
// ignored.
//
// If `monitor` is given, it can stop the call; some layers may then already have their new range.
KNOTWORK_API void fit_range(Network& network, MatrixView<const double> inputs, FitRange which,
                            CurveState state, std::size_t threads = 1,
                            const Monitor* monitor = nullptr);

// The same network with half the step between the knots of all its splines: 2Q - 3 control points
// instead of Q, and as many anchors. Outputs change by at most what halved() states.
KNOTWORK_API Network with_half_step(const Network& network);

// The splines of one layer of a network, read from its tensors and the activation's settings.
class KNOTWORK_API SplineLayer {
 public:
  static bool has_splines(const Network& network, std::size_t layer);

  // Refers to the network. Throws bad_option for a layer without splines or a layer that does not
  // exist; has_splines() throws bad_option for a layer that does not exist.
  SplineLayer(const Network& network, std::size_t layer);
  SplineLayer(Network&& network, std::size_t layer) = delete;

  const Settings& settings() const { return settings_; }
  const SplineBasis& basis() const { return basis_; }
  Tails tails() const { return tails_; }

  // The number of curves: one for each neuron, or one if all neurons share a curve.
  std::size_t curves() const;
  std::size_t curve_of(std::size_t neuron) const { return curves() == 1 ? 0 : neuron; }

  // Throw bad_option for a curve that does not exist.
  Knots knots(std::size_t curve) const;
  std::span<const double> control_points(std::size_t curve) const;
  std::span<const double> anchor(std::size_t curve) const;
  Spline spline(std::size_t curve) const;

  // Writes into the same layer of a network whose splines have the same number of points; throws
  // bad_option for another number.
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
