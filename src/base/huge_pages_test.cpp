// SPDX-License-Identifier: MIT
#include "base/huge_pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace knotwork {
namespace {

TEST(HugePages, AreTheWholeOnesWithinTheMemory) {
  std::vector<char> bytes(std::size_t{9} << 20);
  for (const std::size_t start : {0u, 1u, 4096u, 3u << 20}) {
    for (const std::size_t less : {0u, 1u, 5000u, 2u << 20}) {
      char* const begin = bytes.data() + start;
      const std::size_t size = bytes.size() - start - less;
      const std::span<std::byte> pages = whole_huge_pages(begin, size);
      char* const first = reinterpret_cast<char*>(pages.data());
      ASSERT_FALSE(pages.empty());
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % kHugePage, 0u);
      EXPECT_EQ(pages.size() % kHugePage, 0u);
      EXPECT_GE(first, begin);
      EXPECT_LE(first + pages.size(), begin + size);
      // No whole large page is omitted on either side.
      EXPECT_LT(static_cast<std::size_t>(first - begin), kHugePage);
      EXPECT_LT(static_cast<std::size_t>(begin + size - first) - pages.size(), kHugePage);
    }
  }
  EXPECT_TRUE(whole_huge_pages(bytes.data(), 0).empty());
  EXPECT_TRUE(whole_huge_pages(bytes.data(), kHugePage - 1).empty());
}

TEST(HugePages, WhatTheMemoryHoldsStays) {
  std::vector<char> bytes(std::size_t{7} << 20, 'x');
  for (const std::size_t start : {0u, 1u, 4096u, 3u << 20}) {
    for (const std::size_t less : {0u, 1u, 5000u, 2u << 20, 4u << 20}) {
      prefer_huge_pages(bytes.data() + start, bytes.size() - start - less);
    }
  }
  prefer_huge_pages(bytes.data(), 0);
  EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 'x'), std::ptrdiff_t{7} << 20);
}

}  // namespace
}  // namespace knotwork
