// SPDX-License-Identifier: MIT
#include "parallel/task_runner.hpp"

#include <algorithm>
#include <numeric>

#include "base/fail.hpp"
#include "parallel/thread_pool.hpp"

namespace knotwork::parallel {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};

std::vector<std::size_t> numbers_below(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

}  // namespace

// Gives a task's requests for a stop to the runner, and lets the runner look at time and stops.
class TaskRunner::TaskMonitor final : public Monitor {
 public:
  explicit TaskMonitor(TaskRunner& runner) : runner_(runner) {}

  bool stop_requested() const override {
    if (runner_.is_over()) return true;
    const Monitor* const outer = runner_.settings_.monitor.get();
    if (!Monitor::stop_requested() && !(outer && outer->stop_requested())) return false;
    runner_.stopped_ = true;
    return true;
  }

  void see(const Progress&) override {
    const TryLock lock(runner_.mutex_);
    if (!lock || std::chrono::steady_clock::now() - runner_.looked_ < kBetweenLooks) return;
    runner_.look();
  }

 private:
  TaskRunner& runner_;
};

// Tasks that have not been opened yet.
struct TaskRunner::Queue {
  std::vector<std::size_t> tasks, left;
  std::size_t next = 0;
  Begun elsewhere = Begun::is_left;

  // Empty when all tasks were opened once, and tasks of other programs a second time. The second
  // time needs a new round.
  std::optional<std::size_t> take(bool is_first_of_round) {
    if (next == tasks.size() && elsewhere == Begun::is_left && is_first_of_round) {
      elsewhere = Begun::is_evaluated;
      tasks = std::exchange(left, {});
      next = 0;
    }
    return next < tasks.size() ? std::optional(tasks[next++]) : std::nullopt;
  }
};

// Tasks that threads have finished, before the other ranks know of them.
struct TaskRunner::Finished {
  Mutex mutex;
  std::vector<std::size_t> tasks;

  void add(std::size_t task) {
    const Lock lock(mutex);
    tasks.push_back(task);
  }
  std::vector<std::size_t> take() {
    const Lock lock(mutex);
    return std::exchange(tasks, {});
  }
};

TaskRunner::TaskRunner(Settings settings)
    : settings_(std::move(settings)),
      threads_(ThreadPool::resolve(settings_.threads)),
      monitor_(std::make_shared<TaskMonitor>(*this)),
      looked_(std::chrono::steady_clock::now()) {}

TaskRunner::~TaskRunner() = default;

void TaskRunner::run(Work& work) {
  if (settings_.ranks && settings_.ranks->size() > 1) return run_together(work);
  run_alone(work);
  monitor_->stop_requested();  // notes a stop that came late
  end_ = {stopped_, cut_short_};
}

void TaskRunner::run_alone(Work& work) {
  std::vector<std::size_t> tasks = numbers_below(work.count()), left;
  for (const Begun elsewhere : {Begun::is_left, Begun::is_evaluated}) {
    if (tasks.empty()) return;
    ThreadPool pool(std::min(threads_, tasks.size()));
    pool.run(tasks.size(), [&](std::size_t k, std::size_t) {
      if (monitor_->stop_requested()) return;
      try {
        const std::optional<Opened> opened = open(work, tasks[k], elsewhere, left);
        if (!opened) return;
        if (!evaluate(work, opened->task, std::max<std::size_t>(1, threads_ / tasks.size()))) {
          if (opened->claimed) work.give_up(opened->task);
          return;
        }
        work.keep(opened->task);
        tell(work, opened->task, false);
      } catch (...) {
        failed_ = true;
        throw;
      }
    });
    tasks = std::exchange(left, {});
    std::sort(tasks.begin(), tasks.end());
  }
}

