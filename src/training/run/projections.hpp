// SPDX-License-Identifier: MIT
// Projections keep a network within constraints: curves that never fall, slopes within a bound,
// weights of one sign. They are Euclidean and exact, and follow every update of adam.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/model.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/options.hpp>

namespace knotwork::training {

// For each input of the model 1 or -1 if predictions may only rise or fall with it, else 0; empty
// without the option monotone-in. Throws bad_option for columns that do not exist or have no order,
// and for targets without an order.
using InputSigns = std::vector<signed char>;
InputSigns input_signs(const Model& model, const TrainOptions& options);

// The projection onto the allowed parameters; null if all parameters are allowed. It refers to the
// network and uses its current knots. Throws bad_option if an activation cannot be constrained.
std::shared_ptr<const ProximalStep> projection_for(const Network& network,
                                                   const TrainOptions& options,
                                                   const InputSigns& signs);

}  // namespace knotwork::training
