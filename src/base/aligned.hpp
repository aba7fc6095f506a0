// SPDX-License-Identifier: MIT
// AlignedVector is memory on cache-line boundaries, padded so that kernels work on whole vectors
// only.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace knotwork {

inline constexpr std::size_t kAlignment = 64;
// Blocks are padded to this many samples: whole vectors of every instruction set, float or double,
// so that a row predicted alone goes through the same operations as in a batch.
inline constexpr std::size_t kLanes = 16;

constexpr std::size_t padded(std::size_t n) {
  return (n + kLanes - 1) / kLanes * kLanes;
}

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{kAlignment}));
  }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t{kAlignment}); }
  template <class U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace knotwork
