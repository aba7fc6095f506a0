// SPDX-License-Identifier: MIT
// What automatic training compares: ways to build and train a network, and for each of them the
// options that cross-validation moves along their values.
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

// By the rule for so many training rows, the usual one first. What is given stays.
std::vector<Design> designs_for(std::size_t rows, std::size_t inputs, const TrainOptions& options,
                                std::span<const std::string> given);

struct ComparisonRule {
  std::size_t folds = 3;
  std::size_t members = 1;
  std::size_t rows = 0;  // at most
};
ComparisonRule comparison_rule(std::size_t rows);

// Compares the designs one after the other, and trains the best setting of the best one. `asked`
// are the options as they were asked for.
Model train_best_design(const TrainingRows& rows, const std::vector<Design>& designs,
                        const ComparisonRule& rule, const TrainOptions& asked,
                        const TrainObserver& observer, Checkpoints* checkpoints = nullptr);

}  // namespace knotwork::training
