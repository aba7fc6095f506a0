// SPDX-License-Identifier: MIT
// Which nodes of a large network its diagram shows: those that do most of the work.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <knotwork/network.hpp>

namespace knotwork::report {

using NodeIndices = std::vector<std::size_t>;

// The weights of layer l, [output][input]; not of a bank, which has none.
std::span<const double> weights_of(const Network& network, std::size_t l);

// Which input a unit of a bank belongs to.
std::size_t input_of_unit(const Layer& bank, std::size_t unit);

// Of each column, inputs first, at most `most` nodes, ascending: those with the largest weights
// going out of them (of an input with splines of its own, those of its splines), of the last column
// the first. Of a bank every shown input has its strongest spline shown.
std::vector<NodeIndices> shown_nodes(const Network& network, std::size_t most);

}  // namespace knotwork::report
