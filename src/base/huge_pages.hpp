// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace knotwork {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

// The part of the memory that consists of whole large pages; empty if there is none.
std::span<std::byte> whole_huge_pages(void* memory, std::size_t bytes);

// Asks the system for large pages (2 MiB) for this memory, which is about to be filled: mapping
// pages of 4 KiB one by one takes longer than writing them. This is only a request; the contents of
// the memory and how it is freed do not change. Pass only memory that will be used, because a large
// page counts as used from the first byte written to it.
void prefer_huge_pages(void* memory, std::size_t bytes);

}  // namespace knotwork
