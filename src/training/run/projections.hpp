// SPDX-License-Identifier: MIT
// What a network may be: curves that never fall, slopes within a bound, weights of one sign. Kept
// by projections, Euclidean and exact, after every update of adam.
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
// without monotone-in. Throws bad_option for columns that are not there or have no order, and for
// targets without one.
using InputSigns = std::vector<signed char>;
InputSigns input_signs(const Model& model, const TrainOptions& options);

// The projection onto what the options allow; null if that is everything. It refers to the network,
// whose knots at the time count. Throws bad_option if an activation cannot keep to it.
std::shared_ptr<const ProximalStep> projection_for(const Network& network,
                                                   const TrainOptions& options,
                                                   const InputSigns& signs);

}  // namespace knotwork::training
