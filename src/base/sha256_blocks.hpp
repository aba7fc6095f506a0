// SPDX-License-Identifier: MIT
// These functions are the compression function of SHA-256 (FIPS 180-4, section 6.2.2) over whole
// blocks of 64 bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace knotwork {

constexpr std::size_t kSha256BlockSize = 64;
using Sha256State = std::array<std::uint32_t, 8>;

// All versions give the same state.
using Sha256Blocks = void (*)(Sha256State& state, const std::uint8_t* bytes, std::size_t blocks);
void sha256_blocks_plain(Sha256State& state, const std::uint8_t* bytes, std::size_t blocks);

// The version that uses the processor's SHA-256 instructions; null if it has none.
Sha256Blocks sha256_blocks_of_processor();

}  // namespace knotwork
