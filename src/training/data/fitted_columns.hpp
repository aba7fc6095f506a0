// SPDX-License-Identifier: MIT
// The columns of a model: their names and scalings, fitted on the training rows.
#pragma once

#include <vector>

#include "training/data/row_division.hpp"

#include <knotwork/training.hpp>

namespace knotwork::training {

std::vector<InputColumn> fit_inputs(const TrainingData& data, const Rows& rows,
                                    const TrainOptions& options);
std::vector<TargetColumn> fit_targets(const TrainingData& data, const Rows& rows,
                                      const TrainOptions& options);
// A target whose scaling has been fitted to values between low and high. Throws bad_data when it is
// the same in every row, or too far or too little spread to be computed with.
TargetColumn fitted_target(const TrainingData& data, std::size_t target, double low, double high,
                           const Scaling& scaling, const TrainOptions& options);
// For a model to go on from: throws bad_option unless the loss has the quantiles that it predicts.
void check_quantiles(const Model& start, const TrainOptions& options);
// For a model to go on from: throws bad_data unless its columns are those of the data; the first
// does not look at the rows.
void check_same_columns(const Model& start, const TrainingData& data);
void check_columns(const Model& start, const TrainingData& data, const Rows& rows);

}  // namespace knotwork::training
