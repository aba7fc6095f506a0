// SPDX-License-Identifier: MIT
#include "features/split/split_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "base/fail.hpp"
#include "parallel/watched_work.hpp"

namespace knotwork::features {
namespace {

// fraction * rows, before rounding.
double share_of(std::size_t rows, double fraction) {
  if (!(fraction >= 0 && fraction < 1)) {
    fail(ErrorKind::bad_option,
         "A fraction of {} of the rows cannot be held out; it must be at least 0 and below 1.",
         fraction);
  }
  return fraction * static_cast<double>(rows);
}

SplitSets part(const RowSet& rows, const auto& is_held_out) {
  const auto in = [&](bool held_out) {
    return [&, held_out](std::size_t row) {
      return rows.contains(row) && is_held_out(row) == held_out;
    };
  };
  return {RowSet(rows.table_rows(), in(false)), RowSet(rows.table_rows(), in(true))};
}

// Finds the key below which there are exactly the wanted number of rows: first its bin, then the
// key.
class KeySearch {
 public:
  KeySearch(std::size_t wanted, int digits) : wanted_(wanted), shift_(64 - digits) {
    counts_.resize(std::size_t{1} << digits);
  }

  void count(std::uint64_t key) { ++counts_[key >> shift_]; }
  void choose_bin() {
    while (bin_ < counts_.size() && before_ + counts_[bin_] <= wanted_) before_ += counts_[bin_++];
    counts_ = {};
  }
  void collect(KeyedRow row) {
    if (row.key >> shift_ == bin_) candidates_.push_back(row);
  }
  // All rows with keys below it are held out.
  KeyedRow boundary() {
    if (candidates_.empty()) return {std::numeric_limits<std::uint64_t>::max(), kNoRow};
    const auto at = candidates_.begin() + static_cast<std::ptrdiff_t>(wanted_ - before_);
    std::nth_element(candidates_.begin(), at, candidates_.end());
    return *at;
  }

 private:
  static constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();
  std::size_t wanted_;
  int shift_;
  std::vector<std::uint32_t> counts_;
  std::size_t bin_ = 0, before_ = 0;
  std::vector<KeyedRow> candidates_;
};

void check_value(double value, std::size_t row, std::string_view what) {
  if (value == value) return;
  fail(ErrorKind::bad_data,
       "Row {} (the first is row 0) has no {}; a split by {} needs one in every row.", row, what,
       what);
}

// Calls see(row, value) for the rows of a set.
void for_each_value(const RowSet& rows, const ColumnWindows& column, const auto& see) {
  column([&](std::size_t first, std::span<const double> values) {
    rows.for_each(first, first + values.size(),
                  [&](std::size_t row) { see(row, values[row - first]); });
  });
}

std::map<double, ClassOfRows> classes_among(const RowSet& rows, const ColumnWindows& column,
                                            const Random& random, std::string_view what) {
  std::map<double, ClassOfRows> classes;
  for_each_value(rows, column, [&](std::size_t row, double value) {
    check_value(value, row, what);
    const auto [entry, is_new] = classes.try_emplace(value, ClassOfRows{0, {}});
    if (is_new) entry->second.first = {random.bits(row), row};
    ++entry->second.size;
  });
  return classes;
}

}  // namespace

std::size_t rounded_share(std::size_t rows, double fraction) {
  return static_cast<std::size_t>(std::round(share_of(rows, fraction)));
}

std::vector<std::size_t> quotas(std::span<const ClassOfRows> classes, std::size_t total,
                                double fraction) {
  std::vector<std::size_t> counts(classes.size());
  std::vector<double> remainders(classes.size());
  for (std::size_t p = 0; p < classes.size(); ++p) {
    const double share = share_of(classes[p].size, fraction);
    counts[p] = static_cast<std::size_t>(share);
    remainders[p] = share - std::floor(share);
  }
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (remainders[a] != remainders[b]) return remainders[a] > remainders[b];
    return classes[a].first < classes[b].first;
  });
  const std::size_t sure = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  for (std::size_t i = 0; i < total - sure; ++i) ++counts[order[i]];
  return counts;
}

void check_groups(std::size_t groups, std::size_t rows, double fraction) {
  if (groups >= 2 || fraction == 0) return;
  fail(ErrorKind::bad_data,
       "Holding out groups of {} rows needs at least 2 different groups, not {}.", rows, groups);
}

