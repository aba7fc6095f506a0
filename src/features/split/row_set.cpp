// SPDX-License-Identifier: MIT
#include "features/split/row_set.hpp"

#include <algorithm>

namespace knotwork::features {
namespace {

std::size_t bits_in(std::uint64_t word) {
  return static_cast<std::size_t>(std::popcount(word));
}

}  // namespace

RowSet RowSet::all(std::size_t table_rows) {
  return RowSet(table_rows, [](std::size_t) { return true; });
}

RowSet RowSet::of(std::size_t table_rows, const std::vector<std::size_t>& ascending) {
  auto next = ascending.begin();
  return RowSet(table_rows, [&](std::size_t row) {
    if (next == ascending.end() || *next != row) return false;
    ++next;
    return true;
  });
}

void RowSet::keep(std::vector<std::uint64_t> words) {
  std::vector<std::size_t> before;
  for (std::size_t word = 0; word < words.size(); ++word) {
    if (word % kBlockWords == 0) before.push_back(size_);
    size_ += bits_in(words[word]);
  }
  bits_ = std::make_shared<const Bits>(Bits{std::move(words), std::move(before)});
}

std::size_t RowSet::count_before(std::size_t row) const {
  if (row >= table_rows_) return size_;
  const std::vector<std::uint64_t>& words = bits_->words;
  const std::size_t last = row / 64;
  std::size_t count = bits_->before[last / kBlockWords];
  for (std::size_t word = last / kBlockWords * kBlockWords; word < last; ++word) {
    count += bits_in(words[word]);
  }
  return count + bits_in(words[last] & ((std::uint64_t{1} << row % 64) - 1));
}

std::size_t RowSet::operator[](std::size_t place) const {
  const auto& [words, before] = *bits_;
  const auto block = std::upper_bound(before.begin(), before.end(), place) - 1;
  std::size_t word = static_cast<std::size_t>(block - before.begin()) * kBlockWords;
  std::size_t left = place - *block;
  while (left >= bits_in(words[word])) left -= bits_in(words[word++]);
  std::uint64_t bits = words[word];
  for (; left > 0; --left) bits &= bits - 1;
  return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
}

std::vector<std::size_t> list_of(const RowSet& set) {
  std::vector<std::size_t> rows;
  rows.reserve(set.size());
  set.for_each(0, set.table_rows(), [&](std::size_t row) { rows.push_back(row); });
  return rows;
}

}  // namespace knotwork::features
