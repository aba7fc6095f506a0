// SPDX-License-Identifier: MIT
// An Encoding turns columns of a table into inputs of a network.
//
//   numeric    the number; a missing cell counts as the training median
//   category   1 where the text column has this text, else 0; one input for each text that occurs
//              in training, in byte order; for other texts and missing cells all these inputs are 0
//   missing    1 where the cell of a column of numbers or dates is missing, else 0; only for columns
//              in which more than 1 % of the training cells are missing
//   date       a part of a date: days since 1970, the year, and the month, the weekday and the hour
//              as cyclic pairs; only parts that vary in training
//   target_mean, frequency
//              for text columns with more than `one_hot_max_size` texts: the mean of each target (or
//              the share of each class but the first) over the training rows with this text, shrunk
//              towards the mean of all rows, and log(1 + number of training rows with the text);
//              see docs/data.md
//
// Numeric inputs, elapsed times, years, target means and frequencies are scaled as requested; all
// other inputs stay as they are.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/columns.hpp>
#include <knotwork/error.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

inline constexpr double kMissingIndicatorShare = 0.01;
inline constexpr std::size_t kMaxCategories = 1000;  // classes of a target; more are refused
inline constexpr std::size_t kOneHotMaxSize = 20;
// Texts of a column that have a value of their own; rarer texts count as unseen.
inline constexpr std::size_t kMaxLevels = 100'000;

struct LeftOutColumn {
  std::string name;
  std::string why;  // the end of a sentence: "it has the same value in every training row"
  Hint hint = {};   // how to keep it
};

struct Encoding {
  std::vector<InputColumn> inputs;  // not scaled yet
  std::vector<Remark> remarks;      // one sentence each: columns left out, columns to look at
  std::vector<LeftOutColumn> left_out = {};
};

// Reads the given rows of the given columns only. Some columns are left out with a remark: columns
// that do not vary, columns without any value, and text columns in which more than half of the
// cells hold a text that occurs once, and columns of different whole numbers whose name has the
// word id, key or row (unless they are listed in `keep`). If all values of a numeric column are
// equal where they are not missing, only its `missing` input is kept; so it is for ids. Other whole
// numbers that rise from row to row are kept, with a remark. No target is known here, so columns
// with many texts have only their frequency; training adds target means. Throws bad_data when no
// column is left, when a number is infinite, and when the table has no column of a name in `keep`.
KNOTWORK_API Encoding fit_encoding(const Table& table, std::span<const std::size_t> columns,
                                   std::span<const std::size_t> rows,
                                   std::span<const std::string> keep = {},
                                   std::size_t one_hot_max_size = kOneHotMaxSize);

// What a table contained that the training data did not.
struct EncodingReport {
  struct Column {
    std::string name;
    std::size_t cells = 0;  // number of rows
    std::size_t missing = 0;
    std::size_t outside = 0;               // below low or above high
    std::vector<std::string> unseen = {};  // texts, at most the first 5 in byte order
    std::size_t unseen_cells = 0;
  };
  std::vector<Column> columns;  // the table columns of the inputs, in their order
};

// Reads inputs from a table, cell by cell, without copying it. Keeps references to both arguments.
class KNOTWORK_API EncodedTable {
 public:
  // Columns are matched by name. Throws bad_data when a column does not exist, when a column is
  // text and the model needs numbers or the reverse, and where a cell is missing in a column that
  // allows no missing cells. A column in which every cell is missing is accepted both as text and
  // as numbers.
  EncodedTable(const Table& table, std::span<const InputColumn> inputs);

  std::size_t rows() const { return rows_; }
  std::size_t inputs() const { return readers_.size(); }
  double operator()(std::size_t row, std::size_t input) const {
    const Reader& reader = readers_[input];
    const double cell = reader.cells[row];
    if (cell != cell) return reader.if_missing;
    switch (reader.kind) {
      case InputKind::numeric:
        return cell;
      case InputKind::date:
        return date_part(reader.part, cell);
      case InputKind::target_mean:
      case InputKind::frequency:
        return reader.by_label[static_cast<std::size_t>(cell)];
      case InputKind::category:
      case InputKind::missing:
        break;
    }
    return cell == reader.label ? 1.0 : 0.0;
  }
  EncodingReport report() const;

 private:
  struct Reader {
    std::size_t column;
    const double* cells;
    double if_missing;
    double label;  // index of the category in the table's labels; NaN: no cell has it
    InputKind kind;
    DatePart part;
    std::vector<double> by_label = {};  // the values of the table's labels, for kinds with levels
  };
  EncodingReport::Column report_of(std::size_t column) const;

  const Table* table_;
  std::span<const InputColumn> input_columns_;
  std::size_t rows_;
  std::vector<Reader> readers_;
};

}  // namespace knotwork
