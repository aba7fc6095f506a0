// SPDX-License-Identifier: MIT
#include <knotwork/split.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
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

std::vector<std::size_t> ascending_rows(std::span<const KeyedRow> keyed) {
  std::vector<std::size_t> rows;
  rows.reserve(keyed.size());
  for (const KeyedRow& entry : keyed) rows.push_back(entry.row);
  std::sort(rows.begin(), rows.end());
  return rows;
}

// fraction * rows, before rounding.
double share_of(std::size_t rows, double fraction) {
  if (!(fraction >= 0 && fraction < 1)) {
    fail(ErrorKind::bad_option,
         "A fraction of {} of the rows cannot be held out; it must be at least 0 and below 1.",
         fraction);
  }
  return fraction * static_cast<double>(rows);
}

struct ValuedRow {
  double value;
  KeyedRow keyed;
  auto operator<=>(const ValuedRow&) const = default;
};

// The rows of one group or class, in the order of their keys.
struct Part {
  std::span<const ValuedRow> rows;
  KeyedRow first;  // the one that comes first in the table
};

// Rows of equal value side by side, values ascending.
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

void append_rows(std::vector<std::size_t>& rows, std::span<const ValuedRow> more) {
  for (const ValuedRow& entry : more) rows.push_back(entry.keyed.row);
}

SplitRows in_order(SplitRows split) {
  std::sort(split.kept.begin(), split.kept.end());
  std::sort(split.held_out.begin(), split.held_out.end());
  return split;
}

void check_folds(std::size_t k, std::size_t count, std::string_view what) {
  if (k >= 2 && k <= count) return;
  fail(ErrorKind::bad_option,
       "{} {} cannot be cut into {} folds; there must be at least 2 folds and as many {} as folds.",
       count, what, k, what);
}

}  // namespace

std::size_t features::rounded_share(std::size_t rows, double fraction) {
  return static_cast<std::size_t>(std::round(share_of(rows, fraction)));
}

std::vector<std::size_t> features::quotas(std::span<const ClassOfRows> classes, std::size_t total,
                                          double fraction) {
  std::vector<std::size_t> counts(classes.size());
  std::vector<double> remainders(classes.size());
  for (std::size_t p = 0; p < classes.size(); ++p) {
    const double share = share_of(classes[p].size, fraction);
    counts[p] = static_cast<std::size_t>(share);
    remainders[p] = share - std::floor(share);
  }
  std::vector<std::size_t> order = first_rows(classes.size());
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (remainders[a] != remainders[b]) return remainders[a] > remainders[b];
    return classes[a].first < classes[b].first;
  });
  const std::size_t sure = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  for (std::size_t i = 0; i < total - sure; ++i) ++counts[order[i]];
  return counts;
}

void features::check_groups(std::size_t groups, std::size_t rows, double fraction) {
  if (groups >= 2 || fraction == 0) return;
  fail(ErrorKind::bad_data,
       "The number of different groups in {} rows is {}; to hold some out there must be at least "
       "2.",
       rows, groups);
}

SplitRows split_rows(std::span<const std::size_t> rows, double fraction, std::uint64_t seed,
                     Purpose purpose) {
  const std::size_t held_out = rounded_share(rows.size(), fraction);
  std::vector<KeyedRow> keyed = with_keys(rows, seed, purpose);
  const auto boundary = keyed.begin() + static_cast<std::ptrdiff_t>(held_out);
  std::nth_element(keyed.begin(), boundary, keyed.end());
  return {.kept = ascending_rows({boundary, keyed.end()}),
          .held_out = ascending_rows({keyed.begin(), boundary})};
}

SplitRows split_rows(std::size_t rows, double fraction, std::uint64_t seed, Purpose purpose) {
  return split_rows(first_rows(rows), fraction, seed, purpose);
}

SplitRows split_groups(std::span<const std::size_t> rows, std::span<const double> groups,
                       double fraction, std::uint64_t seed, Purpose purpose) {
  const std::size_t wanted = rounded_share(rows.size(), fraction);
  const std::vector<ValuedRow> sorted = sort_by_value(rows, groups, seed, purpose, "group");
  std::vector<Part> parts = parts_of(sorted);
  check_groups(parts.size(), rows.size(), fraction);
  std::sort(parts.begin(), parts.end(), by_first_key);
  SplitRows split;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const bool hold_out = split.held_out.size() < wanted && p + 1 < parts.size();
    append_rows(hold_out ? split.held_out : split.kept, parts[p].rows);
  }
  return in_order(std::move(split));
}

SplitRows split_groups(std::span<const double> groups, double fraction, std::uint64_t seed,
                       Purpose purpose) {
  return split_groups(first_rows(groups.size()), groups, fraction, seed, purpose);
}

SplitRows split_stratified(std::span<const std::size_t> rows, std::span<const double> classes,
                           double fraction, std::uint64_t seed, Purpose purpose) {
  const std::size_t total = rounded_share(rows.size(), fraction);
  const std::vector<ValuedRow> sorted = sort_by_value(rows, classes, seed, purpose, "class");
  const std::vector<Part> parts = parts_of(sorted);
  std::vector<ClassOfRows> sizes;
  for (const Part& part : parts) sizes.push_back({part.rows.size(), part.first});
  const std::vector<std::size_t> counts = quotas(sizes, total, fraction);
  SplitRows split;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    append_rows(split.held_out, parts[p].rows.first(counts[p]));
    append_rows(split.kept, parts[p].rows.subspan(counts[p]));
  }
  return in_order(std::move(split));
}

SplitRows split_stratified(std::span<const double> classes, double fraction, std::uint64_t seed,
                           Purpose purpose) {
  return split_stratified(first_rows(classes.size()), classes, fraction, seed, purpose);
}

SplitRows split_last(std::span<const std::size_t> rows, double fraction) {
  const std::size_t held_out = rounded_share(rows.size(), fraction);
  std::vector<std::size_t> sorted(rows.begin(), rows.end());
  std::sort(sorted.begin(), sorted.end());
  const auto boundary = sorted.end() - static_cast<std::ptrdiff_t>(held_out);
  return {.kept = {sorted.begin(), boundary}, .held_out = {boundary, sorted.end()}};
}

SplitRows split_last(std::size_t rows, double fraction) {
  return split_last(first_rows(rows), fraction);
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
  using SizedFold = std::pair<std::size_t, std::size_t>;  // its rows so far, its number
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
