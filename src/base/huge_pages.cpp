// SPDX-License-Identifier: MIT
#include "base/huge_pages.hpp"

#ifdef __linux__
#include <sys/mman.h>

#include <memory>
#endif

namespace knotwork {

#ifdef __linux__
void prefer_huge_pages(void* memory, std::size_t bytes) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  if (std::align(kHugePage, kHugePage, memory, bytes) == nullptr) return;
  // Refused where the system has no such pages; then all is as without the wish.
  static_cast<void>(::madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE));
}
#else
void prefer_huge_pages(void*, std::size_t) {}
#endif

}  // namespace knotwork
