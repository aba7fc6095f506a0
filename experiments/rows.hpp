// SPDX-License-Identifier: MIT
// These functions turn lists of trainings into rows of results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/report.hpp"
#include "experiments/scenarios.hpp"

namespace knotwork::experiments {

// Splits of a data set; at most `most` of California unless told otherwise.
std::size_t splits_of(const ExperimentOptions& options, const Dataset& dataset, std::size_t most);

// A row without results yet, and the trainings that give its results, one for each split.
struct PlannedRow {
  Row row;
  std::vector<Training> trainings;
};
// The same options for splits 1 .. `splits`.
PlannedRow plan_row(const std::string& scenario, const Dataset& dataset, const std::string& network,
                    const std::string& optimizer, const TrainOptions& options, std::size_t splits);

std::size_t count_trainings(const std::vector<PlannedRow>& plan);
// Runs all trainings; empty if it was stopped.
std::optional<std::vector<Row>> fill_rows(std::vector<PlannedRow> plan, Study& study,
                                          std::size_t threads, Tally& tally);

}  // namespace knotwork::experiments
