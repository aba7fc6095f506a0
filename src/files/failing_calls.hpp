// SPDX-License-Identifier: MIT
// Calls of the system of which one fails: the k-th, for every k in turn.
#pragma once

#include <algorithm>

#include "base/system_calls.hpp"

namespace knotwork {

enum class Fault {
  error,         // the call fails
  interruption,  // by a signal; it is to be made again
  part,          // reads and writes only a byte
  full_disk,     // from this call on nothing can be opened, written, flushed or renamed
};

class FailingCalls : public SystemCalls {
 public:
  // The first call is number 1; `error` is what errno then says.
  FailingCalls(Fault fault, std::size_t number, int error)
      : fault_(fault), number_(number), error_(error) {}

  bool has_failed() const { return calls_ >= number_; }
  // Descriptors that were opened and not yet closed.
  int still_open() const { return open_; }

  int open(const char* path, int flags, mode_t mode) override {
    if (fails()) return -1;
    const int descriptor = SystemCalls::open(path, flags, mode);
    if (descriptor >= 0) ++open_;
    return descriptor;
  }
  ssize_t read(int descriptor, void* bytes, std::size_t size) override {
    if (fails()) return -1;
    return SystemCalls::read(descriptor, bytes, is_part() ? std::min<std::size_t>(size, 1) : size);
  }
  ssize_t write(int descriptor, const void* bytes, std::size_t size) override {
    if (fails()) return -1;
    return SystemCalls::write(descriptor, bytes, is_part() ? std::min<std::size_t>(size, 1) : size);
  }
  ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t offset) override {
    if (fails()) return -1;
    return SystemCalls::pread(descriptor, bytes, is_part() ? std::min<std::size_t>(size, 1) : size,
                              offset);
  }
  ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset) override {
    if (fails()) return -1;
    return SystemCalls::pwrite(descriptor, bytes, is_part() ? std::min<std::size_t>(size, 1) : size,
                               offset);
  }
  int fchmod(int descriptor, mode_t mode) override {
    return fails() ? -1 : SystemCalls::fchmod(descriptor, mode);
  }
  int fsync(int descriptor) override { return fails() ? -1 : SystemCalls::fsync(descriptor); }
  int rename(const char* from, const char* to) override {
    return fails() ? -1 : SystemCalls::rename(from, to);
  }
  // What clears up works on a full disk too. A descriptor is gone even if close() complains.
  int close(int descriptor) override {
    --open_;
    const int result = SystemCalls::close(descriptor);
    return fault_ == Fault::error && fails() ? -1 : result;
  }
  int unlink(const char* path) override { return SystemCalls::unlink(path); }

 private:
  // Counts this call.
  bool fails() {
    ++calls_;
    const bool now = fault_ == Fault::full_disk ? calls_ >= number_ : calls_ == number_;
    if (!now || fault_ == Fault::part) return false;
    errno = fault_ == Fault::interruption ? EINTR : error_;
    return true;
  }
  bool is_part() const { return fault_ == Fault::part && calls_ == number_; }

  Fault fault_;
  std::size_t number_;
  int error_;
  std::size_t calls_ = 0;
  int open_ = 0;
};

}  // namespace knotwork
