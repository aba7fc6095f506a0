// SPDX-License-Identifier: MIT
// What the lines and marks of activation_figure() mean, for those who draw many of them and say it
// once.
#pragma once

#include <vector>

#include <knotwork/figures.hpp>

#include "figures/legend.hpp"

namespace knotwork::figures {

// Only what occurs in some panel.
std::vector<LegendEntry> activation_legend(const std::vector<ActivationPanel>& panels);

}  // namespace knotwork::figures
