// SPDX-License-Identifier: MIT
// Some rows of a table, ascending, for tables whose rows are too many for a list of numbers: one
// bit for each row, and how many come before each few thousand.
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
  // Those rows below table_rows for which is_in(row) is true; it is asked once for each, in order.
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
  // How many of its rows stand before this one.
  std::size_t count_before(std::size_t row) const;
  // The row at a place in the ascending order.
  std::size_t operator[](std::size_t place) const;

  // Calls see(row) for its rows from `first` up to below `last`, ascending.
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
  // A bit for each row of the table, its lowest first.
  std::span<const std::uint64_t> words() const { return bits_->words; }
  bool operator==(const RowSet& other) const {
    return table_rows_ == other.table_rows_ && bits_->words == other.bits_->words;
  }

 private:
  static constexpr std::size_t kBlockWords = 64;
  // Never changed, so that copies of a set have them together.
  struct Bits {
    std::vector<std::uint64_t> words;
    std::vector<std::size_t> before;  // rows before each block of words
  };
  void keep(std::vector<std::uint64_t> words);

  std::size_t table_rows_ = 0;
  std::size_t size_ = 0;
  std::shared_ptr<const Bits> bits_ = std::make_shared<const Bits>();
};

}  // namespace knotwork::features
