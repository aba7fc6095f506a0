// SPDX-License-Identifier: MIT
// A small pool for one kind of work: a fixed list of independent tasks.
//
// run(tasks, body) calls body(task, worker) once for each task and returns when all are done; the
// caller is worker 0 and works too. Which worker gets which task is left to chance, so results must
// be stored by task, never by worker. The first exception is handed to the caller; tasks not yet
// begun are then dropped. There is no nesting.
//
// Lists often follow each other within microseconds, less than it takes to wake a thread, so a
// worker looks around for a moment before it goes to sleep. (Exported for Knotwork::tools.)
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include <knotwork/export.hpp>

namespace knotwork {

class KNOTWORK_API ThreadPool {
 public:
  // Refers to a callable for the time of a call; unlike std::function it never allocates.
  class Body {
   public:
    template <class Callable>
      requires(!std::is_same_v<Callable, Body>)
    Body(const Callable& callable)  // NOLINT(google-explicit-constructor)
        : callable_(&callable), call_([](const void* object, std::size_t task, std::size_t worker) {
            (*static_cast<const Callable*>(object))(task, worker);
          }) {}
    void operator()(std::size_t task, std::size_t worker) const { call_(callable_, task, worker); }

   private:
    const void* callable_;
    void (*call_)(const void*, std::size_t, std::size_t);
  };

  // 0 threads means as many as the machine has. Throws failed_run when they cannot be started.
  explicit ThreadPool(std::size_t threads = 1);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // The number of threads that a request means.
  static std::size_t resolve(std::size_t threads);

  std::size_t workers() const { return threads_.size() + 1; }
  void run(std::size_t tasks, const Body& body);

 private:
  void serve(std::size_t worker, const std::stop_token& stop);
  void work(std::size_t worker);

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable done_;
  const Body* body_ = nullptr;
  std::size_t tasks_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> busy_ = 0;          // workers that have not finished the current list
  std::atomic<std::uint64_t> generation_ = 0;  // which list is the current one
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;
};

}  // namespace knotwork
