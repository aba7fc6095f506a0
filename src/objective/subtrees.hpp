// SPDX-License-Identifier: MIT
// Sums of subtrees of the one tree over all leaves (base/tree_sum.hpp), put together by several
// processes to the bits that one of them alone would get.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <knotwork/ranks.hpp>

namespace knotwork {

class Subtrees {
 public:
  // Of vectors of so many numbers.
  explicit Subtrees(std::size_t size) : size_(size) {}

  // The sum of leaves first .. first+width-1, behind all that were appended before. width is a
  // power of two that divides first; only the very last subtree may have fewer leaves than it says.
  void append(std::size_t first, std::size_t width, std::span<const double> sum);

  // The sum over all ranks, of whom those with lower numbers have the lower leaves.
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
