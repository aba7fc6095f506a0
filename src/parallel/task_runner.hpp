// SPDX-License-Identifier: MIT
// TaskRunner runs numbered tasks in parallel, on the threads of one process or of several ranks,
// until all tasks are done or a stop is requested.
//
// The result of a task must not depend on who evaluates it, or when. A ResultStore may know some
// results and keeps new ones; it may be shared with other programs that work on the same tasks.
// With ranks, all ranks run the same tasks at the same time and get the same results. The first
// rank decides which tasks are evaluated. Ten times a second the ranks tell each other which tasks
// they have finished and whether one of them was asked to stop, so that a stop of one rank soon
// stops all ranks.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "parallel/message.hpp"
#include "parallel/threads.hpp"

#include <knotwork/monitor.hpp>
#include <knotwork/ranks.hpp>

namespace knotwork::parallel {

// May be used by several threads.
template <class Result>
class ResultStore {
 public:
  virtual ~ResultStore() = default;
  virtual std::optional<Result> find(std::size_t task) = 0;
  // Returns the result that is kept: another program may have been first.
  virtual Result keep(std::size_t task, Result result) = 0;

  // Whether other programs may work on the same tasks. If so, ranks claim no more tasks at a time
  // than they have threads.
  virtual bool is_shared() const { return false; }
  // Whether nobody else has begun the task. Tasks that another program has begun are left to the
  // end, and are evaluated if they are not done by then, because a program that died cannot be
  // distinguished from one that takes long.
  virtual bool claim(std::size_t) { return true; }
  virtual void give_up(std::size_t) {}
};

// What one task can use.
struct TaskShare {
  std::size_t threads = 1;
  // Requests a stop when the run ends early. Trainings get this monitor, and the runner uses its
  // calls to look at time and stops.
  std::shared_ptr<Monitor> monitor;
};

template <class Result>
struct Tasks {
  std::size_t count = 0;
  // Called by several threads at once. An empty result, or an Error of kind `stopped`, means that
  // the task was given up, and the run stops. Any other exception ends the run, which throws it.
  std::function<std::optional<Result>(std::size_t task, const TaskShare& share)> evaluate;
  ResultStore<Result>* store = nullptr;  // with several ranks the store of the first one is used
  // Called with every result, one at a time, and with whether it came from the store.
  std::function<void(std::size_t task, const Result& result, bool found)> done = {};
  // Needed for ranks only.
  std::function<void(const Result& result, Packer& to)> pack = {};
  std::function<Result(Unpacker& from)> unpack = {};
};

class KNOTWORK_API TaskRunner {
 public:
  struct Settings {
    std::size_t threads = 0;                // 0: all cores
    Ranks* ranks = nullptr;                 // null: single process
    std::shared_ptr<Monitor> monitor = {};  // is asked whether to stop; may be null
    // Called after every result and at most ten times a second in between, one call at a time and
    // not during Tasks::done. Returning false ends the run early, because the time is over.
    std::function<bool()> look = {};
  };
  explicit TaskRunner(Settings settings);
  ~TaskRunner();
  TaskRunner(const TaskRunner&) = delete;
  TaskRunner& operator=(const TaskRunner&) = delete;

  // The results in the order of the tasks, empty for tasks that were given up. If one rank throws,
  // its caller must report the failure to the other ranks.
  template <class Result>
  std::vector<std::optional<Result>> run(const Tasks<Result>& tasks);

  // How the last run ended; the same on all ranks. Tasks that were done before the stop have
  // results.
  bool stopped() const { return end_.stopped; }
  bool cut_short() const { return end_.cut_short; }

  // Changes what look() reads, then calls look().
  template <class Change>
  void tell(const Change& change) {
    const Lock lock(mutex_);
    change();
    look();
  }

