// SPDX-License-Identifier: MIT
// Makes an encoding from rows that come in pieces, to one process or several that each see some of
// them: fit_encoding() for tables that stay in their file.
//
//   EncodingFit fit(description, columns, keep);
//   for (each window) fit.see(window, first_row, rows);
//   // among several processes: fit.merge(state) with what state() is in each of the others
//   fit.finish(encoding);
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "features/quantile_sample.hpp"
#include "parallel/message.hpp"

#include <knotwork/encoding.hpp>

namespace knotwork::features {

class EncodingFit {
 public:
  // `description` has names and labels; its rows do not matter. All three must outlive the fit.
  // Throws bad_data when there is no such column, or none of a name in `keep`.
  EncodingFit(const Table& description, std::span<const std::size_t> columns,
              std::span<const std::string> keep = {});

  // A window of the same columns whose first row is that of the whole table. `rows` are those to
  // look at, as numbers in the whole table. Throws bad_data where a number is infinite.
  void see(const Table& window, std::size_t first_row, std::span<const std::size_t> rows);

  parallel::MergeState state() const;
  void merge(std::span<const std::int64_t> state);

  // Appends the inputs and the remarks. Throws bad_data when a text column has more than
  // kMaxCategories.
  void finish(Encoding& encoding) const;

 private:
  struct Numbers {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    QuantileSample values;
    // Whole numbers that rise by one with every row, gaps included: the number less that of its
    // row, as long as it is the same everywhere.
    std::optional<double> start = {};
    bool are_row_numbers = true;

    void see(double cell, std::size_t row);
    bool look_like_row_numbers(std::size_t rows) const;
  };
  struct Texts {
    std::vector<std::size_t> counts;  // of each label
    std::size_t present = 0;
  };
  class Writer;

  const Table& description_;
  std::span<const std::size_t> columns_;
  std::span<const std::string> keep_;
  std::size_t rows_ = 0;  // that were looked at
  std::vector<Numbers> numbers_;
  std::vector<Texts> texts_;  // both for each column; one of them is used
};

// Throws bad_data when no column became an input.
void check_encoding(const Table& description, const Encoding& encoding);

}  // namespace knotwork::features
