// SPDX-License-Identifier: MIT
// These functions make the columns of a model from the description of the rows and the options.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "training/data/divided_rows.hpp"

namespace knotwork::training {

// The given names, or numbered names if none are given. Throw bad_data where names do not fit.
std::vector<std::string> target_names(const RowDescription& rows);
std::vector<InputColumn> unscaled_inputs(const RowDescription& rows);
// A target with its scaling, fitted to values between low and high. Throws bad_data when all values
// are equal, or when they or their spread are too large or too small to compute with.
TargetColumn fitted_target(const RowDescription& rows, std::size_t target, double low, double high,
                           const Scaling& scaling, const TrainOptions& options);
// For training that starts from a model: throws bad_option unless the loss has the model's
// quantiles.
void check_quantiles(const Model& start, const TrainOptions& options);
// For training that starts from a model: throws bad_data unless the columns of the model are the
// columns of the rows.
void check_same_columns(const Model& start, const RowDescription& rows);

}  // namespace knotwork::training
