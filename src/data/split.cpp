// SPDX-License-Identifier: MIT
#include <knotwork/split.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/fail.hpp"

namespace knotwork {
namespace {

struct KeyedRow {
  std::uint64_t key;
  std::size_t row;
  // Row numbers break ties, so that the order is total and the same everywhere.
  auto operator<=>(const KeyedRow&) const = default;
};

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

}  // namespace

SplitRows split_rows(std::span<const std::size_t> rows, double fraction, std::uint64_t seed,
                     Purpose purpose) {
  if (!(fraction >= 0 && fraction < 1)) {
    fail(ErrorKind::bad_option,
         "A fraction of {} of the rows cannot be held out; it must be at least 0 and below 1.",
         fraction);
  }
  const auto held_out =
      static_cast<std::size_t>(std::round(fraction * static_cast<double>(rows.size())));
  std::vector<KeyedRow> keyed = with_keys(rows, seed, purpose);
  const auto boundary = keyed.begin() + static_cast<std::ptrdiff_t>(held_out);
  std::nth_element(keyed.begin(), boundary, keyed.end());
  return {.kept = ascending_rows({boundary, keyed.end()}),
          .held_out = ascending_rows({keyed.begin(), boundary})};
}

SplitRows split_rows(std::size_t rows, double fraction, std::uint64_t seed, Purpose purpose) {
  return split_rows(first_rows(rows), fraction, seed, purpose);
}

std::vector<std::size_t> assign_folds(std::size_t rows, std::size_t k, std::uint64_t seed) {
  if (k < 2 || k > rows) {
    fail(ErrorKind::bad_option,
         "{} rows cannot be cut into {} folds; there must be at least 2 folds and as many rows as "
         "folds.",
         rows, k);
  }
  std::vector<KeyedRow> keyed = with_keys(first_rows(rows), seed, Purpose::folds);
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::size_t> folds(rows);
  for (std::size_t i = 0; i < rows; ++i) folds[keyed[i].row] = i % k;
  return folds;
}

}  // namespace knotwork
