// SPDX-License-Identifier: MIT
#include "base/sha256.hpp"

#include <algorithm>

namespace knotwork {
namespace {

Sha256Blocks fastest_blocks() {
  static const Sha256Blocks own = sha256_blocks_of_processor();
  return own != nullptr ? own : &sha256_blocks_plain;
}

}  // namespace

Sha256::Sha256() : Sha256(fastest_blocks()) {}

void Sha256::update(std::span<const std::uint8_t> bytes) {
  const auto held = static_cast<std::size_t>(size_ % kSha256BlockSize);
  size_ += bytes.size();
  if (held > 0) {
    const std::size_t taken = std::min(bytes.size(), kSha256BlockSize - held);
    std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(held));
    bytes = bytes.subspan(taken);
    if (held + taken < kSha256BlockSize) return;
    blocks_(state_, rest_.data(), 1);
  }
  const std::size_t blocks = bytes.size() / kSha256BlockSize;
  if (blocks > 0) blocks_(state_, bytes.data(), blocks);
  bytes = bytes.subspan(blocks * kSha256BlockSize);
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
}

std::string Sha256::hex_digest() {
  // A bit of 1, bits of 0 up to 8 bytes before the end of a block, and the number of bits.
  const std::uint64_t bits = size_ * 8;
  constexpr std::size_t kSizeAt = kSha256BlockSize - sizeof bits;
  const auto held = static_cast<std::size_t>(size_ % kSha256BlockSize);
  std::array<std::uint8_t, kSha256BlockSize + sizeof bits> padding = {0x80};
  const std::size_t zeros_end = held < kSizeAt ? kSizeAt - held : kSizeAt + kSha256BlockSize - held;
  for (std::size_t k = 0; k < sizeof bits; ++k) {
    padding[zeros_end + k] = static_cast<std::uint8_t>(bits >> (56U - 8U * k));
  }
  update({padding.data(), zeros_end + sizeof bits});

  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const std::uint32_t word : state_) {
    for (unsigned shift = 32; shift > 0;) hex += kDigits[word >> (shift -= 4) & 0xfU];
  }
  return hex;
}

}  // namespace knotwork
