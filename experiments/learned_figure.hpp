// SPDX-License-Identifier: MIT
// The paper's Figures 1 and 2: activations that training changed most.
#pragma once

#include <string>
#include <vector>

#include "experiments/report.hpp"
#include "experiments/trainings.hpp"

namespace knotwork::experiments {

inline constexpr std::size_t kFigurePanels = 4;

// One figure for each training (the model is trained for it): learned and initial curve, control
// points, and what the neuron receives on the training rows. Fewer if the tally said to stop.
std::vector<Figure> learned_figures(const std::string& scenario,
                                    const std::vector<Training>& trainings, std::size_t threads,
                                    Tally& tally);

}  // namespace knotwork::experiments
