// SPDX-License-Identifier: MIT
// Many trainings side by side, each stored in a study as soon as it is done.
//
// A training is known by its data, its split and its options. What the study holds already is not
// trained again, whichever experiment asked for it first.
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

// How the outside follows an experiment and stops it.
struct Watch {
  std::function<bool()> keep_going;  // asked often, from several threads
  // Called after every training, never twice at a time; one that was found in the study came at no
  // cost and says nothing about the time that is left.
  std::function<void(std::size_t done, std::size_t planned, bool found)> show;
};

// Counts what is done of all that is planned.
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

// One training on one split; the split's number is the seed of everything random in it.
struct Training {
  const Dataset* dataset = nullptr;
  std::uint64_t split = 1;
  TrainOptions options;
};

struct Outcome {
  double train = 0;  // NRMSE
  double test = 0;
  double seconds = 0;  // of a processor
};

// "lambda-w=1 lambda-q=1e-05": what differs from paper_options(), or "as the paper".
std::string setting_text(const TrainOptions& options);

// The rows of a split, 30 % of them for testing.
PreparedTable prepare_split(const Dataset& dataset, std::uint64_t split);

// The options with the split's seed, on one thread.
TrainOptions options_for(const TrainOptions& options, std::uint64_t split);

// None if the tally said to stop before it was done.
std::optional<Model> train_model(const Training& training, const Tally& tally);

// Outcomes in the order of the trainings; none where the run was stopped before. They do not depend
// on the threads (0: all cores).
std::vector<std::optional<Outcome>> run_trainings(const std::vector<Training>& trainings,
                                                  Study& study, std::size_t threads, Tally& tally);

}  // namespace knotwork::experiments
