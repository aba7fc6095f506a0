// SPDX-License-Identifier: MIT
// TreeSum adds vectors in one fixed binary tree over their index, whichever thread computes them.
//
// Leaf b is combined with its neighbor, pairs with pairs and so on, as in a binary counter:
// for five leaves ((0+1)+(2+3))+4. An aligned run of 2^k leaves is a subtree, so workers can sum
// whole subtrees separately, and a second TreeSum over the subtrees gives the same bits as one
// over all leaves. Sums are in double, whatever the type of the leaves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace knotwork::parallel {

class TreeSum {
 public:
  void start(std::size_t size) {
    size_ = size;
    count_ = 0;
  }

  // Allocates the memory for this many leaves, so that adding them does not allocate.
  void prepare(std::size_t size, std::size_t leaves) {
    start(size);
    for (std::size_t level = 0; (leaves >> level) != 0; ++level) reserve(level);
  }

  template <class T>
  void add(std::span<const T> leaf) {
    std::size_t level = 0;
    if (count_ & 1) {
      // The right half of a pair: adds it to the left half and carries upwards.
      std::vector<double>& left = levels_[0];
      for (std::size_t i = 0; i < size_; ++i) left[i] += static_cast<double>(leaf[i]);
      for (level = 1; (count_ >> level) & 1; ++level) {
        accumulate(levels_[level], levels_[level - 1]);
      }
      reserve(level);
      std::swap(levels_[level], levels_[level - 1]);
    } else {
      reserve(0);
      std::copy(leaf.begin(), leaf.begin() + static_cast<std::ptrdiff_t>(size_),
                levels_[0].begin());
    }
    ++count_;
  }

  // The sum of all leaves so far; the object must be started again before more are added.
  // Zeros when there were none.
  std::span<const double> finish() { return levels_[finished()]; }
  // Like finish(), but swaps the sum into `sum` instead of copying it; the old contents of `sum`
  // are kept as memory.
  void finish_into(std::vector<double>& sum) { std::swap(sum, levels_[finished()]); }

 private:
  // The level with the total.
  std::size_t finished() {
    reserve(0);
    if (count_ == 0) {
      std::fill(levels_[0].begin(), levels_[0].end(), 0.0);
      return 0;
    }
    std::size_t level = 0;
    while (!((count_ >> level) & 1)) ++level;
    std::size_t sum = level;
    for (++level; (count_ >> level) != 0; ++level) {
      if (!((count_ >> level) & 1)) continue;
      accumulate(levels_[level], levels_[sum]);
      sum = level;
    }
    return sum;
  }
  void reserve(std::size_t level) {
    if (levels_.size() <= level) levels_.resize(level + 1);
    levels_[level].resize(size_);
  }
  static void accumulate(std::vector<double>& left, const std::vector<double>& right) {
    for (std::size_t i = 0; i < left.size(); ++i) left[i] += right[i];
  }

  std::size_t size_ = 0;
  std::size_t count_ = 0;  // bit j is set: levels_[j] is the sum of a subtree of 2^j leaves
  std::vector<std::vector<double>> levels_;
};

}  // namespace knotwork::parallel
