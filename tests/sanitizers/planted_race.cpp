// SPDX-License-Identifier: MIT
// Wrong on purpose: tasks of the pool write to one variable without synchronization.
#include <atomic>
#include <thread>

#include "parallel/thread_pool.hpp"

int main() {
  knotwork::parallel::ThreadPool pool(2);
  long shared = 0;
  std::atomic<int> started = 0;
  pool.run(2, [&](std::size_t, std::size_t) {
    // Both tasks are running, so they are on different threads. Relaxed: this orders nothing.
    started.fetch_add(1, std::memory_order_relaxed);
    while (started.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
    for (int k = 0; k < 1000; ++k) ++shared;
  });
  return shared == 0;
}
