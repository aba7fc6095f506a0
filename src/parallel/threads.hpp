// SPDX-License-Identifier: MIT
// Locks, and work that another thread does meanwhile.
//
// A build with KNOTWORK_WITH_THREADS=OFF is for platforms without threads and defines
// KNOTWORK_NO_THREADS: locks do nothing there, and whoever needs the result of some work does it.
// Results are the same bits. This header and thread_pool.cpp are the only ones that tell the two
// builds apart, and the only ones of the library that include what the standard has for threads.
#pragma once

#if !defined(KNOTWORK_NO_THREADS)

#include <future>
#include <mutex>
#include <utility>

namespace knotwork::parallel {

using Mutex = std::mutex;
using Lock = std::lock_guard<std::mutex>;

// Holds the mutex unless another thread has it.
class TryLock {
 public:
  explicit TryLock(Mutex& mutex) : lock_(mutex, std::try_to_lock) {}
  explicit operator bool() const { return lock_.owns_lock(); }

 private:
  std::unique_lock<Mutex> lock_;
};

// Done by another thread if one can be had, otherwise by finish(). Whoever destroys it waits for
// that thread.
class WorkAside {
 public:
  WorkAside() = default;
  template <class Work>
  explicit WorkAside(Work work)
      : future_(std::async(std::launch::async | std::launch::deferred, std::move(work))) {}
  // Returns when the work is done and throws what the work has thrown, as often as it is called.
  void finish() {
    if (future_.valid()) future_.get();
  }

 private:
  std::shared_future<void> future_;
};

}  // namespace knotwork::parallel

#else

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

 private:
  std::function<void()> work_;
  std::exception_ptr error_;
};

}  // namespace knotwork::parallel

#endif
