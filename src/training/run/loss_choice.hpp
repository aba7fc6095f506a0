// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include <knotwork/model.hpp>
#include <knotwork/options.hpp>

namespace knotwork::training {

// The loss that the options request, or else the one for this kind of target. Throws bad_option for
// a loss that does not fit the targets.
std::shared_ptr<const Loss> loss_for(const TrainOptions& options,
                                     std::span<const TargetColumn> targets);

// The weight of each class, in the order of the classes; empty: all weights are equal. masses[c] is
// the sum of the weights of the training rows of class c. Throws bad_option.
std::vector<double> class_weights(const TrainOptions& options, const TargetColumn& target,
                                  std::span<const double> masses);

}  // namespace knotwork::training
