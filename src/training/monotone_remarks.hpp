// SPDX-License-Identifier: MIT
// What training says about a model that was asked to be monotone in some columns.
#pragma once

#include "training/training_rows.hpp"

namespace knotwork {

// Checks the finished model on some of the training rows; one remark for each column of
// monotone-in.
void add_monotone_remarks(Model& model, const DividedRows& rows, const TrainOptions& options);

}  // namespace knotwork
