// SPDX-License-Identifier: MIT
// These functions make a network from the options, and initialize its parameters.
#pragma once

#include <knotwork/model.hpp>
#include <knotwork/options.hpp>

namespace knotwork::training {

// A network for the columns of the model. Its parameters are zeros.
Network design_network(const Model& model, const TrainOptions& options);

void start_network(Network& network, const Model& model, const TrainOptions& options,
                   std::uint64_t seed);

}  // namespace knotwork::training
