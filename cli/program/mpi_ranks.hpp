// SPDX-License-Identifier: MIT
// Ranks whose messages MPI carries. Without a launcher there is one.
#pragma once

#include <knotwork/ranks.hpp>

namespace knotwork::cli {

// From its making to its end MPI runs; a program can have one, once.
class MpiRanks final : public Ranks {
 public:
  // MPI counts bytes by an int: longer messages are sent in pieces of so many, one after the other.
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
