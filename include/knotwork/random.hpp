// SPDX-License-Identifier: MIT
// A Random gives random numbers as a pure function of (seed, purpose, index).
//
// The generator is Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// 2011). It encrypts a counter, so number `index` of a purpose can be computed without its
// predecessors, and no result depends on the order of the work. Known value: with key and counter
// zero the first word is 0x6627e8d5.
#pragma once

#include <array>
#include <cstdint>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>

namespace knotwork {

// The use of a random number. Values are part of the file and seed contract: never renumber.
enum class Purpose : std::uint32_t {
  test_split = 1,
  validation_split = 2,
  folds = 3,
  weights = 4,
  noise_choice = 5,
  noise_value = 6,
  batches = 7,
  builtin_inputs = 8,
  builtin_noise = 9,
  gradient_check = 10,
  members = 11,
  search_draws = 12,
  dropout = 13,
  bank = 14,
  importance = 15,
  row_sample = 16,
  quantile_sample = 17,
  batch_chunks = 18,
  target_means = 19,
};
template <>
struct EnumNames<Purpose> {
  static constexpr EnumFamily family{"purpose"};
  static constexpr EnumName<Purpose> all[] = {
      {Purpose::test_split, "test_split"},
      {Purpose::validation_split, "validation_split"},
      {Purpose::folds, "folds"},
      {Purpose::weights, "weights"},
      {Purpose::noise_choice, "noise_choice"},
      {Purpose::noise_value, "noise_value"},
      {Purpose::batches, "batches"},
      {Purpose::builtin_inputs, "builtin_inputs"},
      {Purpose::builtin_noise, "builtin_noise"},
      {Purpose::gradient_check, "gradient_check"},
      {Purpose::members, "members"},
      {Purpose::search_draws, "search_draws"},
      {Purpose::dropout, "dropout"},
      {Purpose::bank, "bank"},
      {Purpose::importance, "importance"},
      {Purpose::row_sample, "row_sample"},
      {Purpose::quantile_sample, "quantile_sample"},
      {Purpose::batch_chunks, "batch_chunks"},
      {Purpose::target_means, "target_means"},
  };
};

KNOTWORK_API std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                                 std::array<std::uint32_t, 2> key);

class KNOTWORK_API Random {
 public:
  Random(std::uint64_t seed, Purpose purpose) : seed_(seed), purpose_(purpose) {}

  std::uint64_t bits(std::uint64_t index) const;
  double uniform(std::uint64_t index) const;  // in [0, 1), 53 bits
  double normal(std::uint64_t index) const;   // N(0, 1)
  // Uniform over 0 .. bound-1; bound must not be 0.
  std::uint64_t below(std::uint64_t bound, std::uint64_t index) const;

 private:
  std::uint64_t seed_;
  Purpose purpose_;
};

}  // namespace knotwork