 private:
  class TaskMonitor;
  // The tasks of a run, independent of the type of their results.
  class Work {
   public:
    virtual std::size_t count() const = 0;
    virtual bool is_shared() const = 0;
    virtual bool has(std::size_t task) const = 0;
    virtual bool find(std::size_t task) = 0;
    virtual bool claim(std::size_t task) = 0;
    virtual void give_up(std::size_t task) = 0;
    virtual bool evaluate(std::size_t task, const TaskShare& share) = 0;
    virtual void keep(std::size_t task) = 0;
    virtual void tell(std::size_t task, bool found) = 0;
    virtual void pack(std::size_t task, Packer& to) const = 0;
    virtual void unpack(std::size_t task, Unpacker& from) = 0;

   protected:
    ~Work() = default;
  };
  template <class Result>
  class TypedWork;

  struct End {
    bool stopped = false;
    bool cut_short = false;
  };
  enum class Begun { is_left, is_evaluated };  // a task that another program has begun
  struct Opened {
    std::size_t task = 0;
    bool claimed = false;
  };
  struct Queue;
  struct Finished;

  void run(Work& work);
  void run_alone(Work& work);
  void run_together(Work& work);
  std::optional<Opened> open(Work& work, std::size_t task, Begun elsewhere,
                             std::vector<std::size_t>& left);
  bool evaluate(Work& work, std::size_t task, std::size_t threads);
  void tell(Work& work, std::size_t task, bool found);
  void look();

  void meet_ranks();
  std::vector<Opened> pick(Work& work, Queue& queue, Packer& found);
  std::vector<std::size_t> next_round(Work& work, Queue& queue, std::vector<Opened>& opened);
  void evaluate_together(Work& work, const std::vector<std::size_t>& round);
  bool exchange(Work& work, std::vector<std::size_t> own, bool own_done);
  void hear(const End& others);
  void throw_what_look_threw();
  bool is_over() const { return stopped_ || cut_short_ || failed_; }

  Settings settings_;
  std::size_t threads_;
  std::shared_ptr<TaskMonitor> monitor_;
  std::vector<std::size_t> doers_;  // the rank of each task in a round; rounds repeat the list
  End end_;

  // For this process; end_ has what the ranks have agreed on.
  std::atomic<bool> stopped_ = false, cut_short_ = false, failed_ = false;
  Mutex mutex_;  // for done and look
  std::exception_ptr thrown_by_look_;
  std::chrono::steady_clock::time_point looked_;
};

template <class Result>
class TaskRunner::TypedWork final : public Work {
 public:
  explicit TypedWork(const Tasks<Result>& tasks) : tasks_(tasks), results_(tasks.count) {}
  std::vector<std::optional<Result>> take() { return std::move(results_); }

 private:
  std::size_t count() const override { return tasks_.count; }
  bool is_shared() const override { return tasks_.store && tasks_.store->is_shared(); }
  bool has(std::size_t task) const override { return results_[task].has_value(); }
  bool find(std::size_t task) override {
    if (!tasks_.store) return false;
    results_[task] = tasks_.store->find(task);
    return results_[task].has_value();
  }
  bool claim(std::size_t task) override { return !tasks_.store || tasks_.store->claim(task); }
  void give_up(std::size_t task) override {
    if (tasks_.store) tasks_.store->give_up(task);
  }
  bool evaluate(std::size_t task, const TaskShare& share) override {
    results_[task] = tasks_.evaluate(task, share);
    return results_[task].has_value();
  }
  void keep(std::size_t task) override {
    if (tasks_.store) results_[task] = tasks_.store->keep(task, *std::move(results_[task]));
  }
  void tell(std::size_t task, bool found) override {
    if (tasks_.done) tasks_.done(task, *results_[task], found);
  }
  void pack(std::size_t task, Packer& to) const override { tasks_.pack(*results_[task], to); }
  void unpack(std::size_t task, Unpacker& from) override { results_[task] = tasks_.unpack(from); }

  const Tasks<Result>& tasks_;
  std::vector<std::optional<Result>> results_;
};

template <class Result>
std::vector<std::optional<Result>> TaskRunner::run(const Tasks<Result>& tasks) {
  TypedWork<Result> work(tasks);
  run(static_cast<Work&>(work));
  return work.take();
}

}  // namespace knotwork::parallel
