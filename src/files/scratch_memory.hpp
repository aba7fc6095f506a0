// SPDX-License-Identifier: MIT
// ScratchMemory holds numbers that may need more space than there is memory: beyond a limit they
// are in a mapped file without a name, and the system keeps as much of this file in memory as it
// can.
//
// Files that other programs can change are never mapped (docs/decisions/0014). No other process can
// reach or truncate this file, and its whole length is reserved on the disk before it is used.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace knotwork::files {

struct MemoryLimit {
  std::size_t bytes;              // for one set of samples; larger sets go into a file
  std::filesystem::path scratch;  // the file's folder; empty: the system's folder
};

class ScratchMemory {
 public:
  // All bytes are zero. Throws failed_run when neither memory nor disk has enough space.
  ScratchMemory(std::size_t bytes, const MemoryLimit& limit);
  ~ScratchMemory();
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;

  // Aligned to a page.
  template <class T>
  std::span<T> numbers() const {
    return {static_cast<T*>(data_), bytes_ / sizeof(T)};
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
  bool in_file_;
};

}  // namespace knotwork::files
