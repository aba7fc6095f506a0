// SPDX-License-Identifier: MIT
// AreaSums computes the area under the ROC curve of rows that come in pieces and in any order.
//
// Up to kExactAucRows rows, all probabilities are kept and sorted. For more rows, weights are
// counted in fixed bins, 512 of equal width from each power of two to the next, of the probability
// p below 1/2 and of 1 - p above. Two values of p share a bin only if they differ by less than 0.2
// % of themselves and of 1 - p, or are closer than 1.2e-16 to 0 or 1. Pairs in one bin count half,
// so the error of the area is at most half the share of pairs that are so close. In the bins,
// weights below 2^-62 of the heaviest count as 0.
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
  // `rows`, the number of rows of all pieces together, decides whether all probabilities are kept.
  AreaSums(std::size_t classes, std::size_t rows);

  // Call before the first row.
  void set_heaviest(double weight) { heaviest_ = weight > 0 ? weight : 1; }
  void see(const MatrixView<const double>& probabilities, std::size_t row, std::size_t own_class,
           double weight);

  // The `auc` of metrics.hpp.
  double mean_area() const;

  void put(parallel::MergeState& state) const;
  void merge(parallel::StateReader& state);

 private:
  struct Bin {
    WideCount own, others;
    bool operator==(const Bin&) const = default;
  };
  // The column of the second of two classes, or of each class if there are more.
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
  std::vector<std::uint32_t> own_;  // class of each kept row
  std::vector<double> weights_;
};

}  // namespace knotwork::scoring
