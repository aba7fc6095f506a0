// SPDX-License-Identifier: MIT
#include <knotwork/export_model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "export/quantile_knots.hpp"

namespace knotwork {

using namespace exporting;

namespace {

// The distance between neighboring floats of that size.
double resolution_at(double value) {
  const auto here = static_cast<float>(rounded_to_float(std::abs(value)));
  return static_cast<double>(here) - static_cast<double>(std::nextafter(here, 0.0F));
}

// The change of a column that the network sees as a change of about 1; 0 for a column that does not
// vary.
double spread_of(const InputColumn& input) {
  const Scaling& scaling = input.scaling;
  if (scaling.kind == ScalingKind::range || scaling.kind == ScalingKind::standard) {
    return scaling.scale == 0 ? 0 : 1 / scaling.scale;
  }
  const std::vector<double>& q = scaling.quantiles;
  // The middle half of the rows: a few outliers say little about the others.
  const double half = q.empty() ? 0 : q[3 * (q.size() - 1) / 4] - q[(q.size() - 1) / 4];
  return half > 0 ? half : input.high - input.low;
}

bool is_coarse(double resolution, double spread) {
  constexpr double kPromised = 1e-5;
  return spread > 0 && resolution > kPromised * spread;
}

std::string remark(const std::string& what, double resolution, double spread,
                   const std::string& help) {
  return fmt::format(
      "{} are too close to each other for float, which has steps of {:.3g} at this size, or {:.3g} "
      "of their deviation: predictions will differ from those of `predict`. Subtract the larger "
      "part before training{}.",
      what, resolution, resolution / spread, help.empty() ? "" : ", or " + help);
}

}  // namespace

std::vector<std::string> float_remarks(const Model& model, const std::string& help) {
  std::vector<std::string> remarks;
  for (const InputColumn& input : model.inputs) {
    if (input.kind != InputKind::numeric || !(input.low <= input.high)) continue;
    const double resolution = resolution_at(std::max(std::abs(input.low), std::abs(input.high)));
    const double spread = spread_of(input);
    if (is_coarse(resolution, spread)) {
      remarks.push_back(
          remark(fmt::format("Numbers of column '{}'", input.column), resolution, spread, help));
    }
  }
  for (const TargetColumn& target : model.targets) {
    if (target.scaling.is_identity() || target.scaling.scale == 0) continue;
    const double resolution = resolution_at(target.scaling.offset);
    const double deviation = 1 / target.scaling.scale;
    if (is_coarse(resolution, deviation)) {
      remarks.push_back(remark(fmt::format("Predictions of target '{}'", target.column), resolution,
                               deviation, help));
    }
  }
  return remarks;
}

}  // namespace knotwork
