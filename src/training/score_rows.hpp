// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/training.hpp>

#include "training/row_scores.hpp"
#include "training/training_rows.hpp"

namespace knotwork {

// What the target columns of a table say in the given rows, column by column, as a model counts it:
// numbers, or numbers of classes. Throws bad_data naming the first cell that says nothing, or a
// class that the model does not have. (Exported for Knotwork::tools.)
KNOTWORK_API std::vector<double> true_columns(std::span<const TargetColumn> targets,
                                              const Table& table,
                                              std::span<const std::size_t> rows);

// Scores columns of predictions against columns of targets: all together, and each target by itself
// unless `each` is null. (Exported for Knotwork::tools.)
KNOTWORK_API Scores score_predictions(std::span<const TargetColumn> targets,
                                      const std::vector<double>& predictions,
                                      const AnyMatrixView& truth, std::span<const double> weights,
                                      std::vector<Scores>* each);

// Puts the scores of a part of so many rows into the summary: all targets together and, if there are
// several, each by itself. Throws failed_run when the part is the rows of training and a prediction
// is not finite.
void store_scores(Model& model, const RowScores& scores, std::size_t rows, Part part);

// Scores a model on some of the caller's rows: all targets together and, if there are several, each
// by itself.
void score_rows(Model& model, const TrainingData& data, std::span<const std::size_t> rows,
                std::size_t threads, Part part);

}  // namespace knotwork
