// SPDX-License-Identifier: MIT
// FailingCalls are system calls that work until the k-th call, which fails; tests try every k.
#pragma once

#include <algorithm>
#include <atomic>

#include "files/system_calls.hpp"

namespace knotwork::files {

enum class Fault {
  error,         // the call fails
  interruption,  // by a signal; the call must be repeated
  part,          // reads and writes only one byte
  full_disk,     // from this call on, no file can be opened, written, flushed or renamed
};

class FailingCalls : public SystemCalls {
 public:
  // The first call has number 1; the failed call sets errno to `error`.
  FailingCalls(Fault fault, std::size_t number, int error)
      : fault_(fault), number_(number), error_(error) {}

  bool has_failed() const { return calls_ >= number_; }
  // Descriptors that were opened and not closed yet.
  int still_open() const { return open_; }

  int open(const char* path, int flags, mode_t mode) override {
    if (count().fails) return -1;
    const int descriptor = SystemCalls::open(path, flags, mode);
    if (descriptor >= 0) ++open_;
    return descriptor;
  }
  ssize_t read(int descriptor, void* bytes, std::size_t size) override {
    const Outcome call = count();
    return call.fails ? -1 : SystemCalls::read(descriptor, bytes, call.most(size));
  }
  ssize_t write(int descriptor, const void* bytes, std::size_t size) override {
    const Outcome call = count();
    return call.fails ? -1 : SystemCalls::write(descriptor, bytes, call.most(size));
  }
  ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t offset) override {
    const Outcome call = count();
    return call.fails ? -1 : SystemCalls::pread(descriptor, bytes, call.most(size), offset);
  }
  ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset) override {
    const Outcome call = count();
    return call.fails ? -1 : SystemCalls::pwrite(descriptor, bytes, call.most(size), offset);
  }
  int fchmod(int descriptor, mode_t mode) override {
    return count().fails ? -1 : SystemCalls::fchmod(descriptor, mode);
  }
  int fsync(int descriptor) override { return count().fails ? -1 : SystemCalls::fsync(descriptor); }
  int rename(const char* from, const char* to) override {
    return count().fails ? -1 : SystemCalls::rename(from, to);
  }
  // Calls that clean up work on a full disk too. A descriptor is released even if close() fails.
  int close(int descriptor) override {
    --open_;
    const int result = SystemCalls::close(descriptor);
    return fault_ == Fault::error && count().fails ? -1 : result;
  }
  int unlink(const char* path) override { return SystemCalls::unlink(path); }

 private:
  struct Outcome {
    bool fails = false;
    bool part = false;
    std::size_t most(std::size_t size) const {
      return part ? std::min<std::size_t>(size, 1) : size;
    }
  };

  // Counts this call and says whether it fails.
  Outcome count() {
    const std::size_t call = ++calls_;
    const bool now = fault_ == Fault::full_disk ? call >= number_ : call == number_;
    if (!now) return {};
    if (fault_ == Fault::part) return {.fails = false, .part = true};
    errno = fault_ == Fault::interruption ? EINTR : error_;
    return {.fails = true, .part = false};
  }

  Fault fault_;
  std::size_t number_;
  int error_;
  // Atomic, because the code that writes a file may use several threads.
  std::atomic<std::size_t> calls_ = 0;
  std::atomic<int> open_ = 0;
};

}  // namespace knotwork::files
