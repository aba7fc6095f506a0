// SPDX-License-Identifier: MIT
// The area under the curve of rows that come in pieces and in any order.
//
// Up to kExactAucRows rows all probabilities are kept and sorted. Of more, weights are counted in
// fixed bins, 512 of equal width from each power of two to the next, of the probability p below 1/2
// and of 1 - p above: only p that differ by less than 0.2 % of themselves and of 1 - p, or that are
// closer than 1.2e-16 to 0 or 1, share one. Pairs in one bin count half, so the area is off by at
// most half of the share of pairs that are so close. Weights below 2^-62 of the heaviest count as
// 0 there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel/message.hpp"
#include "scoring/wide_count.hpp"

#include <knotwork/matrix_view.hpp>

namespace knotwork::scoring {

class AreaSums {
 public:
  // `rows` of all pieces together decide whether they are kept.
  AreaSums(std::size_t classes, std::size_t rows);

  // Before the first row.
  void set_heaviest(double weight) { heaviest_ = weight > 0 ? weight : 1; }
  void see(const MatrixView<const double>& probabilities, std::size_t row, std::size_t own_class,
           double weight);

  // See metrics.hpp.
  double mean_area() const;

  void put(parallel::MergeState& state) const;
  void merge(parallel::StateReader& state);

 private:
  struct Bin {
    WideCount own, others;
    bool operator==(const Bin&) const = default;
  };
  // Of the second of two classes, of each of more.
  struct Column {
    std::vector<double> probabilities;
    std::vector<Bin> bins;
    bool nan = false;
  };
  std::size_t class_of(std::size_t column) const { return classes_ == 2 ? 1 : column; }
  double exact_area(std::size_t column) const;
  double binned_area(std::size_t column) const;

  std::size_t classes_;
  bool exact_;
  double heaviest_ = 1;
  std::vector<Column> columns_;
  std::vector<std::uint32_t> own_;  // class of each row that is kept
  std::vector<double> weights_;
};

}  // namespace knotwork::scoring
