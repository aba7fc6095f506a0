// SPDX-License-Identifier: MIT
// What is told of a trained model and its table, wherever the rows of that are.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cli/commands/train/train_request.hpp"
#include "cli/commands/train/train_result.hpp"
#include "cli/tables/training_table.hpp"

namespace knotwork::cli {

// On the rows that tell most: those of the test part, if there are any. Nothing if it was
// interrupted.
std::optional<WrittenReport> report_on(const TrainRequest& request, const Model& model,
                                       const TrainingTable& data, const Table* test,
                                       const PreparedTable& prepared, const TrainOptions& options);

DataFacts facts_of(const TrainingTable& data, const PreparedTable& prepared);

std::vector<LayerUse> use_of_layers(const Model& model, const TrainingTable& data,
                                    const PreparedTable& prepared, std::size_t threads);

}  // namespace knotwork::cli
