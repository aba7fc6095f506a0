// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <knotwork/training.hpp>

namespace knotwork {

// Scores columns of predictions against columns of targets: all together, and each target by itself
// unless `each` is null.
Scores score_predictions(std::span<const TargetColumn> targets,
                         const std::vector<double>& predictions, const AnyMatrixView& truth,
                         std::span<const double> weights, std::vector<Scores>* each);

// Scores a model on some of the caller's rows: all targets together and, if there are several, each
// by itself. The members of the summary and of its target_scores say as what.
void score_rows(Model& model, const TrainingData& data, std::span<const std::size_t> rows,
                std::size_t threads, std::optional<Scores> Summary::*all,
                std::optional<Scores> TargetScores::*each);

}  // namespace knotwork
