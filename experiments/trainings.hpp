// SPDX-License-Identifier: MIT
// run_trainings() runs many trainings in parallel and stores each in a study when it is done.
//
// A training is identified by its data, its split and its options. A training that the study
// already contains is not run again, whichever experiment requested it first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "experiments/datasets.hpp"

#include <knotwork/model.hpp>
#include <knotwork/options.hpp>
#include <knotwork/search.hpp>
#include <knotwork/training.hpp>

namespace knotwork::experiments {

// How the caller follows an experiment and stops it.
struct Watch {
  std::function<bool()> keep_going;  // called often, from several threads
  // Called after every training, never concurrently. A training that was found in the study took no
  // time, so it must not be used to estimate the remaining time.
  std::function<void(std::size_t done, std::size_t planned, bool found)> show;
};

// Counts the finished trainings among all that are planned.
class Tally {
 public:
  Tally(const Watch& watch, std::size_t planned) : watch_(watch), planned_(planned) {}
  bool keep_going() const { return !watch_.keep_going || watch_.keep_going(); }
  void finished(bool found = false);

 private:
  const Watch& watch_;
  std::size_t planned_;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

// Counts the folds of a search, and stops what the caller of the experiment wants to stop.
class TallyMonitor final : public Monitor {
 public:
  explicit TallyMonitor(Tally& tally) : tally_(tally) {}
  void see(const Progress& now) override {
    if (now.fold) tally_.finished(now.fold->found);
  }
  bool stop_requested() const override { return Monitor::stop_requested() || !tally_.keep_going(); }

 private:
  Tally& tally_;
};

// One training on one split; the split's number is the seed of everything random in it.
struct Training {
  const Dataset* dataset = nullptr;
  std::uint64_t split = 1;
  TrainOptions options;
};

struct Outcome {
  double train = 0;  // NRMSE
  double test = 0;
  double seconds = 0;  // processor time
};

// "lambda-w=1 lambda-q=1e-05": the differences from paper_options(), or "as the paper".
std::string setting_text(const TrainOptions& options);

// The rows of a split, 30 % of them for testing.
PreparedData prepare_split(const Dataset& dataset, std::uint64_t split);

// The options with the split's seed, on one thread.
TrainOptions options_for(const TrainOptions& options, std::uint64_t split);

// Empty if the tally stopped the training.
std::optional<Model> train_model(const Training& training, Tally& tally);

// Outcomes in the order of the trainings; empty for trainings that were stopped before. They do not
// depend on the number of threads (0: all cores).
std::vector<std::optional<Outcome>> run_trainings(const std::vector<Training>& trainings,
                                                  Study& study, std::size_t threads, Tally& tally);

}  // namespace knotwork::experiments
