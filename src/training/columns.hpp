// SPDX-License-Identifier: MIT
// The columns of a model: their names and scalings, fitted on the training rows.
#pragma once

#include <vector>

#include "training/rows.hpp"

#include <knotwork/training.hpp>

namespace knotwork {

std::vector<InputColumn> fit_inputs(const TrainingData& data, const Rows& rows,
                                    const TrainOptions& options);
std::vector<TargetColumn> fit_targets(const TrainingData& data, const Rows& rows,
                                      const TrainOptions& options);
// For a model to go on from: throws bad_option unless the loss has the quantiles that it predicts.
void check_quantiles(const Model& start, const TrainOptions& options);
// For a model to go on from: throws bad_data unless its columns are those of the data.
void check_columns(const Model& start, const TrainingData& data, const Rows& rows);

}  // namespace knotwork
