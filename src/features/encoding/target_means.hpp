// SPDX-License-Identifier: MIT
// TargetMeans fits the means of targets over the rows that have a text, for columns with many
// texts.
//
// The value of a text with n rows, whose targets sum to s, is (s + m p) / (n + m): its mean, shrunk
// towards the mean p over all rows. The fewer rows a text has, the closer its value is to p. The
// strength m of shrinking is the variance of targets within texts divided by the variance between
// texts (method of moments), so that texts that say nothing about the target all get nearly the
// value p. Texts in fewer than kFewestRowsOfText rows are pooled: they share one value.
//
// No training row sees its own target: the rows are dealt to kMeanFolds folds, and a row of a fold
// gets values that were fitted without this fold. (Only p and m are of all rows; they are the same
// for every row.) Micci-Barreca, "A preprocessing scheme for high-cardinality categorical
// attributes", 2001.
//
//   TargetMeans means(description, classes, inputs, folds);
//   for (each window) means.see(window, first_row, rows, targets);
//   // with several processes: means.merge(state) with the state() of each other process
//   means.finish(inputs, out_of_fold);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "features/split/row_set.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/message.hpp"

#include <knotwork/columns.hpp>
#include <knotwork/table.hpp>

namespace knotwork::features {

inline constexpr std::size_t kMeanFolds = 5;
inline constexpr std::size_t kFewestRowsOfText = 3;

// What training rows see in place of the values of target means.
struct OutOfFold {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  RowSet train;
  std::vector<std::uint8_t> folds;                // of each row of the table
  std::vector<std::size_t> places;                // of each input: its place below, or kNone
  std::vector<std::vector<InputColumn>> of_fold;  // the inputs as the rows of each fold see them
};

// The fold of each row: rows of a group (numbers or indices of texts; empty: none) are together.
std::vector<std::uint8_t> mean_folds(std::size_t rows, std::span<const double> groups,
                                     std::uint64_t seed);

class TargetMeans {
 public:
  // `inputs` are all inputs of a model; the means of those with target means are fitted. If there
  // are classes, the target is the number of a class, and the inputs of a column are the shares of
  // the classes but the first; otherwise they are the means of the targets, in their order. All
  // arguments must outlive the fit.
  TargetMeans(const Table& description, std::size_t classes, std::span<const InputColumn> inputs,
              const std::vector<std::uint8_t>& folds);

  bool is_needed() const { return !columns_.empty(); }
  // Adds rows of a window, given as row numbers of the whole table. `targets` are the values of
  // each target in the rows of the window.
  void see(const Table& window, std::size_t first_row, std::span<const std::size_t> rows,
           std::span<const std::vector<double>> targets);

  parallel::MergeState state() const;
  void merge(std::span<const std::int64_t> state);

  // Sets the values of the inputs.
  void finish(std::vector<InputColumn>& inputs, OutOfFold& out_of_fold) const;

 private:
  // Rows and sums of the targets, in each fold.
  struct Sums {
    std::size_t rows[kMeanFolds] = {};
    std::vector<parallel::ExactSum> targets;  // kMeanFolds for each target mean; empty: no row
  };
  struct Column {
    std::size_t column;                 // of the table
    std::size_t first_input;            // its first target mean among the inputs
    std::vector<std::size_t> of_label;  // for each label of the table its place in `sums`
    std::vector<Sums> sums;             // for each level, then for other texts, then for missing cells
  };
  struct Totals;

  double target_of(std::span<const std::vector<double>> targets, std::size_t mean,
                   std::size_t row) const;
  Totals totals_of(const Column& column) const;

  std::size_t classes_;
  std::size_t means_ = 0;  // target means of each column
  const std::vector<std::uint8_t>& folds_;
  std::vector<Column> columns_;
  std::vector<parallel::ExactSum> squares_;  // of the targets, for each target mean
};

}  // namespace knotwork::features
