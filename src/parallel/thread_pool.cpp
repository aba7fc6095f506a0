// SPDX-License-Identifier: MIT
#include "parallel/thread_pool.hpp"

#if !defined(KNOTWORK_NO_THREADS)
#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/fail.hpp"
#endif

namespace knotwork::parallel {

#if !defined(KNOTWORK_NO_THREADS)
namespace {

// Yields the core each time; takes some ten microseconds if no other thread needs it.
template <class Condition>
bool comes_soon(const Condition& condition) {
  for (int look = 0; look < 100; ++look) {
    if (condition()) return true;
    std::this_thread::yield();
  }
  return condition();
}

}  // namespace

class ThreadPool::Crew {
 public:
  // Starts workers 1 to `threads` - 1.
  explicit Crew(std::size_t threads) {
    threads_.reserve(threads - 1);
    try {
      for (std::size_t worker = 1; worker < threads; ++worker) {
        threads_.emplace_back([this, worker](const std::stop_token& stop) { serve(worker, stop); });
      }
    } catch (const std::system_error& error) {
      fail(ErrorKind::failed_run, "{} threads could not be started: {}.", threads, error.what());
    }
  }

  // The threads must end before the members they wait on are destroyed.
  ~Crew() {
    for (std::jthread& thread : threads_) thread.request_stop();
    threads_.clear();
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void run(std::size_t tasks, const Body& body) {
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

 private:
  void serve(std::size_t worker, const std::stop_token& stop) {
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
        std::lock_guard lock(mutex_);  // or the caller could miss it between checking and sleeping
        done_.notify_one();
      }
    }
  }

  void work(std::size_t worker) {
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

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable done_;
  const Body* body_ = nullptr;
  std::size_t tasks_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> busy_ = 0;          // workers that have not finished the current list
  std::atomic<std::uint64_t> generation_ = 0;  // number of the current list
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;
};

std::size_t ThreadPool::resolve(std::size_t threads) {
  if (threads != 0) return threads;
#if defined(__linux__)
  // The cores that the process may use, which launchers and batch systems restrict.
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&allowed)));
  }
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

#else
// Never instantiated.
class ThreadPool::Crew {
 public:
  explicit Crew(std::size_t) {}
  void run(std::size_t, const Body&) {}
};

std::size_t ThreadPool::resolve(std::size_t) {
  return 1;
}
#endif

ThreadPool::ThreadPool(std::size_t threads) : workers_(resolve(threads)) {
  if (workers_ > 1) crew_ = std::make_unique<Crew>(workers_);
}

ThreadPool::~ThreadPool() = default;

void ThreadPool::run(std::size_t tasks, const Body& body) {
  if (crew_ && tasks > 1) {
    crew_->run(tasks, body);
    return;
  }
  for (std::size_t task = 0; task < tasks; ++task) body(task, 0);
}

}  // namespace knotwork::parallel
