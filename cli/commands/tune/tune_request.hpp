// SPDX-License-Identifier: MIT
// The request of a tune command.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/parser.hpp"
#include "cli/options/table_request.hpp"
#include "cli/options/training_options.hpp"

namespace knotwork::cli {

struct TuneRequest {
  std::optional<App> app;
  std::string data;
  TableOptions table;
  TrainingRequest training;
  std::string config;
  std::string study;
  std::vector<std::string> vary;
  std::optional<std::string> strategy;
  std::size_t folds = 3;
  std::optional<std::size_t> trials;
  std::string out = "model.safetensors";
  bool json = false;
  bool progress = false;
  bool quiet = false;
  std::optional<std::string> show, svg;
};

// `request` must outlive parsing.
void add_tune_options(App app, TuneRequest& request);
// Both functions throw bad_option if options are missing, contradict each other, or belong to the
// other mode (search or --show), and bad_file if a result could not be written.
void check_search(const TuneRequest& request);
void check_show(const TuneRequest& request);

}  // namespace knotwork::cli
