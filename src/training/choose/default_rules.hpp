// SPDX-License-Identifier: MIT
// This header has the networks and trainings that automatic training compares, with the options and
// values that cross-validation tries for each of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "training/choose/option_descent.hpp"
#include "training/data/training_rows.hpp"

#include <knotwork/options.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

struct Design {
  TrainOptions options;
  std::vector<OptionAxis> axes;
};

// The designs by the rule for `rows` training rows, the default one first. Given options stay as
// they are.
std::vector<Design> designs_for(std::size_t rows, std::size_t inputs, const TrainOptions& options,
                                std::span<const std::string> given);

struct ComparisonRule {
  std::size_t folds = 3;
  std::size_t members = 1;
  std::size_t rows = 0;  // at most
};
ComparisonRule comparison_rule(std::size_t rows);

// Compares the designs one after the other, and trains the best setting of the best design. `asked`
// are the requested options.
Model train_best_design(const TrainingRows& rows, const std::vector<Design>& designs,
                        const ComparisonRule& rule, const TrainOptions& asked,
                        const TrainContext& context);

}  // namespace knotwork::training
