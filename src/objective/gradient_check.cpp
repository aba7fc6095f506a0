// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"
#include "network/block_source.hpp"
#include "network/pass.hpp"

#include <knotwork/objective.hpp>
#include <knotwork/random.hpp>

namespace knotwork {
namespace {

// The smallest distance between any pre-activation of any sample and a kink of its neuron.
double distance_to_kinks(const Network& network, const Samples<double>& samples,
                         std::span<const double> parameters) {
  const std::size_t rows = samples.inputs.rows;
  Pass<double> pass(network);
  pass.load(parameters);
  Workspace<double> workspace(network, rows);
  const auto x = block_at(samples.inputs, 0, rows, workspace.block(workspace.inputs));
  pass.forward(workspace, x, padded(rows), false);
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    const Layer& layer = network.layers()[l];
    if (layer.kind == LayerKind::bank) continue;  // no parameter changes the inputs of its units
    for (std::size_t neuron = 0; neuron < layer.outputs; ++neuron) {
      const auto kinks = layer.activation->kinks(network.activation_tensors(l, neuron, parameters));
      const double* s = workspace.block(workspace.layers[l].s).row(neuron);
      for (double kink : kinks) {
        for (std::size_t r = 0; r < rows; ++r) nearest = std::min(nearest, std::fabs(s[r] - kink));
      }
    }
  }
  return nearest;
}

}  // namespace

GradientCheck check_gradient(const Network& network, const Samples<double>& samples,
                             const ObjectiveOptions& objective_options,
                             const GradientCheckOptions& options) {
  Objective objective(network, samples, objective_options);
  for (const auto& [regularizer, lambda] : objective_options.regularizers) {
    if (lambda == 0 || regularizer->is_smooth()) continue;
    fail(ErrorKind::bad_option,
         "The regularizer '{}' has no gradient to check; leave it out or set its weight to 0.",
         regularizer->name());
  }
  std::vector<double> point(network.parameters().begin(), network.parameters().end());
  GradientCheck result;
  const Random random(options.seed, Purpose::gradient_check);
  while (distance_to_kinks(network, samples, point) < 10 * options.step) {
    if (result.nudges == options.max_nudges) {
      fail(ErrorKind::failed_run,
           "No point away from all kinks was found in {} tries; fewer samples or a smaller step "
           "would help.",
           options.max_nudges);
    }
    for (std::size_t k = 0; k < point.size(); ++k) {
      const auto draw = static_cast<std::uint64_t>(result.nudges) * point.size() + k;
      point[k] = network.parameters()[k] + options.nudge * random.normal(draw);
    }
    ++result.nudges;
  }

  std::vector<double> gradient(point.size()), unused(point.size());
  objective.evaluate(point, gradient);
  for (const TensorInfo& tensor : network.tensors()) {
    if (!tensor.trained) continue;
    GroupError group{tensor.name, 0, 0};
    for (std::size_t k = tensor.offset; k < tensor.offset + tensor.size; ++k) {
      const double here = point[k];
      const double step = options.step * std::max(1.0, std::fabs(here));
      point[k] = here + step;
      const double above = objective.evaluate(point, unused), up = point[k];
      point[k] = here - step;
      const double below = objective.evaluate(point, unused);
      const double difference = (above - below) / (up - point[k]);
      point[k] = here;
      // std::max would silently drop a NaN; a NaN gradient must not pass.
      const double error = std::fabs(gradient[k] - difference);
      group.error = std::isnan(error) ? std::numeric_limits<double>::infinity()
                                      : std::max(group.error, error);
      group.largest_gradient = std::max(group.largest_gradient, std::fabs(gradient[k]));
    }
    // An infinite error stays infinite, even with an infinite gradient.
    if (group.largest_gradient > 0 && std::isfinite(group.error)) {
      group.error /= group.largest_gradient;
    }
    result.worst = std::max(result.worst, group.error);
    result.groups.push_back(std::move(group));
  }
  return result;
}

}  // namespace knotwork
