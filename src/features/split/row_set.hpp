// SPDX-License-Identifier: MIT
// A RowSet is a set of table rows for tables with too many rows for a list of numbers: it has one
// bit for each row, and a count for each few thousand rows.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace knotwork::features {

class RowSet {
 public:
  RowSet() = default;
  // The rows below table_rows for which is_in(row) is true; is_in is called once for each row, in
  // order.
  template <class IsIn>
  RowSet(std::size_t table_rows, const IsIn& is_in) : table_rows_(table_rows) {
    std::vector<std::uint64_t> words((table_rows + 63) / 64);
    for (std::size_t row = 0; row < table_rows; ++row) {
      if (is_in(row)) words[row / 64] |= std::uint64_t{1} << row % 64;
    }
    keep(std::move(words));
  }
  static RowSet all(std::size_t table_rows);
  static RowSet of(std::size_t table_rows, const std::vector<std::size_t>& ascending);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t table_rows() const { return table_rows_; }
  bool contains(std::size_t row) const { return (bits_->words[row / 64] >> row % 64 & 1) != 0; }
  // The number of rows of the set before this row.
  std::size_t count_before(std::size_t row) const;
  // The row at this position in ascending order.
  std::size_t operator[](std::size_t place) const;

  // Calls see(row) for the rows of the set from `first` up to `last` - 1, ascending.
  template <class See>
  void for_each(std::size_t first, std::size_t last, const See& see) const {
    for (std::size_t word = first / 64; word * 64 < last; ++word) {
      std::uint64_t bits = bits_->words[word];
      if (word == first / 64) bits &= ~std::uint64_t{0} << first % 64;
      if (last - word * 64 < 64) bits &= (std::uint64_t{1} << last % 64) - 1;
      for (; bits != 0; bits &= bits - 1) {
        see(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
  }
  // One bit for each row of the table, lowest bit first.
  std::span<const std::uint64_t> words() const { return bits_->words; }
  bool operator==(const RowSet& other) const {
    return table_rows_ == other.table_rows_ && bits_->words == other.bits_->words;
  }

 private:
  static constexpr std::size_t kBlockWords = 64;
  // Never changed, so copies of a set can share them.
  struct Bits {
    std::vector<std::uint64_t> words;
    std::vector<std::size_t> before;  // rows before each block of words
  };
  void keep(std::vector<std::uint64_t> words);

  std::size_t table_rows_ = 0;
  std::size_t size_ = 0;
  std::shared_ptr<const Bits> bits_ = std::make_shared<const Bits>();
};

// The rows of a set, ascending.
std::vector<std::size_t> list_of(const RowSet& set);

}  // namespace knotwork::features
