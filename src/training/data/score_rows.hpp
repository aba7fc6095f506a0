// SPDX-License-Identifier: MIT
// Scores of a trained model on a part of its rows.
#pragma once

#include <span>

#include "scoring/row_scores.hpp"
#include "training/data/training_rows.hpp"

#include <knotwork/training.hpp>

namespace knotwork::training {

// Puts the scores of a part of so many rows into the summary: all targets together and, if there
// are several, each by itself. Throws failed_run when the part is the rows of training and a
// prediction is not finite.
void store_scores(Model& model, const scoring::RowScores& scores, std::size_t rows, Part part);

// Scores a model on some of the caller's rows: all targets together and, if there are several, each
// by itself.
void score_rows(Model& model, const TrainingData& data, std::span<const std::size_t> rows,
                std::size_t threads, Part part);

}  // namespace knotwork::training
