// SPDX-License-Identifier: MIT
#pragma once

#include <knotwork/api.hpp>
#include <knotwork/network.hpp>

namespace knotwork {

// What is left of a layer's neurons at the end of a part of a network: their sums s = w x + b, or
// their outputs phi(s).
enum class LayerEnd { sums, outputs };

// The layers up to and with `last`. (Exported for Knotwork::insight.)
KNOTWORK_API Network first_layers(const Network& network, std::size_t last, LayerEnd end);

}  // namespace knotwork
