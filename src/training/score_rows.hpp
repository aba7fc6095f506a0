// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <knotwork/training.hpp>

namespace knotwork {

// Scores a model on some of the caller's rows.
Scores score_rows(const Model& model, const TrainingData& data, std::span<const std::size_t> rows,
                  std::size_t threads);

}  // namespace knotwork
