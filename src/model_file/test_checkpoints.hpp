// SPDX-License-Identifier: MIT
// This header makes small trainings for the tests of checkpoints.
#pragma once

#include <cmath>
#include <string>

#include "model_file/test_saved_models.hpp"

#include <knotwork/random.hpp>
#include <knotwork/training.hpp>

namespace knotwork::model_file {

inline constexpr std::size_t kRows = 60;

// Two inputs, a curved target, weights, and classes on request.
inline Table small_table(bool classes) {
  const Random random(7, Purpose::folds);
  std::string text = "a,b,y\n";
  for (std::size_t row = 0; row < kRows; ++row) {
    const double a = 4 * random.uniform(2 * row) - 2, b = 4 * random.uniform(2 * row + 1) - 2;
    const double y = std::sin(2 * a) + b * b / 2;
    text += std::to_string(a) + "," + std::to_string(b) + ",";
    text += classes ? (y > 1 ? "high" : y > 0 ? "middle" : "low") : std::to_string(y);
    text += "\n";
  }
  return parse_csv(text, "small");
}

inline TrainOptions small_options() {
  TrainOptions options;
  options.hidden = {3};
  options.iterations = 9;
  options.threads = 1;
  options.spline.knots = 7;
  return options;
}

inline TableTask with_test_part() {
  TableTask task;
  task.test_fraction = 0.2;
  return task;
}

// The file of a model, without the training time.
inline Bytes lasting(Model model) {
  model.training.seconds = 0;
  return serialize(model);
}

}  // namespace knotwork::model_file
