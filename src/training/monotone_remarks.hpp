// SPDX-License-Identifier: MIT
// What training says about a model that was asked to be monotone in some columns.
#pragma once

#include <span>

#include <knotwork/training.hpp>

namespace knotwork {

// Checks the finished model on some of the given rows; one remark for each column of monotone-in.
void add_monotone_remarks(Model& model, const TrainingData& data, std::span<const std::size_t> rows,
                          const TrainOptions& options);

}  // namespace knotwork
