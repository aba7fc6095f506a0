// SPDX-License-Identifier: MIT
#include "counting.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> allocations = 0;
std::atomic<std::size_t> largest = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  std::size_t before = largest;
  while (size > before && !largest.compare_exchange_weak(before, size)) {
  }
  void* const memory =
      std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

// Not inlined; otherwise the compiler would report a plain free() as a mismatch.
[[gnu::noinline]] void release(void* memory) {
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
// std::stable_sort allocates in this way; sanitizers have their own version, which does not match
// ours.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
  return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
} catch (const std::bad_alloc&) {
  return nullptr;
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}

namespace knotwork {

std::size_t allocations_so_far() {
  return allocations;
}

std::size_t take_largest_allocation() {
  return largest.exchange(0);
}

}  // namespace knotwork
