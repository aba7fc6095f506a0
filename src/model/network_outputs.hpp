// SPDX-License-Identifier: MIT
// Conversion of network outputs to predictions.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/product.hpp"

#include <knotwork/model.hpp>

namespace knotwork::model {

// Adds the predictions of one network for n rows to `sums`, a column of n numbers for each
// prediction. Numbers stay scaled; outputs of classes become probabilities.
template <class T>
void add_predictions(std::span<const TargetColumn> targets, Block<const T> outputs, std::size_t n,
                     double* sums);

// Turns sums over `networks` networks into predictions: means, in the units of the targets, with
// quantiles in ascending order.
void finish_predictions(std::span<const TargetColumn> targets, std::size_t networks, std::size_t n,
                        double* sums);

}  // namespace knotwork::model
