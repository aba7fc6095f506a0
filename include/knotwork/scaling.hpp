// SPDX-License-Identifier: MIT
// A Scaling of a column is fitted on training rows, stored with the model and inverted for
// predictions.
//
//   none      unchanged
//   range     to [low, high] between the smallest and largest training value
//   standard  mean 0, standard deviation 1 (divided by N)
//   quantile  through the training quantiles to a standard normal, clipped at +-5.2 (inputs only)
//   uniform   through the training quantiles to [-1, 1] (inputs only)
//
// none, range and standard are scaled = (x - offset) * scale. A column that is constant in training
// contains no information: an input becomes 0 (scale 0; a single quantile), a target is only
// shifted (scale 1). A spread without a finite scale counts as constant. quantile and uniform
// interpolate linearly between `quantiles` (sorted, at equally spaced probabilities from 0 to 1;
// ties form one knot in the middle of their probabilities); values outside are clipped to the
// nearest end. If there are at most kMaxQuantiles values, all of them are stored; otherwise
// kMaxQuantiles quantiles are stored. For more than kExactQuantileValues values, the quantiles come
// from a random sample of kExactQuantileValues rows, with exact ends; the probability that they are
// off by more than 1.2 % of the rows is below 2e-8. NaN stays NaN.
//
// The fit does not depend on the order of the rows, not even in the last bit.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>

namespace knotwork {

enum class ScalingKind { none, range, standard, quantile, uniform };
template <>
struct EnumNames<ScalingKind> {
  static constexpr EnumFamily family{"scaling"};
  static constexpr EnumName<ScalingKind> all[] = {
      {ScalingKind::none, "none"},         {ScalingKind::range, "range"},
      {ScalingKind::standard, "standard"}, {ScalingKind::quantile, "quantile"},
      {ScalingKind::uniform, "uniform"},
  };
};
[[deprecated("is from_string<ScalingKind>() now")]] inline ScalingKind scaling_from_name(
    std::string_view name) {
  return from_string<ScalingKind>(name);
}
[[deprecated("is names<ScalingKind>() now")]] inline std::vector<std::string> scaling_names() {
  return names<ScalingKind>();
}

inline constexpr std::size_t kMaxQuantiles = 1000;
inline constexpr std::size_t kExactQuantileValues = std::size_t{1} << 16;

struct KNOTWORK_API Scaling {
  ScalingKind kind = ScalingKind::none;
  double offset = 0;
  double scale = 1;
  std::vector<double> quantiles;  // only for quantile and uniform

  bool is_identity() const { return kind == ScalingKind::none; }
  double apply(double x) const;
  // Only for none, range and standard; throws bad_option for the others.
  double invert(double scaled) const;
};

enum class ColumnRole { input, target };
template <>
struct EnumNames<ColumnRole> {
  static constexpr EnumFamily family{"role of a column"};
  static constexpr EnumName<ColumnRole> all[] = {
      {ColumnRole::input, "input"},
      {ColumnRole::target, "target"},
  };
};

// low and high are used by `range` only. rows are the row numbers of the values in their table,
// which determine the sample; empty: 0, 1, ... Throws bad_data on an empty column or non-finite
// values.
KNOTWORK_API Scaling fit_scaling(ScalingKind kind, std::span<const double> values, ColumnRole role,
                                 double low = -1, double high = 1,
                                 std::span<const std::size_t> rows = {});

}  // namespace knotwork
