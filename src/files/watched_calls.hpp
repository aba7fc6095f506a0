// SPDX-License-Identifier: MIT
// WatchedCalls are system calls that a Monitor can end: they never wait long without asking it.
//
// A process may wait forever for another process when it reads from a silent pipe, writes to a full
// pipe, or opens a pipe that no other process has open. A signal ends the wait only if it reaches
// the waiting thread during the wait, not just before it. Therefore these calls wait in short
// intervals.
#pragma once

#include <optional>

#include "files/system_calls.hpp"

#include <knotwork/monitor.hpp>

namespace knotwork::files {

// When the monitor is asked for a stop.
enum class Hearing {
  always,   // before every read and write
  waiting,  // only when no bytes move for a tenth of a second; possible writes are completed
};

// May be used by several threads.
class WatchedCalls final : public SystemCalls {
 public:
  // Both must outlive this object.
  WatchedCalls(const Monitor& monitor, Hearing hearing, SystemCalls& calls)
      : monitor_(monitor), hearing_(hearing), calls_(calls) {}

  // These functions throw an Error of kind `stopped`. Opened files wait as usual afterwards.
  int open(const char* path, int flags, mode_t mode) override;
  ssize_t read(int descriptor, void* bytes, std::size_t size) override;
  ssize_t write(int descriptor, const void* bytes, std::size_t size) override;
  ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t offset) override;
  ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset) override;

  // Calls that finish or clean up cannot be stopped.
  int fchmod(int descriptor, mode_t mode) override { return calls_.fchmod(descriptor, mode); }
  int fsync(int descriptor) override { return calls_.fsync(descriptor); }
  int close(int descriptor) override { return calls_.close(descriptor); }
  int rename(const char* from, const char* to) override { return calls_.rename(from, to); }
  int unlink(const char* path) override { return calls_.unlink(path); }

 private:
  int open_for_writing(const char* path, int flags, mode_t mode);
  void ask() const;
  void wait_for(int descriptor, short event) const;

  const Monitor& monitor_;
  Hearing hearing_;
  SystemCalls& calls_;
};

// While this object exists, the calls of its thread are watched, unless the monitor is null.
class WatchedFiles {
 public:
  explicit WatchedFiles(const Monitor* monitor, Hearing hearing = Hearing::always);

 private:
  std::optional<WatchedCalls> calls_;
  std::optional<ReplacedSystemCalls> replaced_;
};

}  // namespace knotwork::files
