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
  TrainOptions standard;  // what is neither given nor in a preset
  std::string preset;
  // Of the training options, in the order of their table; those that were given.
  std::vector<std::optional<std::string>> values;
};

// `request` must outlive parsing. With `chosen`, help says so of the options that are chosen when
// they are not given.
void add_training_options(App app, TrainingRequest& request, bool chosen);

// Preset and values, checked; what is given without effect is refused. A model to start from brings
// the options that describe it and, unless there is a preset, those of its objective that are not
// given.
TrainOptions read_training_options(const TrainingRequest& request, const Model* start = nullptr);
// The same without a check, and whether or not what is given has an effect.
TrainOptions read_unchecked_options(const TrainingRequest& request);
// The same where options that are not given will be chosen: whether they go together is known once
// the number of training rows is.
TrainOptions read_open_options(const TrainingRequest& request);
void check_open_options(const TrainingRequest& request, const TrainOptions& options,
                        std::size_t rows);
// Names of the options that were given; a preset gives all of them.
std::vector<std::string> given_options(const TrainingRequest& request);

// The options that a model was trained with, as its record has them.
TrainOptions options_of(const Model& model);

// Of an option that describes a model.
[[noreturn]] void refuse_beside_start(const std::string& option);

// For commands that need no more of them: the same name and check as in train.
void add_training_option(App app, const TrainOptionField& field, const std::string& help,
                         TrainOptions& options);

// --isa, which pins the instruction set as soon as it is read.
void add_isa_option(App app);

}  // namespace knotwork::cli
