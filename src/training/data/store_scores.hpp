// SPDX-License-Identifier: MIT
// store_scores() puts the scores of a part of the rows into the summary of a model.
#pragma once

#include <cstddef>

#include "scoring/row_scores.hpp"
#include "training/data/divided_rows.hpp"

namespace knotwork::training {

// Scores of a part with `rows` rows: of all targets together and, if there are several, of each
// target. Throws failed_run when the part is the training rows and a prediction is not finite.
void store_scores(Model& model, const scoring::RowScores& scores, std::size_t rows, Part part);

}  // namespace knotwork::training
