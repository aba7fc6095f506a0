// SPDX-License-Identifier: MIT
// Small tasks and options for tests of the automatic choice.
#pragma once

#include <string>
#include <vector>

#include "training/run/test_trainings.hpp"

#include <knotwork/training.hpp>

namespace knotwork::training {

inline TableTask with_test_rows() {
  TableTask task;
  task.test_fraction = 0.3;
  return task;
}

// Small enough for a test; options that are given are not chosen.
inline TrainOptions small_choice_options() {
  TrainOptions options;
  options.hidden = {4};
  options.ensemble = 2;
  options.iterations = 15;
  return options;
}
inline const std::vector<std::string> kGiven = {"hidden", "ensemble", "iterations", "scale-inputs"};

inline std::string value_of(const Model& model, const std::string& option) {
  for (const auto& [name, text] : model.training.options) {
    if (name == option) return text;
  }
  return "none";
}

}  // namespace knotwork::training
