// SPDX-License-Identifier: MIT
#include "files/watched_calls.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "parallel/watched_work.hpp"

namespace knotwork::files {
namespace {

constexpr int kPieceMilliseconds = 20;

// A wait in short intervals, which asks a Monitor after each interval.
class Wait {
 public:
  Wait(const Monitor& monitor, Hearing hearing)
      : monitor_(monitor), patience_(hearing == Hearing::always ? 0 : 100) {}

  // Call after each interval.
  void ask() const {
    if (std::chrono::steady_clock::now() - begin_ >= patience_) parallel::check_stop(&monitor_);
  }

 private:
  const Monitor& monitor_;
  const std::chrono::milliseconds patience_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

bool is_pipe(int descriptor) {
  struct stat status;
  return ::fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode);
}

bool is_pipe(const char* path) {
  struct stat status;
  return ::stat(path, &status) == 0 && S_ISFIFO(status.st_mode);
}

bool is_file(int descriptor) {
  struct stat status;
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

void let_wait(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags >= 0) ::fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
}

}  // namespace

void WatchedCalls::ask() const {
  if (hearing_ == Hearing::always) parallel::check_stop(&monitor_);
}

// Waits until the next call will not wait, as far as that is known.
void WatchedCalls::wait_for(int descriptor, short event) const {
  const Wait wait(monitor_, hearing_);
  pollfd one{descriptor, event, 0};
  for (int ready = 0; (ready = ::poll(&one, 1, kPieceMilliseconds)) <= 0;) {
    if (ready < 0 && errno != EINTR) return;  // the call itself will report the error
    wait.ask();
  }
}

int WatchedCalls::open(const char* path, int flags, mode_t mode) {
  // A folder is flushed after its file was replaced, when it is too late to stop.
  if ((flags & O_DIRECTORY) != 0) return calls_.open(path, flags, mode);
  ask();
  const int access = flags & O_ACCMODE;
  if ((flags & O_CREAT) != 0 || access == O_RDWR) {
    return calls_.open(path, flags, mode);
  }
  if (access == O_WRONLY) return open_for_writing(path, flags, mode);
  const int descriptor = calls_.open(path, flags | O_NONBLOCK, mode);
  if (descriptor < 0) return descriptor;
  try {
    // Like an open() that waits for a writer.
    if (is_pipe(descriptor)) wait_for(descriptor, POLLIN);
  } catch (...) {
    calls_.close(descriptor);
    throw;
  }
  let_wait(descriptor);
  return descriptor;
}

int WatchedCalls::open_for_writing(const char* path, int flags, mode_t mode) {
  const Wait wait(monitor_, hearing_);
  while (true) {
    const int descriptor = calls_.open(path, flags | O_NONBLOCK, mode);
    if (descriptor >= 0) {
      let_wait(descriptor);
      return descriptor;
    }
    // For a pipe this error means that nobody reads it yet.
    if (errno != ENXIO || !is_pipe(path)) return descriptor;
    ::poll(nullptr, 0, kPieceMilliseconds);
    wait.ask();
  }
}

ssize_t WatchedCalls::read(int descriptor, void* bytes, std::size_t size) {
  ask();
  wait_for(descriptor, POLLIN);
  return calls_.read(descriptor, bytes, size);
}

ssize_t WatchedCalls::write(int descriptor, const void* bytes, std::size_t size) {
  ask();
  if (is_file(descriptor)) return calls_.write(descriptor, bytes, size);
  wait_for(descriptor, POLLOUT);
  // A pipe that accepts bytes at all has room for this many.
  return calls_.write(descriptor, bytes, std::min<std::size_t>(size, PIPE_BUF));
}

ssize_t WatchedCalls::pread(int descriptor, void* bytes, std::size_t size, off_t offset) {
  ask();
  return calls_.pread(descriptor, bytes, size, offset);
}

ssize_t WatchedCalls::pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset) {
  ask();
  return calls_.pwrite(descriptor, bytes, size, offset);
}

WatchedFiles::WatchedFiles(const Monitor* monitor, Hearing hearing) {
  if (!monitor) return;
  calls_.emplace(*monitor, hearing, system_calls());
  replaced_.emplace(*calls_);
}

}  // namespace knotwork::files
