// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace knotwork {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

// The part of some memory that is whole large pages; empty if there is none.
std::span<std::byte> whole_huge_pages(void* memory, std::size_t bytes);

// Asks for large pages (2 MiB) under the whole ones of them in this memory, which is about to be
// filled: entering pages of 4 KiB one by one takes longer than writing them. A wish only; what the
// memory holds and how it is freed do not change. Name no more memory than will be used, since a
// page counts as used from the first byte written to it.
void prefer_huge_pages(void* memory, std::size_t bytes);

}  // namespace knotwork
