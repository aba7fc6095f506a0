// SPDX-License-Identifier: MIT
// How the layers of a model use their knots, as JSON and in words.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/output/document.hpp"

#include <knotwork/neurons.hpp>

namespace knotwork::cli {

// Computed from the given rows (none given: all rows of the table), at most kLayerUseRows of them.
inline constexpr std::size_t kLayerUseRows = 16384;  // larger tables are sampled at equal distances
std::vector<LayerUse> layer_use(const Model& model, const Table& table,
                                std::span<const std::size_t> rows, std::size_t threads,
                                Monitor* monitor);

Json layers_document(const std::vector<LayerUse>& layers);

// One line for each layer.
std::vector<std::string> describe_layers(const std::vector<LayerUse>& layers);

// Problems of the layers, one line or none: many samples in the tails, dead neurons.
std::string describe_trouble(const std::vector<LayerUse>& layers);

}  // namespace knotwork::cli