// Empty for a task whose result is in the store, and for a task that is left to the program that
// has begun it. The store is asked for each task separately, because another program may have added
// results in the meantime.
std::optional<TaskRunner::Opened> TaskRunner::open(Work& work, std::size_t task, Begun elsewhere,
                                                   std::vector<std::size_t>& left) {
  if (work.find(task)) {
    tell(work, task, true);
    return std::nullopt;
  }
  const bool claimed = work.claim(task);
  if (claimed || elsewhere == Begun::is_evaluated) return Opened{task, claimed};
  const Lock lock(mutex_);
  left.push_back(task);
  return std::nullopt;
}

// Returns false if the task was given up; then the run stops. A task may take an exception of
// look() for a failed training, so that exception is thrown here.
bool TaskRunner::evaluate(Work& work, std::size_t task, std::size_t threads) {
  bool is_evaluated = false;
  try {
    is_evaluated = work.evaluate(task, {threads, monitor_});
  } catch (const Error& error) {
    throw_what_look_threw();
    if (error.kind() != ErrorKind::stopped) throw;
  }
  throw_what_look_threw();
  if (is_evaluated) return true;
  if (!is_over()) stopped_ = true;
  return false;
}

void TaskRunner::tell(Work& work, std::size_t task, bool found) {
  tell([&] { work.tell(task, found); });
}

// The caller holds the mutex.
void TaskRunner::look() {
  looked_ = std::chrono::steady_clock::now();
  if (!settings_.look || is_over()) return;
  try {
    if (!settings_.look()) cut_short_ = true;
  } catch (...) {
    thrown_by_look_ = std::current_exception();
    failed_ = true;
    throw;
  }
}

void TaskRunner::throw_what_look_threw() {
  const Lock lock(mutex_);
  if (thrown_by_look_) std::rethrow_exception(thrown_by_look_);
}

// --- Ranks ---------------------------------------------------------------------------------------

void TaskRunner::run_together(Work& work) {
  if (doers_.empty()) meet_ranks();
  end_ = {};
  Queue queue{.tasks = numbers_below(settings_.ranks->is_first() ? work.count() : 0), .left = {}};
  try {
    for (;;) {
      std::vector<Opened> opened;
      const std::vector<std::size_t> round = next_round(work, queue, opened);
      if (round.empty()) return;
      evaluate_together(work, round);
      for (const Opened& one : opened) {
        if (one.claimed && !work.has(one.task)) work.give_up(one.task);
      }
    }
  } catch (...) {
    failed_ = true;
    throw;
  }
}

// Finds the number of threads of each rank, and takes the ranks in turn, so that a round with few
// tasks spreads them over different ranks.
void TaskRunner::meet_ranks() {
  std::vector<std::size_t> threads_of;
  for (const Ranks::Bytes& one : settings_.ranks->gather(Packer().put(threads_).take())) {
    threads_of.push_back(Unpacker(one).get<std::size_t>());
  }
  const std::size_t most = *std::max_element(threads_of.begin(), threads_of.end());
  for (std::size_t turn = 0; turn < most; ++turn) {
    for (std::size_t rank = 0; rank < threads_of.size(); ++rank) {
      if (turn < threads_of[rank]) doers_.push_back(rank);
    }
  }
}

// The first rank chooses the tasks of a round, none at the end. Results that the store knows are
// packed for the other ranks.
std::vector<TaskRunner::Opened> TaskRunner::pick(Work& work, Queue& queue, Packer& found) {
  const std::size_t most = work.is_shared() ? doers_.size() : work.count();
  std::vector<Opened> opened;
  while (opened.size() < most && !monitor_->stop_requested()) {
    const std::optional<std::size_t> task = queue.take(opened.empty());
    if (!task) break;
    if (const std::optional<Opened> one = open(work, *task, queue.elsewhere, queue.left)) {
      opened.push_back(*one);
    } else if (work.has(*task)) {
      found.put(true).put(*task);
      work.pack(*task, found);
    }
  }
  if (!monitor_->stop_requested()) return opened;
  for (const Opened& one : opened) {
    if (one.claimed) work.give_up(one.task);
  }
  return {};
}

