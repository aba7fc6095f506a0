// SPDX-License-Identifier: MIT
// Ranks that exchange messages through MPI. Without a launcher there is one rank.
#pragma once

#include <knotwork/ranks.hpp>

namespace knotwork::cli {

// MPI runs as long as this object exists; a program can create it only once.
class MpiRanks final : public Ranks {
 public:
  // MPI counts bytes with an int, so longer messages are sent in several pieces of this size.
  static constexpr std::size_t kPiece = std::size_t{1} << 30;
  explicit MpiRanks(std::size_t piece = kPiece);
  ~MpiRanks() override;

 private:
  struct Place {
    std::size_t size, rank;
  };
  static Place start();
  MpiRanks(Place place, std::size_t piece);

  void send(std::size_t to, const Bytes& message) override;
  Bytes receive(std::size_t from) override;

  std::size_t piece_;
};

}  // namespace knotwork::cli
