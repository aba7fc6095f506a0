// SPDX-License-Identifier: MIT
// Subtrees are partial sums of the one tree over all leaves (parallel/tree_sum.hpp); several
// processes combine them to the same bits that a single process would get.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <knotwork/ranks.hpp>

namespace knotwork {

class Subtrees {
 public:
  // The vectors have `size` numbers.
  explicit Subtrees(std::size_t size) : size_(size) {}

  // Appends the sum of leaves first .. first+width-1. width is a power of two that divides first;
  // only the last subtree of all may have fewer leaves than width.
  void append(std::size_t first, std::size_t width, std::span<const double> sum);

  // The sum over all ranks, where lower ranks have the lower leaves.
  std::vector<double> add_up(Ranks& ranks) const;

 private:
  Ranks::Bytes pack() const;
  void append_packed(const Ranks::Bytes& bytes);

  struct Node {
    std::size_t first, width;
    std::vector<double> sum;
  };
  std::size_t size_;
  std::vector<Node> nodes_;
};

}  // namespace knotwork
