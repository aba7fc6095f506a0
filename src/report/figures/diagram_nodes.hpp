// SPDX-License-Identifier: MIT
// The choice of nodes that the diagram of a large network shows: the nodes with the most influence.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <knotwork/network.hpp>

namespace knotwork::report {

using NodeIndices = std::vector<std::size_t>;

// The weights of layer l, [output][input]; empty for a bank, which has no weights.
std::span<const double> weights_of(const Network& network, std::size_t l);

// The input that a unit of a bank belongs to.
std::size_t input_of_unit(const Layer& bank, std::size_t unit);

// For each column, inputs first, the indices of at most `most` nodes, ascending. In general these
// are the nodes with the largest outgoing weights (an input with splines of its own counts with its
// splines' weights), in the last column the first nodes. Of a bank, the strongest spline of every
// shown input is shown.
std::vector<NodeIndices> shown_nodes(const Network& network, std::size_t most);

}  // namespace knotwork::report
