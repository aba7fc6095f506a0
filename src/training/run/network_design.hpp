// SPDX-License-Identifier: MIT
// From options to a network, and where its numbers start.
#pragma once

#include <knotwork/model.hpp>
#include <knotwork/options.hpp>

namespace knotwork::training {

// For the columns of the model. Its numbers are zeros.
Network design_network(const Model& model, const TrainOptions& options);

void start_network(Network& network, const Model& model, const TrainOptions& options,
                   std::uint64_t seed);

}  // namespace knotwork::training
