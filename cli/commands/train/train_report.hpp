// SPDX-License-Identifier: MIT
// The report of a trained model and its table, in memory or in a file.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cli/commands/train/train_request.hpp"
#include "cli/commands/train/train_result.hpp"
#include "cli/tables/training_table.hpp"

namespace knotwork::cli {

// Writes the report on the test rows, or on the training rows if there are no test rows. Nothing if
// it was interrupted.
std::optional<WrittenReport> report_on(const TrainRequest& request, const Model& model,
                                       const TrainingTable& data, const Table* test,
                                       const PreparedData& prepared, const TrainOptions& options);

DataFacts facts_of(const TrainingTable& data, const PreparedData& prepared);

std::vector<LayerUse> use_of_layers(const Model& model, const TrainingTable& data,
                                    const PreparedData& prepared, std::size_t threads);

}  // namespace knotwork::cli
