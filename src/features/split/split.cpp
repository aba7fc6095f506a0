// SPDX-License-Identifier: MIT
#include <knotwork/split.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <string_view>
#include <utility>

#include "base/fail.hpp"
#include "features/split/split_rows.hpp"

namespace knotwork {

using namespace features;

namespace {

std::vector<KeyedRow> with_keys(std::span<const std::size_t> rows, std::uint64_t seed,
                                Purpose purpose) {
  const Random random(seed, purpose);
  std::vector<KeyedRow> keyed;
  keyed.reserve(rows.size());
  for (const std::size_t row : rows) keyed.push_back({random.bits(row), row});
  return keyed;
}

std::vector<std::size_t> first_rows(std::size_t rows) {
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

RowSet set_of(std::span<const std::size_t> rows) {
  std::vector<std::size_t> ascending(rows.begin(), rows.end());
  std::sort(ascending.begin(), ascending.end());
  return RowSet::of(ascending.empty() ? 0 : ascending.back() + 1, ascending);
}

SplitRows lists_of(const SplitSets& sets) {
  return {.kept = list_of(sets.kept), .held_out = list_of(sets.held_out)};
}

// One number for each row of the table; rows beyond the last number have a missing one.
ColumnWindows values_of(const RowSet& rows, std::span<const double> values) {
  return [values, count = rows.table_rows()](const SeeValues& see) {
    see(0, values.first(std::min(values.size(), count)));
    if (values.size() >= count) return;
    see(values.size(),
        std::vector<double>(count - values.size(), std::numeric_limits<double>::quiet_NaN()));
  };
}

struct ValuedRow {
  double value;
  KeyedRow keyed;
  auto operator<=>(const ValuedRow&) const = default;
};

// The rows of one group or class, in the order of their keys.
struct Part {
  std::span<const ValuedRow> rows;
  KeyedRow first;  // the first one in the table
};

// Rows of equal value next to each other, values ascending.
std::vector<ValuedRow> sort_by_value(std::span<const std::size_t> rows,
                                     std::span<const double> values, std::uint64_t seed,
                                     Purpose purpose, std::string_view what) {
  const Random random(seed, purpose);
  std::vector<ValuedRow> sorted;
  sorted.reserve(rows.size());
  for (const std::size_t row : rows) {
    if (row >= values.size() || std::isnan(values[row])) {
      fail(ErrorKind::bad_data,
           "Row {} (the first is row 0) has no {}; a split by {} needs one in every row.", row,
           what, what);
    }
    sorted.push_back({values[row], {random.bits(row), row}});
  }
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

std::vector<Part> parts_of(std::span<const ValuedRow> sorted) {
  std::vector<Part> parts;
  while (!sorted.empty()) {
    const auto past = std::find_if(sorted.begin(), sorted.end(), [&](const ValuedRow& entry) {
      return entry.value != sorted.front().value;
    });
    const auto rows = sorted.first(static_cast<std::size_t>(past - sorted.begin()));
    const auto first = std::min_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
      return a.keyed.row < b.keyed.row;
    });
    parts.push_back({rows, first->keyed});
    sorted = sorted.subspan(rows.size());
  }
  return parts;
}

bool by_first_key(const Part& a, const Part& b) {
  return a.first < b.first;
}

void check_folds(std::size_t k, std::size_t count, std::string_view what) {
  if (k >= 2 && k <= count) return;
  fail(ErrorKind::bad_option,
       "{} {} cannot be divided into {} folds; there must be at least 2 folds, and not more folds "
       "than {}.",
       count, what, k, what);
}

}  // namespace

SplitRows split_rows(std::span<const std::size_t> rows, double fraction, std::uint64_t seed,
                     Purpose purpose) {
  return lists_of(split_rows(set_of(rows), fraction, seed, purpose));
}

SplitRows split_rows(std::size_t rows, double fraction, std::uint64_t seed, Purpose purpose) {
  return lists_of(split_rows(RowSet::all(rows), fraction, seed, purpose));
}

SplitRows split_groups(std::span<const std::size_t> rows, std::span<const double> groups,
                       double fraction, std::uint64_t seed, Purpose purpose) {
  const RowSet set = set_of(rows);
  return lists_of(split_groups(set, values_of(set, groups), fraction, seed, purpose));
}

SplitRows split_groups(std::span<const double> groups, double fraction, std::uint64_t seed,
                       Purpose purpose) {
  return split_groups(first_rows(groups.size()), groups, fraction, seed, purpose);
}

SplitRows split_stratified(std::span<const std::size_t> rows, std::span<const double> classes,
                           double fraction, std::uint64_t seed, Purpose purpose) {
  const RowSet set = set_of(rows);
  return lists_of(split_stratified(set, values_of(set, classes), fraction, seed, purpose));
}

SplitRows split_stratified(std::span<const double> classes, double fraction, std::uint64_t seed,
                           Purpose purpose) {
  return split_stratified(first_rows(classes.size()), classes, fraction, seed, purpose);
}

SplitRows split_last(std::span<const std::size_t> rows, double fraction) {
  return lists_of(split_last(set_of(rows), fraction));
}

SplitRows split_last(std::size_t rows, double fraction) {
  return lists_of(split_last(RowSet::all(rows), fraction));
}

std::vector<std::size_t> assign_folds(std::size_t rows, std::size_t k, std::uint64_t seed) {
  check_folds(k, rows, "rows");
  std::vector<KeyedRow> keyed = with_keys(first_rows(rows), seed, Purpose::folds);
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::size_t> folds(rows);
  for (std::size_t i = 0; i < rows; ++i) folds[keyed[i].row] = i % k;
  return folds;
}

std::vector<std::size_t> assign_group_folds(std::span<const double> groups, std::size_t k,
                                            std::uint64_t seed) {
  const std::vector<ValuedRow> sorted =
      sort_by_value(first_rows(groups.size()), groups, seed, Purpose::folds, "group");
  std::vector<Part> parts = parts_of(sorted);
  check_folds(k, parts.size(), "groups");
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    if (a.rows.size() != b.rows.size()) return a.rows.size() > b.rows.size();
    return by_first_key(a, b);
  });
  using SizedFold = std::pair<std::size_t, std::size_t>;  // number of its rows so far, its index
  std::priority_queue<SizedFold, std::vector<SizedFold>, std::greater<>> smallest;
  for (std::size_t fold = 0; fold < k; ++fold) smallest.push({0, fold});
  std::vector<std::size_t> folds(groups.size());
  for (const Part& part : parts) {
    const auto [size, fold] = smallest.top();
    smallest.pop();
    for (const ValuedRow& entry : part.rows) folds[entry.keyed.row] = fold;
    smallest.push({size + part.rows.size(), fold});
  }
  return folds;
}

std::vector<std::size_t> assign_stratified_folds(std::span<const double> classes, std::size_t k,
                                                 std::uint64_t seed) {
  check_folds(k, classes.size(), "rows");
  const std::vector<ValuedRow> sorted =
      sort_by_value(first_rows(classes.size()), classes, seed, Purpose::folds, "class");
  std::vector<std::size_t> folds(classes.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) folds[sorted[i].keyed.row] = i % k;
  return folds;
}

}  // namespace knotwork
