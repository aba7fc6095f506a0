// SPDX-License-Identifier: MIT
// TestRanks are ranks for tests: threads of one process with queues between them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <knotwork/ranks.hpp>

namespace knotwork::parallel {

// The queues of all ranks. A rank that ends leaves, and ranks that wait for it are notified.
class TestPost {
 public:
  using Way = std::pair<std::size_t, std::size_t>;  // from, to

  void put(Way way, Ranks::Bytes message) {
    const std::lock_guard lock(mutex_);
    queues_[way].push_back(std::move(message));
    changed_.notify_all();
  }
  Ranks::Bytes take(Way way) {
    std::unique_lock lock(mutex_);
    std::deque<Ranks::Bytes>& queue = queues_[way];
    const auto is_over = [&] { return !queue.empty() || has_left_[way.first]; };
    if (!changed_.wait_for(lock, std::chrono::seconds(120), is_over) || queue.empty()) {
      throw std::logic_error("a rank waits for a message that never comes");
    }
    Ranks::Bytes message = std::move(queue.front());
    queue.pop_front();
    return message;
  }
  void leave(std::size_t rank) {
    const std::lock_guard lock(mutex_);
    has_left_[rank] = true;
    changed_.notify_all();
  }
  bool is_empty() {
    const std::lock_guard lock(mutex_);
    for (const auto& [way, queue] : queues_) {
      if (!queue.empty()) return false;
    }
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Way, std::deque<Ranks::Bytes>> queues_;
  std::map<std::size_t, bool> has_left_;
};

class TestRanks : public Ranks {
 public:
  TestRanks(TestPost& post, std::size_t size, std::size_t rank) : Ranks(size, rank), post_(post) {}

  // Loses the next `count` messages on arrival, as if there were no memory.
  void lose(std::size_t count) { lost_ = count; }

 private:
  void send(std::size_t to, const Bytes& message) override { post_.put({rank(), to}, message); }
  Bytes receive(std::size_t from) override {
    Bytes message = post_.take({from, rank()});
    if (lost_ == 0) return message;
    --lost_;
    throw std::bad_alloc();
  }

  TestPost& post_;
  std::size_t lost_ = 0;
};

// Calls work(TestRanks&) on `count` threads, one for each rank, and rethrows the exception of the
// lowest rank that throws.
template <class Work>
void run_ranks(std::size_t count, const Work& work) {
  TestPost post;
  std::vector<std::exception_ptr> thrown(count);
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        TestRanks ranks(post, count, rank);
        work(ranks);
      } catch (...) {
        thrown[rank] = std::current_exception();
      }
      post.leave(rank);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& one : thrown) {
    if (one) std::rethrow_exception(one);
  }
  if (!post.is_empty()) throw std::logic_error("a message was sent that nobody received");
}

}  // namespace knotwork::parallel
