// SPDX-License-Identifier: MIT
// ThreadPool is a small pool for one kind of work: a fixed list of independent tasks.
//
// run(tasks, body) calls body(task, worker) once for each task and returns when all are done; the
// caller is worker 0 and works too. Which worker runs which task varies, so results must be stored
// by task, never by worker. The first exception is rethrown in the caller, and tasks not yet
// started are dropped. Calls cannot be nested.
//
// Lists often follow each other within microseconds, which is less than it takes to wake a thread,
// so a worker spins for a moment before it sleeps. (Exported for Knotwork::insight.)
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include <knotwork/api.hpp>

namespace knotwork::parallel {

class KNOTWORK_API ThreadPool {
 public:
  // Refers to a callable for the duration of a call; unlike std::function it never allocates.
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

  // 0 threads means as many as the machine has; in a build without threads there is always one, the
  // caller's. Throws failed_run when threads cannot be started.
  explicit ThreadPool(std::size_t threads = 1);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // The actual number of threads for a requested number.
  static std::size_t resolve(std::size_t threads);

  std::size_t workers() const { return workers_; }
  void run(std::size_t tasks, const Body& body);

 private:
  class Crew;  // the threads besides the caller

  std::size_t workers_ = 1;
  std::unique_ptr<Crew> crew_;  // null if there are no further threads
};

}  // namespace knotwork::parallel
