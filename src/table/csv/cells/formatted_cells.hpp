// SPDX-License-Identifier: MIT
// FormattedCells reads the cells of a column that has a ColumnFormat, and keeps examples of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <knotwork/table.hpp>

#include "table/csv/cell_value.hpp"
#include "table/csv/cells/number_style.hpp"

namespace knotwork::csv {

class FormattedCells {
 public:
  explicit FormattedCells(ColumnFormat format);

  // Reads a cell that is not missing. A cell that does not fit is a word; `value` is set only for
  // numbers.
  CellKind read(std::string_view text, double& value);

  const ColumnFormat& format() const { return format_; }
  std::size_t misfits() const { return misfits_; }
  // The first of the cells that do not fit, by bytes.
  const std::string& misfit() const { return misfit_; }
  // The longest of the cells that are not plain numbers with a decimal point, and of several the
  // last by bytes, which shows best what comes first in a date; empty if there is none. Neither
  // example depends on the order of the rows.
  const std::string& example() const { return example_; }
  double example_value() const { return example_value_; }

 private:
  std::optional<double> date_of(std::string_view text) const;
  std::optional<double> number_of(std::string_view text) const;
  void keep_example(std::string_view text, double value);

  ColumnFormat format_;
  std::optional<GroupSign> group_;
  char decimal_;
  std::size_t misfits_ = 0;
  std::string misfit_, example_;
  double example_value_ = 0;
};

}  // namespace knotwork::csv