SplitSets split_rows(const RowSet& rows, double fraction, std::uint64_t seed, Purpose purpose,
                     const Monitor* monitor) {
  const std::size_t wanted = rounded_share(rows.size(), fraction);
  if (wanted == 0) return {rows, RowSet::of(rows.table_rows(), {})};
  const Random random(seed, purpose);
  constexpr int kDigits = 16;
  KeySearch search(wanted, kDigits);
  const auto each = [&](const auto& see) { rows.for_each(0, rows.table_rows(), see); };
  constexpr std::size_t kBetween = std::size_t{1} << 18;  // keys between two questions
  std::size_t keys = 0;
  const auto keyed = [&](std::size_t row) {
    if (++keys % kBetween == 0) parallel::check_stop(monitor);
    return KeyedRow{random.bits(row), row};
  };
  each([&](std::size_t row) { search.count(keyed(row).key); });
  search.choose_bin();
  each([&](std::size_t row) { search.collect(keyed(row)); });
  const KeyedRow boundary = search.boundary();
  return part(rows, [&](std::size_t row) { return keyed(row) < boundary; });
}

SplitSets split_last(const RowSet& rows, double fraction) {
  const std::size_t wanted = rounded_share(rows.size(), fraction);
  const std::size_t first = wanted == 0 ? rows.table_rows() : rows[rows.size() - wanted];
  return part(rows, [first](std::size_t row) { return row >= first; });
}

SplitSets split_groups(const RowSet& rows, const ColumnWindows& groups, double fraction,
                       std::uint64_t seed, Purpose purpose) {
  const std::size_t wanted = rounded_share(rows.size(), fraction);
  const auto sizes = classes_among(rows, groups, Random(seed, purpose), "group");
  check_groups(sizes.size(), rows.size(), fraction);
  std::vector<std::pair<KeyedRow, double>> order;
  for (const auto& [group, size] : sizes) order.emplace_back(size.first, group);
  std::sort(order.begin(), order.end());
  std::set<double> held_out;
  std::size_t count = 0;
  for (std::size_t g = 0; g + 1 < order.size() && count < wanted; ++g) {
    held_out.insert(order[g].second);
    count += sizes.at(order[g].second).size;
  }
  std::vector<bool> is_held_out(rows.table_rows());
  for_each_value(rows, groups, [&](std::size_t row, double group) {
    is_held_out[row] = held_out.contains(group);
  });
  return part(rows, [&](std::size_t row) { return is_held_out[row]; });
}

SplitSets split_stratified(const RowSet& rows, const ColumnWindows& classes, double fraction,
                           std::uint64_t seed, Purpose purpose) {
  const std::size_t total = rounded_share(rows.size(), fraction);
  const Random random(seed, purpose);
  const auto sizes = classes_among(rows, classes, random, "class");
  std::vector<ClassOfRows> list;
  for (const auto& [value, size] : sizes) list.push_back(size);
  const std::vector<std::size_t> counts = quotas(list, total, fraction);
  std::map<double, KeySearch> searches;
  for (std::size_t k = 0; const auto& [value, of_class] : sizes) {
    // There may be many classes with few rows each, so a bin should have a few rows.
    const int digits = std::clamp(static_cast<int>(std::bit_width(of_class.size)) - 6, 1, 10);
    searches.try_emplace(value, counts[k++], digits);
  }
  for_each_value(rows, classes, [&](std::size_t row, double value) {
    searches.at(value).count(random.bits(row));
  });
  for (auto& [value, search] : searches) search.choose_bin();
  for_each_value(rows, classes, [&](std::size_t row, double value) {
    searches.at(value).collect({random.bits(row), row});
  });
  std::map<double, KeyedRow> boundaries;
  for (auto& [value, search] : searches) boundaries.emplace(value, search.boundary());
  std::vector<bool> is_held_out(rows.table_rows());
  for_each_value(rows, classes, [&](std::size_t row, double value) {
    is_held_out[row] = KeyedRow{random.bits(row), row} < boundaries.at(value);
  });
  return part(rows, [&](std::size_t row) { return is_held_out[row]; });
}

}  // namespace knotwork::features
