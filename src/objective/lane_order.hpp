// SPDX-License-Identifier: MIT
// In which order mini-batches take the rows of a lane: shuffled anew in every epoch.
//
// In sets of up to kManyRows rows a lane is shuffled as a whole. In larger ones its chunks are put
// into a random order, and rows are shuffled among the chunks of a group, some hundred thousand
// rows: an epoch then goes through a set that does not fit into memory at few places at a time.
// Which of the two depends on the number of rows alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace knotwork {

inline constexpr std::size_t kManyRows = std::size_t{1} << 20;
// Every leaf of a walk lies within one.
inline constexpr std::size_t kChunkRows = 8192;
inline constexpr std::size_t kGroupChunks = 16;

// Batches are dealt from the lanes like cards, from each in proportion to its rows: the next row
// comes from the lane that has given the smallest share, (given + 1/2) / size, so far. Were each
// lane cut by itself, all would be cut at the same places, and small batches would hold a row of
// each or none. given[k] becomes what lane k has given when so many rows were dealt.
void count_dealt(std::span<const std::size_t> sizes, std::size_t dealt,
                 std::span<std::size_t> given);

class LaneOrder {
 public:
  // Rows first .. last-1 of a set of so many.
  LaneOrder(std::size_t rows, std::size_t first, std::size_t last, std::uint64_t seed);

  void begin_epoch(std::uint64_t epoch);
  // Appends the rows at places first .. last-1 of the order, the lane's first place being 0.
  void append(std::size_t first, std::size_t last, std::vector<std::size_t>& rows);

 private:
  std::size_t chunk_size(std::size_t chunk) const;
  void shuffle_chunks();
  void shuffle_group(std::size_t group);

  std::size_t rows_, first_, last_;
  std::size_t chunk_rows_;
  std::uint64_t seed_;
  std::uint64_t epoch_ = 0;
  std::vector<std::size_t> chunks_;        // in their order
  std::vector<std::size_t> group_begins_;  // places, and the end of the last group
  std::size_t group_ = 0;                  // whose rows are in order_, if it is not empty
  std::vector<std::size_t> order_;
};

}  // namespace knotwork
