// SPDX-License-Identifier: MIT
#include "base/sha256.hpp"

#include <gtest/gtest.h>

#include <vector>

#if defined(KNOTWORK_TEST_OPENSSL)
#include <openssl/evp.h>
#endif

namespace knotwork {
namespace {

using Bytes = std::vector<std::uint8_t>;

// The plain version and, if there is one, the processor's version.
std::vector<Sha256Blocks> versions() {
  std::vector<Sha256Blocks> all = {&sha256_blocks_plain};
  if (const Sha256Blocks own = sha256_blocks_of_processor()) all.push_back(own);
  return all;
}

Bytes bytes_of(std::string_view text) {
  return {text.begin(), text.end()};
}

// Bytes without repetition.
Bytes some_bytes(std::size_t size) {
  Bytes bytes(size);
  std::uint32_t state = 1;
  for (std::uint8_t& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(state >> 24U);
  }
  return bytes;
}

std::string hash(Sha256Blocks blocks, std::span<const std::uint8_t> bytes, std::size_t cut = 0) {
  Sha256 sha(blocks);
  sha.update(bytes.first(cut));
  sha.update(bytes.subspan(cut));
  return sha.hex_digest();
}

// Examples of FIPS 180-2, appendix B, and the empty message.
TEST(Sha256, KnownDigests) {
  const std::string_view two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  for (const Sha256Blocks blocks : versions()) {
    EXPECT_EQ(hash(blocks, {}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hash(blocks, bytes_of("abc")),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hash(blocks, bytes_of(two_blocks)),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(hash(blocks, Bytes(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }
}

TEST(Sha256, PiecesGiveTheHashOfTheWhole) {
  const Bytes bytes = some_bytes(300);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const std::span<const std::uint8_t> part(bytes.data(), size);
    const std::string whole = hash(&sha256_blocks_plain, part);
    for (const Sha256Blocks blocks : versions()) {
      for (std::size_t cut = 0; cut <= size; ++cut) {
        ASSERT_EQ(hash(blocks, part, cut), whole) << size << " bytes cut at " << cut;
      }
    }
  }
}

TEST(Sha256, ManySmallPiecesGiveTheHashOfTheWhole) {
  const Bytes bytes = some_bytes(1000);
  Sha256 sha;
  for (const std::uint8_t byte : bytes) sha.update({&byte, 1});
  EXPECT_EQ(sha.hex_digest(), hash(&sha256_blocks_plain, bytes));
}

TEST(Sha256, StartsAnywhereInMemory) {
  const Bytes bytes = some_bytes(600);
  for (std::size_t start = 0; start < 16; ++start) {
    const Bytes copy(bytes.begin() + static_cast<std::ptrdiff_t>(start), bytes.end());
    for (const Sha256Blocks blocks : versions()) {
      EXPECT_EQ(hash(blocks, std::span(bytes).subspan(start)), hash(&sha256_blocks_plain, copy));
    }
  }
}

#if defined(KNOTWORK_TEST_OPENSSL)
TEST(Sha256, IsThatOfOpenSsl) {
  const Bytes bytes = some_bytes(5000);
  for (std::size_t size = 0; size <= bytes.size(); size += size < 300 ? 1 : 97) {
    std::array<unsigned char, 32> digest = {};
    ASSERT_EQ(EVP_Digest(bytes.data(), size, digest.data(), nullptr, EVP_sha256(), nullptr), 1);
    std::string expected;
    for (const unsigned char byte : digest) {
      expected += "0123456789abcdef"[byte >> 4U];
      expected += "0123456789abcdef"[byte & 0xfU];
    }
    for (const Sha256Blocks blocks : versions()) {
      ASSERT_EQ(hash(blocks, {bytes.data(), size}), expected) << size << " bytes";
    }
  }
}
#endif

}  // namespace
}  // namespace knotwork
