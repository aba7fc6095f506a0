// SPDX-License-Identifier: MIT
// The calls of the system that reading and writing files rests on, so that tests can let each of
// them fail in turn: a full disk or a broken one cannot be had on demand.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstddef>

namespace knotwork::files {

// As the calls of the same name: -1 and errno when one fails. These are the real ones.
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

// The ones that this thread uses: the real ones, but for the test below.
SystemCalls& system_calls();

// While it lives, its thread uses other calls: those of a test, or of the thread that it works for.
class ReplacedSystemCalls {
 public:
  explicit ReplacedSystemCalls(SystemCalls& calls);
  ~ReplacedSystemCalls();
  ReplacedSystemCalls(const ReplacedSystemCalls&) = delete;
  ReplacedSystemCalls& operator=(const ReplacedSystemCalls&) = delete;

 private:
  SystemCalls* before_;
};

// Calls again when a signal came in between.
auto without_interruptions(const auto& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace knotwork::files
