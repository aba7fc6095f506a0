// SPDX-License-Identifier: MIT
// These functions give each series of a figure a different look, in color and in gray.
#pragma once

#include <cstddef>
#include <string>

#include "figures/drawing/legend.hpp"

namespace knotwork::figures {

struct Look {
  Stroke stroke;
  Marker marker;
};

// Two series can share a color, a dash or a marker, but hardly ever all three; the first seven have
// different dashes.
Look look_of(std::size_t series);

LegendEntry line_entry(std::string name, const Stroke& stroke);
LegendEntry marker_entry(std::string name, Marker marker, double radius, std::string color);
// A line with a marker on it.
LegendEntry entry_of(std::string name, const Look& look);

}  // namespace knotwork::figures
