// SPDX-License-Identifier: MIT
// The sections of the page of a model, in their order. Each function returns markup, empty if there
// is nothing to show.
#pragma once

#include <string>

#include <knotwork/model_report.hpp>

#include "report/figures/model_figures.hpp"

namespace knotwork::report {

std::string overview(const ModelReport& report);  // below the title, without a heading of its own
std::string scores_section(const ModelReport& report);
std::string predictions_section(const ModelReport& report);
std::string columns_section(const ModelReport& report);
std::string neurons_section(const ModelReport& report, Monitor* monitor);  // it may be null
std::string network_section(const ModelReport& report);
std::string course_section(const ModelReport& report);
std::string making_section(const ModelReport& report);  // how it was made: facts, options, remarks

// Figures side by side if the screen is wide enough.
std::string gallery(const PageFigures& figures);

// The card of one neuron in `neurons_section`.
std::string neuron_card(const ModelReport& report, const NeuronReport& neuron, std::size_t place);
// The id of a card's element, "neuron-1-1-3": network, layer, neuron.
std::string card_id(const NeuronReport& neuron);
// The curves of all snapshots for the page's script, as a script element; empty if there are none.
std::string snapshot_data(const ModelReport& report);

}  // namespace knotwork::report
