// SPDX-License-Identifier: MIT
// This header has locks, and WorkAside for work that another thread does in the meantime.
//
// A build with KNOTWORK_WITH_THREADS=OFF is for platforms without threads and defines
// KNOTWORK_NO_THREADS: locks then do nothing, and the caller does the work when it needs the
// result. Results are the same bits. Only this header and thread_pool.cpp distinguish the two
// builds, and only they include the standard library's headers for threads.
#pragma once

#if !defined(KNOTWORK_NO_THREADS)

#include <chrono>
#include <future>
#include <mutex>
#include <utility>

namespace knotwork::parallel {

using Mutex = std::mutex;
using Lock = std::lock_guard<std::mutex>;

// Locks the mutex unless another thread holds it.
class TryLock {
 public:
  explicit TryLock(Mutex& mutex) : lock_(mutex, std::try_to_lock) {}
  explicit operator bool() const { return lock_.owns_lock(); }

 private:
  std::unique_lock<Mutex> lock_;
};

// Another thread does the work if one can be started, otherwise finish() does. The destructor waits
// for that thread.
class WorkAside {
 public:
  WorkAside() = default;
  template <class Work>
  explicit WorkAside(Work work)
      : future_(std::async(std::launch::async | std::launch::deferred, std::move(work))) {}
  // Returns when the work is done; every call rethrows an exception of the work.
  void finish() {
    if (future_.valid()) future_.get();
  }
  // Like finish(), but waits at most `time` for the other thread. Returns whether the work is done.
  bool finish_within(std::chrono::milliseconds time) {
    if (future_.valid() && future_.wait_for(time) == std::future_status::timeout) return false;
    finish();
    return true;
  }

 private:
  std::shared_future<void> future_;
};

}  // namespace knotwork::parallel

#else

#include <chrono>
#include <exception>
#include <functional>
#include <utility>

namespace knotwork::parallel {

class Mutex {};

class Lock {
 public:
  explicit Lock(Mutex&) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

class TryLock {
 public:
  explicit TryLock(Mutex&) {}
  TryLock(const TryLock&) = delete;
  TryLock& operator=(const TryLock&) = delete;
  explicit operator bool() const { return true; }
};

class WorkAside {
 public:
  WorkAside() = default;
  template <class Work>
  explicit WorkAside(Work work) : work_(std::move(work)) {}
  void finish() {
    if (const auto work = std::exchange(work_, nullptr)) {
      try {
        work();
      } catch (...) {
        error_ = std::current_exception();
      }
    }
    if (error_) std::rethrow_exception(error_);
  }
  bool finish_within(std::chrono::milliseconds) {
    finish();
    return true;
  }

 private:
  std::function<void()> work_;
  std::exception_ptr error_;
};

}  // namespace knotwork::parallel

#endif
