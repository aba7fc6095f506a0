// SPDX-License-Identifier: MIT
// The figures of a model's report, made for both the page and report_figures().
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/model_report.hpp>

namespace knotwork::report {

struct PageFigure {
  std::string name;  // usable in a file name; report_figures() makes it unique
  std::string svg;
  std::string caption;  // a sentence that explains how to read the figure
};
using PageFigures = std::vector<PageFigure>;

// Lower-case letters, digits and single hyphens, at most 40 of them: "dependence-" +
// file_word(...).
std::string file_word(std::string_view text);

// Short names of the columns of predictions, for places where the target is clear: the names of the
// classes, or the levels of a single target.
std::vector<std::string> short_prediction_names(const Model& model);

PageFigures course_figures(const ModelReport& report);
PageFigures prediction_figures(const ModelReport& report);
// Whether the first column of the importances is one that the model needs.
bool has_important_columns(const ModelReport& report);
// Nothing if no column is important.
std::optional<PageFigure> importance_figure(const ModelReport& report);
PageFigures dependence_figures(const ModelReport& report);
PageFigure diagram(const ModelReport& report);

// The content of a neuron's figure, without a title.
ActivationPanel panel_of(const NeuronReport& neuron);
// A separate figure, with a title and a legend.
PageFigure activation_figure_of(const ModelReport& report, const NeuronReport& neuron);
// A small figure without title and legend, with as few points as look the same.
std::string activation_thumbnail(const NeuronReport& neuron);
// "Layer 1, neuron 3", "Network 2, output layer"
std::string neuron_title(const ModelReport& report, const NeuronReport& neuron);

}  // namespace knotwork::report
