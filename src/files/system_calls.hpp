// SPDX-License-Identifier: MIT
// SystemCalls are the system calls for reading and writing files, as virtual functions, so that
// tests can let each of them fail: a full or broken disk is hard to provide otherwise.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstddef>

namespace knotwork::files {

// Like the system calls of these names: -1 and errno on failure. The base class makes the real
// calls.
class SystemCalls {
 public:
  SystemCalls() = default;
  SystemCalls(const SystemCalls&) = delete;
  SystemCalls& operator=(const SystemCalls&) = delete;
  virtual ~SystemCalls() = default;

  virtual int open(const char* path, int flags, mode_t mode);
  virtual ssize_t read(int descriptor, void* bytes, std::size_t size);
  virtual ssize_t write(int descriptor, const void* bytes, std::size_t size);
  virtual ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t offset);
  virtual ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset);
  virtual int fchmod(int descriptor, mode_t mode);
  virtual int fsync(int descriptor);
  virtual int close(int descriptor);
  virtual int rename(const char* from, const char* to);
  virtual int unlink(const char* path);
};

// The calls that this thread uses: the real ones unless ReplacedSystemCalls changed them.
SystemCalls& system_calls();

// While this object exists, its thread uses other calls: the calls of a test, or of the thread for
// which it works.
class ReplacedSystemCalls {
 public:
  explicit ReplacedSystemCalls(SystemCalls& calls);
  ~ReplacedSystemCalls();
  ReplacedSystemCalls(const ReplacedSystemCalls&) = delete;
  ReplacedSystemCalls& operator=(const ReplacedSystemCalls&) = delete;

 private:
  SystemCalls* before_;
};

// Repeats a call that a signal interrupted.
auto without_interruptions(const auto& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace knotwork::files
