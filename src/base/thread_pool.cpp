// SPDX-License-Identifier: MIT
#include "base/thread_pool.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/fail.hpp"

namespace knotwork {

std::size_t ThreadPool::resolve(std::size_t threads) {
  return threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
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
    ++generation_;
  }
  wake_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void ThreadPool::serve(std::size_t worker, const std::stop_token& stop) {
  std::uint64_t seen = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [&] { return generation_ != seen; })) return;
      seen = generation_;
    }
    work(worker);
    std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
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
