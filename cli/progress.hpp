// SPDX-License-Identifier: MIT
// Progress of training on standard error: one line that rewrites itself on a terminal, plain lines
// at intervals otherwise (and then only when asked for).
#pragma once

#include <chrono>

#include <knotwork/training.hpp>

namespace knotwork::cli {

class Progress {
 public:
  explicit Progress(bool asked_for);
  ~Progress();
  void show(const TrainIteration& iteration);

 private:
  bool terminal_;
  bool active_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace knotwork::cli
