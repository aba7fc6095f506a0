// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include <knotwork/random.hpp>

namespace knotwork {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c,
                                    std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * c[0];
    const std::uint64_t product1 = kMultiplier1 * c[2];
    c = {static_cast<std::uint32_t>(product1 >> 32) ^ c[1] ^ key[0],
         static_cast<std::uint32_t>(product1),
         static_cast<std::uint32_t>(product0 >> 32) ^ c[3] ^ key[1],
         static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return c;
}

namespace {

std::array<std::uint32_t, 4> block(std::uint64_t seed, Purpose purpose, std::uint64_t index) {
  return philox({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                 static_cast<std::uint32_t>(purpose), 0},
                {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}

std::uint64_t join(std::uint32_t high, std::uint32_t low) {
  return (std::uint64_t{high} << 32) | low;
}

double to_unit(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

// The upper half of a product of 128 bits. Compilers have such numbers only for 64-bit processors.
std::uint64_t high_half(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kLow = 0xffffffff;
  const std::uint64_t low = (a & kLow) * (b & kLow);
  const std::uint64_t first = (a >> 32) * (b & kLow) + (low >> 32);
  const std::uint64_t second = (a & kLow) * (b >> 32) + (first & kLow);
  return (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32);
}

}  // namespace

std::uint64_t Random::bits(std::uint64_t index) const {
  const auto words = block(seed_, purpose_, index);
  return join(words[0], words[1]);
}

double Random::uniform(std::uint64_t index) const {
  return to_unit(bits(index));
}

double Random::normal(std::uint64_t index) const {
  // Box-Muller on the two halves of one block; 1 - u avoids the logarithm of zero.
  const auto words = block(seed_, purpose_, index);
  const double radius = std::sqrt(-2.0 * std::log(1.0 - to_unit(join(words[0], words[1]))));
  return radius * std::cos(2.0 * std::numbers::pi * to_unit(join(words[2], words[3])));
}

std::uint64_t Random::below(std::uint64_t bound, std::uint64_t index) const {
  // Needs no division; the bias is below bound / 2^64.
  return high_half(bits(index), bound);
}

}  // namespace knotwork
