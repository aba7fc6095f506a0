// SPDX-License-Identifier: MIT
// The options of training on the command line, made from train_option_fields().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/parser.hpp"

#include <knotwork/model.hpp>
#include <knotwork/options.hpp>

namespace knotwork::cli {

struct TrainingRequest {
  TrainOptions standard;  // the values of options neither given nor in a preset
  std::string preset;
  // Values of the training options in the order of their table; empty for options not given.
  std::vector<std::optional<std::string>> values;
};

// `request` must outlive parsing. With `chosen`, help marks the options that are chosen if they are
// not given.
void add_training_options(App app, TrainingRequest& request, bool chosen);

// Reads and checks the preset and the values; options without effect are refused. A start model
// determines the options that describe it and, unless there is a preset, the options of its
// objective that are not given.
TrainOptions read_training_options(const TrainingRequest& request, const Model* start = nullptr);
// Reads the options without checks; options without effect are allowed.
TrainOptions read_unchecked_options(const TrainingRequest& request);
// Reads the options if options that are not given will be chosen. Whether the options fit together
// can be checked only when the number of training rows is known.
TrainOptions read_open_options(const TrainingRequest& request);
void check_open_options(const TrainingRequest& request, const TrainOptions& options,
                        std::size_t rows);
// Names of the options that were given; a preset gives all of them.
std::vector<std::string> given_options(const TrainingRequest& request);

// The options that a model was trained with, from its record.
TrainOptions options_of(const Model& model);

// Refuses an option that describes a model, because the start model determines it.
[[noreturn]] void refuse_beside_start(const std::string& option);

// For commands with few training options: adds one with the same name and check as in train.
void add_training_option(App app, const TrainOptionField& field, const std::string& help,
                         TrainOptions& options);

// --isa, which sets the instruction set as soon as it is read.
void add_isa_option(App app);

}  // namespace knotwork::cli
