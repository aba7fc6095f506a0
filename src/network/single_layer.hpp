// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <knotwork/api.hpp>
#include <knotwork/network.hpp>

namespace knotwork {

// What the network of a single layer gives: its neurons' sums s = w x + b, or their outputs phi(s).
enum class LayerEnd { sums, outputs };

// A network of one layer of a network. To look at all layers, give each layer the outputs of the
// layer before it: the work is that of one forward pass, and only one layer's numbers are in
// memory. (Exported for Knotwork::insight.)
KNOTWORK_API Network single_layer(const Network& network, std::size_t layer, LayerEnd end);

}  // namespace knotwork
