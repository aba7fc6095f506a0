// SPDX-License-Identifier: MIT
// EncodingFit makes an Encoding from rows that come in pieces, in one process or in several that
// each see some of the rows: fit_encoding() for tables that stay in their file.
//
//   EncodingFit fit(description, columns, keep);
//   for (each window) fit.see(window, first_row, rows);
//   // with several processes: fit.merge(state) with the state() of each other process
//   fit.finish(encoding);
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "features/encoding/date_fields.hpp"
#include "features/encoding/id_columns.hpp"
#include "features/quantile_sample.hpp"
#include "parallel/message.hpp"

#include <knotwork/encoding.hpp>

namespace knotwork::features {

struct EncodingOptions {
  std::span<const std::string> keep = {};  // as in fit_encoding()
  std::size_t one_hot_max_size = kOneHotMaxSize;
  // What target means are of: the targets, or all classes but the first.
  std::span<const std::string> means_of = {};
};

class EncodingFit {
 public:
  // `description` has names and labels; its rows are not used. All arguments must outlive the fit.
  // Throws bad_data when a column does not exist, or when no column has a name in `keep`.
  EncodingFit(const Table& description, std::span<const std::size_t> columns,
              const EncodingOptions& options = {});

  // `window` has the same columns; its first row is row `first_row` of the whole table. `rows` are
  // the rows to use, as row numbers of the whole table. Throws bad_data where a number is infinite.
  void see(const Table& window, std::size_t first_row, std::span<const std::size_t> rows);

  parallel::MergeState state() const;
  void merge(std::span<const std::int64_t> state);

  // Appends the inputs and the remarks. Target means have levels, but no values yet.
  void finish(Encoding& encoding) const;

 private:
  struct Numbers {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    QuantileSample values;
    // Detects whole numbers that rise by one with every row, including gaps: the number minus its
    // row number, as long as the difference is the same everywhere.
    std::optional<double> start = {};
    bool are_row_numbers = true;
    WholeNumbers whole;

    void see(double cell, std::size_t row);
    bool look_like_row_numbers(std::size_t rows) const;
  };
  struct Texts {
    std::vector<std::size_t> counts;  // for each label
    std::size_t present = 0;
  };
  // Which parts of the dates of a column vary.
  struct Dates {
    DateFields low, high;
    void see(const DateFields& date);
  };
  class Writer;

  const Table& description_;
  std::span<const std::size_t> columns_;
  EncodingOptions options_;
  std::size_t rows_ = 0;  // number of rows seen
  std::vector<Numbers> numbers_;
  std::vector<Texts> texts_;  // each column uses one entry, here or in numbers_
  std::vector<Dates> dates_;  // of columns of dates, beside numbers_
};

// Throws bad_data when no column became an input.
void check_encoding(const Table& description, const Encoding& encoding);

}  // namespace knotwork::features
