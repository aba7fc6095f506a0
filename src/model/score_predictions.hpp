// SPDX-License-Identifier: MIT
// Scores of predictions against the target columns of a table.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/columns.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/metrics.hpp>
#include <knotwork/table.hpp>

namespace knotwork::model {

// The target columns of a table in the given rows, column by column, encoded as in the model:
// numbers, or indices of classes. Throws bad_data naming the first missing cell, or a class that
// the model does not have. (Exported for Knotwork::insight.)
KNOTWORK_API std::vector<double> true_columns(std::span<const TargetColumn> targets,
                                              const Table& table,
                                              std::span<const std::size_t> rows);

// Scores columns of predictions against columns of targets: all targets together, and each one
// separately unless `each` is null. (Exported for Knotwork::insight.)
KNOTWORK_API Scores score_predictions(std::span<const TargetColumn> targets,
                                      const std::vector<double>& predictions,
                                      const AnyMatrixView& truth, std::span<const double> weights,
                                      std::vector<Scores>* each);

// Throws bad_data if errors are too large for a double.
void check_finite_errors(const std::string& source, const Scores& scores);

}  // namespace knotwork::model
