// SPDX-License-Identifier: MIT
#include "search/task_runner.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/fail.hpp"
#include "parallel/thread_pool.hpp"

namespace knotwork::searching {

void run_side_by_side(std::size_t threads, std::size_t tasks, std::stop_source& stop,
                      const std::function<void(std::size_t task)>& body) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    try {
      for (std::size_t task; !stop.stop_requested() && (task = next.fetch_add(1)) < tasks;) {
        body(task);
      }
    } catch (...) {
      stop.request_stop();
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  const std::size_t wanted = parallel::ThreadPool::resolve(threads);
  {
    std::vector<std::jthread> running;
    try {
      while (running.size() < std::min(wanted, tasks)) running.emplace_back(work);
    } catch (const std::system_error& cause) {
      stop.request_stop();
      fail(ErrorKind::failed_run, "{} threads could not be started: {}.", wanted, cause.what());
    }
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace knotwork::searching
