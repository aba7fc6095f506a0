// SPDX-License-Identifier: MIT
// ScalingFit fits a scaling to values that come in pieces, in as many passes as it requests:
//
//   ScalingFit fit(kind, role, low, high);
//   while (fit.needs_another_pass()) {
//     for (each piece) fit.see(values, rows);
//     // with several processes: fit.merge(state) with the state() of each other process
//     fit.end_pass();
//   }
//   fit.finish();
//
// One pass collects the ends and, for quantiles, a sample; `standard` needs a second pass for the
// mean and a third for the deviation. Sums are exact: neither the order of rows nor the pieces
// change a bit.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "features/quantile_sample.hpp"
#include "parallel/exact_sum.hpp"

#include <knotwork/scaling.hpp>

namespace knotwork::features {

inline bool uses_quantiles(ScalingKind kind) {
  return kind == ScalingKind::quantile || kind == ScalingKind::uniform;
}

class ScalingFit {
 public:
  // Like fit_scaling(), including its bad_option.
  ScalingFit(ScalingKind kind, ColumnRole role, double low = -1, double high = 1);

  bool needs_another_pass() const { return pass_ != Pass::none; }
  // Adds the values of the given rows, one for each. The row numbers in the table determine the
  // sample. Throws bad_data where a value is not finite.
  void see(std::span<const double> values, std::span<const std::size_t> rows);
  // Adds the values of consecutive rows, from `first_row` on.
  void see(std::span<const double> values, std::size_t first_row);

  // The statistics of this pass so far.
  parallel::MergeState state() const;
  void merge(std::span<const std::int64_t> state);

  // Throws bad_data when the pass had no value.
  void end_pass();
  Scaling finish() const;

  // After the first pass.
  double smallest() const { return smallest_; }
  double largest() const { return largest_; }

 private:
  enum class Pass { ends, mean, deviation, none };
  template <class RowOf>
  void see_rows(std::span<const double> values, const RowOf& row_of);
  double relative(double x) const { return (x - middle_) / half_; }
  std::vector<double> quantiles() const;

  ScalingKind kind_;
  ColumnRole role_;
  double low_, high_;
  Pass pass_ = Pass::ends;
  std::size_t count_ = 0;
  double smallest_ = std::numeric_limits<double>::infinity();
  double largest_ = -std::numeric_limits<double>::infinity();
  std::optional<QuantileSample> sample_;
  parallel::ExactSum sum_;  // of this pass
  // The sums are in units of half the spread around the middle, so that neither a mean much larger
  // than the deviation nor numbers near the limits of double spoil them.
  double middle_ = 0, half_ = 1;
  double mean_ = 0, deviation_ = 0;
};

}  // namespace knotwork::features
