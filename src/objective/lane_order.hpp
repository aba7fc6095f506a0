// SPDX-License-Identifier: MIT
// LaneOrder is the order in which mini-batches take the rows of a lane, shuffled in every epoch.
//
// In sets of up to kManyRows rows a lane is shuffled as a whole. In larger sets the chunks of a
// lane are put into a random order, and rows are shuffled among the chunks of a group of some
// hundred thousand rows, so that an epoch reads a set that does not fit into memory at few places
// at a time. The choice depends on the number of rows alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace knotwork {

inline constexpr std::size_t kManyRows = std::size_t{1} << 20;
// Every leaf of a walk lies within one chunk.
inline constexpr std::size_t kChunkRows = 8192;
inline constexpr std::size_t kGroupChunks = 16;

// Batches are dealt from the lanes like cards, from each in proportion to its rows: the next row
// comes from the lane that has given the smallest share, (given + 1/2) / size, so far. If each lane
// were cut separately, all would be cut at the same places, and a small batch would contain one row
// of every lane or none. Sets given[k] to the number of rows that lane k has given when `dealt`
// rows were dealt.
void count_dealt(std::span<const std::size_t> sizes, std::size_t dealt,
                 std::span<std::size_t> given);

class LaneOrder {
 public:
  // Rows first .. last-1 of a set of `rows` rows.
  LaneOrder(std::size_t rows, std::size_t first, std::size_t last, std::uint64_t seed);

  void begin_epoch(std::uint64_t epoch);
  // Appends the rows at positions first .. last-1 of the order, where the lane's first position is
  // 0.
  void append(std::size_t first, std::size_t last, std::vector<std::size_t>& rows);

 private:
  std::size_t chunk_size(std::size_t chunk) const;
  void shuffle_chunks();
  void shuffle_group(std::size_t group);

  std::size_t rows_, first_, last_;
  std::size_t chunk_rows_;
  std::uint64_t seed_;
  std::uint64_t epoch_ = 0;
  std::vector<std::size_t> chunks_;        // in shuffled order
  std::vector<std::size_t> group_begins_;  // positions, and the end of the last group
  std::size_t group_ = 0;                  // its rows are in order_, unless order_ is empty
  std::vector<std::size_t> order_;
};

}  // namespace knotwork
