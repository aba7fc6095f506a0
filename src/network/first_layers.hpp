// SPDX-License-Identifier: MIT
#pragma once

#include <knotwork/api.hpp>
#include <knotwork/network.hpp>

namespace knotwork {

// What the last layer of a partial network gives: its neurons' sums s = w x + b, or their outputs
// phi(s).
enum class LayerEnd { sums, outputs };

// The layers up to and including `last`. (Exported for Knotwork::insight.)
KNOTWORK_API Network first_layers(const Network& network, std::size_t last, LayerEnd end);

}  // namespace knotwork
