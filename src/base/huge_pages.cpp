// SPDX-License-Identifier: MIT
#include "base/huge_pages.hpp"

#include <memory>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace knotwork {

std::span<std::byte> whole_huge_pages(void* memory, std::size_t bytes) {
  if (std::align(kHugePage, kHugePage, memory, bytes) == nullptr) return {};
  return {static_cast<std::byte*>(memory), bytes / kHugePage * kHugePage};
}

void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  const std::span<std::byte> pages = whole_huge_pages(memory, bytes);
  // Fails where the system has no large pages; nothing else changes then.
  if (!pages.empty()) static_cast<void>(::madvise(pages.data(), pages.size(), MADV_HUGEPAGE));
#endif
}

}  // namespace knotwork
