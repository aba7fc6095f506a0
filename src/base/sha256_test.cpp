// SPDX-License-Identifier: MIT
#include "base/sha256.hpp"

#include <gtest/gtest.h>

namespace knotwork {
namespace {

std::string hash(std::string_view first, std::string_view second = {}) {
  Sha256 sha;
  for (std::string_view part : {first, second}) {
    sha.update({reinterpret_cast<const std::uint8_t*>(part.data()), part.size()});
  }
  return sha.hex_digest();
}

// Examples of FIPS 180-2.
TEST(Sha256, KnownDigests) {
  EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("a", "bc"), hash("abc"));
}

}  // namespace
}  // namespace knotwork
