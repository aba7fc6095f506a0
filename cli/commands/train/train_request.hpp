// SPDX-License-Identifier: MIT
// The request of a train command.
#pragma once

#include <optional>
#include <string>

#include "cli/commands/train/train_checkpoints.hpp"
#include "cli/options/parser.hpp"
#include "cli/options/report_request.hpp"
#include "cli/options/table_request.hpp"
#include "cli/options/training_options.hpp"

namespace knotwork::cli {

struct TrainRequest {
  std::optional<App> app;
  std::string data;
  TableOptions table;
  TrainingRequest training;
  std::string start;
  std::string out = "model.safetensors";
  std::string baselines = "all";
  std::string config, save_config;
  ReportPlaces report;
  CheckpointRequest checkpoint;
  std::size_t memory = 0;  // bytes for the rows of a table that stays in its file
  bool memory_given = false;
  bool json = false;
  bool progress = false;
  bool quiet = false;
};

// `request` must outlive parsing.
void add_train_options(App app, TrainRequest& request);
// Checks everything that can be checked before the long work begins. Throws bad_option if options
// contradict each other, bad_file if a result could not be written.
void check_request(const TrainRequest& request);

}  // namespace knotwork::cli
