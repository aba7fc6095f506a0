// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/figures/model_figures.hpp"
#include "report/figures/thinned.hpp"

namespace knotwork::report {
namespace {

// Relative to the height of a curve: kInvisible is a tenth of a pixel, kExact is for curves whose
// values the reader looks up with the cursor.
constexpr double kInvisible = 1e-3, kExact = 3e-4;

// All points that the slider will draw, so that the axes need not change.
FigurePoints course_points(const NeuronReport& neuron) {
  FigurePoints points;
  for (const std::vector<double>& values : neuron.course) {
    for (const double value : values) points.push_back({neuron.learned.front().x, value});
  }
  return points;
}

}  // namespace

ActivationPanel panel_of(const NeuronReport& neuron) {
  return {.learned = neuron.learned,
          .initial = neuron.initial,
          .truth = neuron.truth,
          .control_points = neuron.control_points,
          .received = neuron.received};
}

std::string neuron_title(const ModelReport& report, const NeuronReport& neuron) {
  const Network& network = report.model.members[neuron.member];
  const Layer& layer = network.layers()[neuron.layer];
  const bool last = neuron.layer + 1 == network.layers().size();
  std::string title = last ? "output layer" : fmt::format("layer {}", neuron.layer + 1);
  if (layer.sharing == Sharing::network) {
    title = "all layers that share it";
  } else if (layer.sharing == Sharing::layer) {
    title += ", all neurons";
  } else if (!last || layer.outputs > 1) {
    title += fmt::format(", neuron {}", neuron.neuron + 1);
  }
  if (report.model.members.size() > 1) {
    return fmt::format("Network {}, {}", neuron.member + 1, title);
  }
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

PageFigure activation_figure_of(const ModelReport& report, const NeuronReport& neuron) {
  const std::string member =
      report.model.members.size() > 1 ? fmt::format("{}-", neuron.member + 1) : "";
  return {
      fmt::format("activation-{}{}-{}", member, neuron.layer + 1, neuron.neuron + 1),
      activation_figure({panel_of(neuron)}, {.title = neuron_title(report, neuron), .columns = 1}),
      ""};
}

std::string activation_thumbnail(const NeuronReport& neuron) {
  ActivationPanel panel = panel_of(neuron);
  panel.room_for = course_points(neuron);
  panel.initial = thinned(panel.initial, kInvisible);
  panel.truth = thinned(panel.truth, kInvisible);
  // The slider redraws the learned curve point by point.
  if (neuron.course.empty()) panel.learned = thinned(panel.learned, kExact);
  return activation_figure({panel}, {.columns = 1, .x_label = "", .y_label = "", .legend = false});
}

}  // namespace knotwork::report
