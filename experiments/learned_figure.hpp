// SPDX-License-Identifier: MIT
// learned_figures() draws the paper's Figures 1 and 2: the activations that training changed most.
#pragma once

#include <string>
#include <vector>

#include "experiments/report.hpp"
#include "experiments/trainings.hpp"

namespace knotwork::experiments {

inline constexpr std::size_t kFigurePanels = 4;

// One figure for each training (which trains the model for it): learned and initial curve, control
// points, and the neuron's inputs on the training rows. Fewer figures if the tally stops.
std::vector<Figure> learned_figures(const std::string& scenario,
                                    const std::vector<Training>& trainings, std::size_t threads,
                                    Tally& tally);

}  // namespace knotwork::experiments
