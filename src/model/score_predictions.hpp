// SPDX-License-Identifier: MIT
// Scores of predictions against what the target columns of a table say.
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

// What the target columns of a table say in the given rows, column by column, as a model counts it:
// numbers, or numbers of classes. Throws bad_data naming the first cell that says nothing, or a
// class that the model does not have. (Exported for Knotwork::insight.)
KNOTWORK_API std::vector<double> true_columns(std::span<const TargetColumn> targets,
                                              const Table& table,
                                              std::span<const std::size_t> rows);

// Scores columns of predictions against columns of targets: all together, and each target by itself
// unless `each` is null. (Exported for Knotwork::insight.)
KNOTWORK_API Scores score_predictions(std::span<const TargetColumn> targets,
                                      const std::vector<double>& predictions,
                                      const AnyMatrixView& truth, std::span<const double> weights,
                                      std::vector<Scores>* each);

// Throws bad_data where errors are too large for a number.
void check_finite_errors(const std::string& source, const Scores& scores);

}  // namespace knotwork::model
