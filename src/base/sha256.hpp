// SPDX-License-Identifier: MIT
// Sha256 computes SHA-256 (FIPS 180-4) of bytes that arrive in pieces.
//
// It uses the fastest version that the processor supports; see docs/decisions/0016-own-sha-256.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <knotwork/api.hpp>

#include "base/sha256_blocks.hpp"

namespace knotwork {

// (Exported for Knotwork::tools.)
class KNOTWORK_API Sha256 {
 public:
  Sha256();
  // For tests: uses the given version from sha256_blocks.hpp.
  explicit Sha256(Sha256Blocks blocks) : blocks_(blocks) {}
  void update(std::span<const std::uint8_t> bytes);
  std::string hex_digest();  // 64 lower-case digits; ends the computation

 private:
  Sha256Blocks blocks_;
  // The first 32 bits of the fractional parts of the square roots of the first 8 primes.
  Sha256State state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, kSha256BlockSize> rest_ = {};  // bytes of an incomplete block
  std::uint64_t size_ = 0;                                // of all bytes so far
};

}  // namespace knotwork
