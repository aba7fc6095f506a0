// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include <knotwork/model.hpp>
#include <knotwork/options.hpp>

namespace knotwork::training {

// The loss that the options ask for, or that suits what is predicted. Throws bad_option for one
// that does not.
std::shared_ptr<const Loss> loss_for(const TrainOptions& options,
                                     std::span<const TargetColumn> targets);

// How much rows of each class count, in the order of the classes; empty: all the same. rows[c] is
// how many there are to train on. Throws bad_option.
std::vector<double> class_weights(const TrainOptions& options, const TargetColumn& target,
                                  std::span<const double> rows);

}  // namespace knotwork::training
