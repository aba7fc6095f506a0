// SPDX-License-Identifier: MIT
#include "base/thread_pool.hpp"

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/fail.hpp"

namespace knotwork {
namespace {

// Offers the core to others each time: some ten microseconds if there are none.
template <class Condition>
bool comes_soon(const Condition& condition) {
  for (int look = 0; look < 100; ++look) {
    if (condition()) return true;
    std::this_thread::yield();
  }
  return condition();
}

}  // namespace

std::size_t ThreadPool::resolve(std::size_t threads) {
  if (threads != 0) return threads;
#if defined(__linux__)
  // Those that the process may run on, which launchers and batch systems restrict.
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&allowed)));
  }
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

ThreadPool::ThreadPool(std::size_t threads) {
  threads = resolve(threads);
  threads_.reserve(threads - 1);
  try {
    for (std::size_t worker = 1; worker < threads; ++worker) {
      threads_.emplace_back([this, worker](const std::stop_token& stop) { serve(worker, stop); });
    }
  } catch (const std::system_error& error) {
    fail(ErrorKind::failed_run, "{} threads could not be started: {}.", threads, error.what());
  }
}

// Threads must be gone before the members they wait on.
ThreadPool::~ThreadPool() {
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
}

void ThreadPool::run(std::size_t tasks, const Body& body) {
  if (threads_.empty() || tasks <= 1) {
    for (std::size_t task = 0; task < tasks; ++task) body(task, 0);
    return;
  }
  {
    std::lock_guard lock(mutex_);
    body_ = &body;
    tasks_ = tasks;
    next_.store(0, std::memory_order_relaxed);
    busy_ = threads_.size();
    ++generation_;  // publishes the list
  }
  wake_.notify_all();
  work(0);
  const auto all_done = [this] { return busy_ == 0; };
  comes_soon(all_done);
  std::unique_lock lock(mutex_);
  done_.wait(lock, all_done);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void ThreadPool::serve(std::size_t worker, const std::stop_token& stop) {
  std::uint64_t seen = 0;
  while (true) {
    const auto there_is_a_list = [&] { return generation_ != seen; };
    if (!comes_soon(there_is_a_list)) {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, there_is_a_list)) return;
    }
    seen = generation_;
    work(worker);
    if (--busy_ == 0) {
      std::lock_guard lock(mutex_);  // or the caller could miss it between looking and sleeping
      done_.notify_one();
    }
  }
}

void ThreadPool::work(std::size_t worker) {
  try {
    for (std::size_t task; (task = next_.fetch_add(1, std::memory_order_relaxed)) < tasks_;) {
      (*body_)(task, worker);
    }
  } catch (...) {
    next_.store(tasks_, std::memory_order_relaxed);
    std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

}  // namespace knotwork
