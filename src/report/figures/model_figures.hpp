// SPDX-License-Identifier: MIT
// The figures of a model's report, part by part: what the page shows and what report_figures()
// gives away are made here, once.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/model_report.hpp>

namespace knotwork::report {

struct PageFigure {
  std::string name;  // fit for the name of a file; unique when report_figures() is through
  std::string svg;
  std::string caption;  // how to read it, a sentence
};
using PageFigures = std::vector<PageFigure>;

// Lower-case letters, digits and single hyphens, at most 40 of them: "dependence-" +
// file_word(...).
std::string file_word(std::string_view text);

// What columns of predictions are called where it is plain what is predicted: classes by
// themselves, and of a single target levels.
std::vector<std::string> short_prediction_names(const Model& model);

PageFigures course_figures(const ModelReport& report);
PageFigures prediction_figures(const ModelReport& report);
// Is there a column, the first, that the model needs?
bool has_important_columns(const ModelReport& report);
// Nothing unless there is.
std::optional<PageFigure> importance_figure(const ModelReport& report);
PageFigures dependence_figures(const ModelReport& report);
PageFigure diagram(const ModelReport& report);

// What is drawn of a neuron, without a title.
ActivationPanel panel_of(const NeuronReport& neuron);
// By itself, with a title and a legend.
PageFigure activation_figure_of(const ModelReport& report, const NeuronReport& neuron);
// Small: without title and legend, of as few points as look the same.
std::string activation_thumbnail(const NeuronReport& neuron);
// "Layer 1, neuron 3", "Network 2, output layer"
std::string neuron_title(const ModelReport& report, const NeuronReport& neuron);

}  // namespace knotwork::report
