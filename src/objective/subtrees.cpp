// SPDX-License-Identifier: MIT
#include "objective/subtrees.hpp"

#include <cstdint>
#include <cstring>

#include "base/fail.hpp"

namespace knotwork {
namespace {

void accumulate(std::vector<double>& left, const std::vector<double>& right) {
  for (std::size_t i = 0; i < left.size(); ++i) left[i] += right[i];
}

}  // namespace

void Subtrees::append(std::size_t first, std::size_t width, std::span<const double> sum) {
  nodes_.push_back({first, width, std::vector<double>(sum.begin(), sum.end())});
  while (nodes_.size() > 1) {
    Node& left = nodes_[nodes_.size() - 2];
    const Node& right = nodes_.back();
    const bool siblings = left.width == right.width && left.first % (2 * left.width) == 0 &&
                          left.first + left.width == right.first;
    if (!siblings) break;
    accumulate(left.sum, right.sum);
    left.width *= 2;
    nodes_.pop_back();
  }
}

Ranks::Bytes Subtrees::pack() const {
  const std::size_t node_bytes = 2 * sizeof(std::uint64_t) + size_ * sizeof(double);
  Ranks::Bytes bytes(nodes_.size() * node_bytes);
  std::uint8_t* to = bytes.data();
  for (const Node& node : nodes_) {
    const std::uint64_t place[] = {node.first, node.width};
    std::memcpy(to, place, sizeof place);
    std::memcpy(to + sizeof place, node.sum.data(), size_ * sizeof(double));
    to += node_bytes;
  }
  return bytes;
}

void Subtrees::append_packed(const Ranks::Bytes& bytes) {
  const std::size_t node_bytes = 2 * sizeof(std::uint64_t) + size_ * sizeof(double);
  if (bytes.size() % node_bytes != 0) {
    fail(ErrorKind::failed_run, "Processes that train together have networks of different sizes.");
  }
  std::vector<double> sum(size_);
  for (std::size_t at = 0; at < bytes.size(); at += node_bytes) {
    std::uint64_t place[2];
    std::memcpy(place, bytes.data() + at, sizeof place);
    std::memcpy(sum.data(), bytes.data() + at + sizeof place, size_ * sizeof(double));
    append(place[0], place[1], sum);
  }
}

std::vector<double> Subtrees::add_up(Ranks& ranks) const {
  Subtrees all(size_);
  all.append_packed(ranks.combine(pack(), [this](Ranks::Bytes& left, Ranks::Bytes&& right) {
    Subtrees both(size_);
    both.append_packed(left);
    both.append_packed(right);
    left = both.pack();
  }));
  std::vector<double> total(size_, 0.0);
  if (all.nodes_.empty()) return total;
  // The remaining subtrees have decreasing sizes; the tree adds them from the small end.
  total = all.nodes_.back().sum;
  for (std::size_t k = all.nodes_.size() - 1; k-- > 0;) {
    accumulate(all.nodes_[k].sum, total);
    total = all.nodes_[k].sum;
  }
  return total;
}

}  // namespace knotwork
