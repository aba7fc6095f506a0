// SPDX-License-Identifier: MIT
// A Monitor watches long work and can end it early.
//
//   class Bar : public Monitor {
//     void see(const Progress& now) override { draw(to_string(now.phase), now.share); }
//   };
//   const auto bar = std::make_shared<Bar>();
//   const Model model = train(data, options, {.monitor = bar});
//   bar->request_stop();  // from another thread, while train() runs
//
// All functions that can take longer than a tenth of a second take a Monitor and ask it at least
// that often whether to stop. A training that is stopped returns the best model so far, and a
// search returns what it has found so far. All other work ends with an Error of kind `stopped`: it
// leaves no partial file, and existing files are unchanged.
//
// Threads: see() is called by the thread that called the library or by one of the library's own
// threads, but by one thread at a time. stop_requested() is called by several threads at once,
// possibly many thousand times a second, so it must be quick.
#pragma once

#include <atomic>
#include <cstddef>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>

namespace knotwork {

enum class Phase {
  reading,     // a table, a model, or standard input
  planning,    // choosing the roles of columns and rows; encoding and scaling
  choosing,    // options are compared by cross-validation
  training,    // networks are trained
  refitting,   // the networks are trained once more, on all rows
  scoring,     // predictions are compared with targets
  predicting,  // rows are predicted
  comparing,   // variants or trials are trained and scored
  explaining,  // importance, dependence and other facts about a model are computed
  writing,     // a file is written
};
template <>
struct EnumNames<Phase> {
  static constexpr EnumFamily family{"phase"};
  static constexpr EnumName<Phase> all[] = {
      {Phase::reading, "reading"},       {Phase::planning, "planning"},
      {Phase::choosing, "choosing"},     {Phase::training, "training"},
      {Phase::refitting, "refitting"},   {Phase::scoring, "scoring"},
      {Phase::predicting, "predicting"}, {Phase::comparing, "comparing"},
      {Phase::explaining, "explaining"}, {Phase::writing, "writing"},
  };
};

struct TrainIteration;  // of training.hpp
struct SearchProgress;  // of search.hpp

struct Progress {
  Phase phase = Phase::training;
  double share = 0;  // of the phase, from 0 to 1
  // In the phases choosing, training and refitting: the iteration that has just ended. Valid only
  // during the call of see().
  const TrainIteration* iteration = nullptr;
  // In the phase comparing: trainings that are done and trainings planned so far; in a search,
  // folds.
  std::size_t done = 0, planned = 0;
  // In a search: the fold that has just been scored. Valid only during the call of see().
  const SearchProgress* fold = nullptr;
};

// The base class of monitors. It can be used as it is: then it only carries the request to stop.
class KNOTWORK_API Monitor {
 public:
  Monitor() = default;
  virtual ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  // Called for every iteration of a training; during other work about twenty times a second. An
  // exception from see() ends the work, and the function that does the work throws it.
  virtual void see(const Progress& progress);

  // Whether the work is to end.
  virtual bool stop_requested() const;
  // May be called from any thread, from see(), or from a signal handler.
  void request_stop() { stop_ = true; }

 private:
  std::atomic<bool> stop_ = false;
  static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may request a stop");
};

}  // namespace knotwork
