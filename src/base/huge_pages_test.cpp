// SPDX-License-Identifier: MIT
#include "base/huge_pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace knotwork {
namespace {

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
