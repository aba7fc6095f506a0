// SPDX-License-Identifier: MIT
// Checkpoints::State is the half of Checkpoints that trainings use: what is saved, and what was
// resumed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "parallel/threads.hpp"
#include "training/library_access.hpp"

#include <knotwork/checkpoint.hpp>

namespace knotwork {

// May be used by several threads.
class Checkpoints::State {
 public:
  State(Save save, std::size_t every, std::optional<TrainingState> resumed);

  std::size_t every() const { return every_; }
  // Stores what the result depends on, and saves. Throws bad_option for a second training.
  void begin(TrainingState identity);
  std::optional<ChosenOptions> choice() const;
  void keep_choice(ChosenOptions choice);
  std::optional<double> fold_loss(const std::string& name) const;
  void keep_fold_loss(const std::string& name, double loss);
  std::optional<MemberState> member(Phase phase, std::size_t member) const;
  void keep_member(Phase phase, std::size_t member, MemberState state);
  TrainingState state() const;
  double earlier_seconds() const { return earlier_seconds_; }

 private:
  template <class Change>
  void keep(const Change& change);

  Save save_;
  std::size_t every_;
  TrainingState state_;
  bool resumed_ = false;
  bool begun_ = false;
  double earlier_seconds_ = 0;
  double begin_ = 0;  // start of this run, on its own clock
  mutable parallel::Mutex mutex_;
};

}  // namespace knotwork
