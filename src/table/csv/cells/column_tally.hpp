// SPDX-License-Identifier: MIT
// A ColumnTally counts what the cells of a column could be: plain numbers, dates in each order,
// numbers with signs, words. The counts do not depend on the order of the rows or on windows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/csv/cell_value.hpp"
#include "table/csv/cells/date_seconds.hpp"
#include "table/csv/cells/number_style.hpp"

namespace knotwork::csv {

// The first `kMost` different values by their order, and whether there are more.
template <class Value>
class FewValues {
 public:
  static constexpr std::size_t kMost = 20;

  template <class Seen>
  void see(const Seen& value) {
    if (is_full() && !(value < values_.back())) return;
    const auto place = std::lower_bound(values_.begin(), values_.end(), value);
    if (place != values_.end() && *place == value) return;
    values_.emplace(place, value);
    if (values_.size() > kMost + 1) values_.pop_back();
  }
  bool is_full() const { return values_.size() > kMost; }
  // At most kMost + 1.
  const std::vector<Value>& values() const { return values_; }

 private:
  std::vector<Value> values_;
};

// How many of the counted dates are read in each order.
struct DateCounts {
  std::size_t year_first = 0, day_first = 0, month_first = 0, time = 0;
  std::size_t open = 0;     // dates whose order only the column shows
  std::size_t slashes = 0;  // those of them with slashes
  std::size_t doubtful = 0;  // dates that mean different days with the day or the month first

  std::size_t of(DateOrder order) const;
};

// How many cells with the same signs around the digits are numbers if the decimal sign is a point
// or a comma, for each sign between groups.
struct StyleCounts {
  std::string prefix, suffix;
  std::array<std::size_t, kGroupSignCount> with_point = {}, with_comma = {};

  const std::array<std::size_t, kGroupSignCount>& with(bool decimal_comma) const {
    return decimal_comma ? with_comma : with_point;
  }
};

struct ColumnTally {
  // A cell that no column of numbers can have.
  struct Unusable {
    CellKind kind;
    std::string text;
    std::size_t line;
  };

  std::size_t missing = 0;
  std::size_t others = 0;  // cells that are neither missing nor plain numbers
  std::size_t words = 0;   // those of them that are not infinite or too large
  FewValues<std::string> texts = {};  // those of them that are different
  FewValues<double> numbers = {};     // different plain numbers
  std::size_t fractions = 0;          // plain numbers with a decimal sign
  DateCounts dates = {};
  std::vector<StyleCounts> styles = {};
  bool has_many_styles = false;  // too many for a column of numbers
  std::optional<Unusable> first_unusable = {};

  // Counts a cell that is neither missing nor a plain number. Returns false if it can be no number.
  bool see(CellKind kind, std::string_view text, std::size_t line);
  // Counts cells of plain numbers; missing cells among them do not matter.
  void see_numbers(std::span<const double> cells);

 private:
  void see_date(std::string_view text);
  bool see_style(std::string_view text);
};

}  // namespace knotwork::csv
