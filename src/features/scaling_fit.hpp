// SPDX-License-Identifier: MIT
// Fits a scaling to values that come in pieces, in as many passes over them as it asks for:
//
//   ScalingFit fit(kind, role, low, high);
//   while (fit.needs_another_pass()) {
//     for (each piece) fit.see(values, rows);
//     // among several processes: fit.merge(state) with what state() is in each of the others
//     fit.end_pass();
//   }
//   fit.finish();
//
// One pass gathers the ends and, for quantiles, a sample; `standard` takes another for the mean and
// one for the deviation. Sums are exact: neither the order of rows nor the pieces change a bit.
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
  // As fit_scaling(); throws bad_option like it.
  ScalingFit(ScalingKind kind, ColumnRole role, double low = -1, double high = 1);

  bool needs_another_pass() const { return pass_ != Pass::none; }
  // Values of the given rows, as many of both; the rows are numbers in the table, which the sample
  // goes by. Throws bad_data where a value is not finite.
  void see(std::span<const double> values, std::span<const std::size_t> rows);
  // The same of rows one after the other.
  void see(std::span<const double> values, std::size_t first_row);

  // What this pass has gathered so far.
  parallel::MergeState state() const;
  void merge(std::span<const std::int64_t> state);

  // Throws bad_data when there was no value.
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
  parallel::ExactSum sum_;  // of the pass
  // In units of half the spread around the middle, so that neither a mean that dwarfs the deviation
  // nor numbers near the ends of double's range spoil the sums.
  double middle_ = 0, half_ = 1;
  double mean_ = 0, deviation_ = 0;
};

}  // namespace knotwork::features
