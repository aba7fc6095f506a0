// SPDX-License-Identifier: MIT
// The request of a compare command.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/parser.hpp"
#include "cli/options/table_request.hpp"
#include "cli/options/training_options.hpp"

#include <knotwork/comparison.hpp>

namespace knotwork::cli {

struct CompareRequest {
  std::optional<App> app;
  std::string data;
  TableOptions table;
  bool in_time_order = false;
  TrainingRequest training;  // for all variants
  std::string config;
  std::string activations, bases, penalties;
  std::vector<std::string> variants;  // "NAME: --option value"
  std::size_t folds = ComparisonOptions{}.folds, repeats = ComparisonOptions{}.repeats;
  std::optional<std::size_t> budget, inner_folds, sample;
  std::string csv, report;
  bool json = false;
  bool markdown = false;
  bool progress = false;
  bool quiet = false;
};

// `request` must outlive parsing.
void add_compare_options(App app, CompareRequest& request);
// Throws bad_option if options are missing or contradict each other, bad_file if a result could not
// be written.
void check_request(const CompareRequest& request);

}  // namespace knotwork::cli