std::vector<std::size_t> TaskRunner::next_round(Work& work, Queue& queue,
                                                std::vector<Opened>& opened) {
  Packer order;
  std::vector<std::size_t> round;
  if (settings_.ranks->is_first()) {
    opened = pick(work, queue, order);
    for (const Opened& one : opened) round.push_back(one.task);
    order.put(false).put(round).put(stopped_.load()).put(cut_short_.load());
  }
  const Ranks::Bytes message = settings_.ranks->from_first(order.take());
  Unpacker from(message);
  while (from.get<bool>()) {
    const auto task = from.get<std::size_t>();
    work.unpack(task, from);
    if (!settings_.ranks->is_first()) tell(work, task, true);
  }
  round = from.get_list<std::size_t>();
  const auto stopped = from.get<bool>();
  hear({stopped, from.get<bool>()});
  return round;
}

// This thread communicates with the other ranks while other threads work.
void TaskRunner::evaluate_together(Work& work, const std::vector<std::size_t>& round) {
  std::vector<std::size_t> own;
  for (std::size_t place = 0; place < round.size(); ++place) {
    if (doers_[place % doers_.size()] == settings_.ranks->rank()) own.push_back(round[place]);
  }
  const std::size_t count = std::max<std::size_t>(1, own.size());
  ThreadPool pool(std::min(threads_, count));
  Finished finished;
  WorkAside aside([&] {
    pool.run(own.size(), [&](std::size_t k, std::size_t) {
      if (monitor_->stop_requested()) return;
      try {
        if (evaluate(work, own[k], std::max<std::size_t>(1, threads_ / count))) {
          finished.add(own[k]);
        }
      } catch (...) {
        failed_ = true;
        throw;
      }
    });
  });
  try {
    for (bool all_done = false; !all_done;) {
      const bool own_done = aside.finish_within(kBetweenLooks);
      all_done = exchange(work, finished.take(), own_done);
    }
  } catch (...) {
    failed_ = true;  // otherwise waiting for the threads would mean waiting for whole tasks
    throw;
  }
}

// The first rank receives all finished results, keeps them, and sends all ranks the results to use.
// Returns whether all ranks have finished their tasks.
bool TaskRunner::exchange(Work& work, std::vector<std::size_t> own, bool own_done) {
  Ranks& ranks = *settings_.ranks;
  monitor_->stop_requested();  // records a stop, if this rank has nothing else to do
  Packer mine;
  mine.put(own_done).put(stopped_.load()).put(cut_short_.load()).put(own);
  for (const std::size_t task : own) work.pack(task, mine);
  Packer told;
  bool all_done = true;
  End end;
  for (const Ranks::Bytes& one : ranks.gather_at_first(mine.take())) {
    Unpacker from(one);
    all_done = from.get<bool>() && all_done;
    end.stopped = from.get<bool>() || end.stopped;
    end.cut_short = from.get<bool>() || end.cut_short;
    for (const std::size_t task : from.get_list<std::size_t>()) {
      work.unpack(task, from);
      work.keep(task);
      tell(work, task, false);
      told.put(true).put(task);
      work.pack(task, told);
    }
  }
  told.put(false).put(all_done).put(end.stopped).put(end.cut_short);
  const Ranks::Bytes message = ranks.from_first(told.take());
  Unpacker from(message);
  while (from.get<bool>()) {
    const auto task = from.get<std::size_t>();
    work.unpack(task, from);
    if (ranks.is_first()) continue;
    work.keep(task);
    tell(work, task, false);
  }
  all_done = from.get<bool>();
  end.stopped = from.get<bool>();
  end.cut_short = from.get<bool>();
  hear(end);
  return all_done;
}

void TaskRunner::hear(const End& others) {
  end_.stopped = end_.stopped || others.stopped;
  end_.cut_short = end_.cut_short || others.cut_short;
  if (end_.stopped) stopped_ = true;
  if (end_.cut_short) cut_short_ = true;
}

}  // namespace knotwork::parallel
