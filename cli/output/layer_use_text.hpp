// SPDX-License-Identifier: MIT
// How the layers of a model use their knots, as a document and in words.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/output/document.hpp"

#include <knotwork/neurons.hpp>

namespace knotwork::cli {

// Of at most 16384 of the rows (none given: of all of the table), at equal distances.
inline constexpr std::size_t kLayerUseRows = 16384;  // of more, so many at equal distances
std::vector<LayerUse> layer_use(const Model& model, const Table& table,
                                std::span<const std::size_t> rows, std::size_t threads);

Json layers_document(const std::vector<LayerUse>& layers);

// A line for each layer.
std::vector<std::string> describe_layers(const std::vector<LayerUse>& layers);

// What should be known about them, one line or none: many samples in the tails, dead neurons.
std::string describe_trouble(const std::vector<LayerUse>& layers);

}  // namespace knotwork::cli
