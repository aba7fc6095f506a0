// SPDX-License-Identifier: MIT
// Dice gives tests the same random numbers in every run.
#pragma once

#include <cstddef>
#include <cstdint>

#include <knotwork/random.hpp>

namespace knotwork {

// Gives one number after the other.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed, Purpose::search_draws) {}
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(random_.below(bound, index_++));
  }

 private:
  Random random_;
  std::uint64_t index_ = 0;
};

}  // namespace knotwork
