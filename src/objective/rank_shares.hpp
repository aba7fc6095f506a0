// SPDX-License-Identifier: MIT
// RowShares says how the rows of a walk are divided and which rank computes which of them; the
// division does not depend on the number of threads and processes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include "objective/lane_order.hpp"

#include <knotwork/objective.hpp>

namespace knotwork {

struct RowRange {
  std::size_t first = 0, last = 0;
  std::size_t size() const { return last - first; }
  bool operator==(const RowRange&) const = default;
};

class RowShares {
 public:
  // In sets with many rows a share consists of whole chunks, whatever the leaves of the network
  // are, so that it can be read before there is a network and stays the same when the network
  // changes.
  RowShares(std::size_t rows, std::size_t leaf, std::size_t batch)
      : rows_(rows),
        unit_(rows > kManyRows ? kChunkRows : leaf),
        lanes_(batch > 0 ? batch_lanes(batch) : 0) {}

  std::size_t lanes() const { return lanes_; }
  // Contiguous rows in whole units.
  RowRange lane(std::size_t lane) const {
    return {at(units() * lane / lanes_), at(units() * (lane + 1) / lanes_)};
  }
  // The lanes that a rank computes.
  RowRange own_lanes(std::size_t rank, std::size_t ranks) const {
    return {lanes_ * rank / ranks, lanes_ * (rank + 1) / ranks};
  }
  // The rows that a rank computes: the rows of its lanes or, without batches, an equal share.
  RowRange own(std::size_t rank, std::size_t ranks) const {
    if (lanes_ > 0) {
      const RowRange mine = own_lanes(rank, ranks);
      return {at(units() * mine.first / lanes_), at(units() * mine.last / lanes_)};
    }
    // Shares begin at multiples of a power of two units, so that each consists of few subtrees.
    const std::size_t coarse = std::bit_floor(std::max<std::size_t>(1, units() / (32 * ranks)));
    const std::size_t pieces = (units() + coarse - 1) / coarse;
    return {at(pieces * rank / ranks * coarse), at(pieces * (rank + 1) / ranks * coarse)};
  }

 private:
  std::size_t units() const { return (rows_ + unit_ - 1) / unit_; }
  std::size_t at(std::size_t unit) const { return std::min(unit * unit_, rows_); }

  std::size_t rows_, unit_, lanes_;
};

}  // namespace knotwork
