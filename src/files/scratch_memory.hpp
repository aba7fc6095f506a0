// SPDX-License-Identifier: MIT
// Room for numbers that may be more than memory holds: beyond a limit they live in a nameless file
// that is mapped. The system keeps of it in memory what it has room for.
//
// Files of others are never mapped (docs/decisions/0014). Nobody else can reach or shorten this
// one, and its whole length is reserved on the disk before it is used.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace knotwork::files {

struct MemoryLimit {
  std::size_t bytes;              // for one set of samples; more go into a file
  std::filesystem::path scratch;  // the folder for it; empty: that of the system
};

class ScratchMemory {
 public:
  // All zero. Throws failed_run when there is neither memory nor room on the disk.
  ScratchMemory(std::size_t bytes, const MemoryLimit& limit);
  ~ScratchMemory();
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;

  bool is_in_file() const { return in_file_; }
  // On the boundary of a page.
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
