// SPDX-License-Identifier: MIT
#include "training/run/network_design.hpp"

#include <algorithm>
#include <cmath>

#include <knotwork/random.hpp>
#include <knotwork/spline.hpp>

namespace knotwork::training {
namespace {

// From this depth on the initialization `auto` scales weights by the variance of the neurons'
// inputs.
constexpr std::size_t kDeep = 3;

SplineOptions bank_options(const TrainOptions& options) {
  SplineOptions bank = options.spline;
  bank.knots = options.input_knots;
  return bank;
}

bool is_trained(const Activation& activation) {
  const auto tensors = activation.tensors();
  return std::any_of(tensors.begin(), tensors.end(), [](const auto& t) { return t.trained; });
}

// The range of a column's scaled training values.
struct Span {
  double low, high;
};

Span span_of(const InputColumn& input) {
  const bool known = input.low <= input.high;
  const double low = input.scaling.apply(known ? input.low : 0);
  const double high = input.scaling.apply(known ? input.high : 1);
  return low < high ? Span{low, high} : Span{low - 1, low + 1};
}

// The units of an input start as smooth steps at places that are spread over its range: together
// they encode the position of the input, and the first dense layer needs only a mixture of a few of
// them. The first unit is a straight line. Places and widths are drawn, so that members of an
// ensemble differ.
void start_bank(Network& network, const Model& model, const TrainOptions& options,
                std::uint64_t seed) {
  const Layer& bank = network.layers().front();
  const SplineBasis basis = spline_basis(options.spline.basis, options.spline.tension);
  const std::size_t units = bank.outputs / bank.inputs, points = options.input_knots;
  const Random random(seed, Purpose::bank);
  const auto numbers = [&](const char* name) {
    return network.values(network.tensor(std::string("layers.0.activation.") + name));
  };
  for (std::size_t neuron = 0; neuron < bank.outputs; ++neuron) {
    const Span span = span_of(model.inputs[neuron / units]);
    const double half = (span.high - span.low) / 2;
    const double step = 2 * half / static_cast<double>(points - 3);
    const Knots knots{span.low - step, step, points};
    const std::size_t unit = neuron % units;
    const double place = (static_cast<double>(unit) - 1 + random.uniform(2 * neuron)) /
                         static_cast<double>(std::max<std::size_t>(units - 1, 1));
    const double center = std::lerp(span.low, span.high, place);
    const double steepness =
        std::exp(std::log(static_cast<double>(units) / 2) * random.uniform(2 * neuron + 1)) * 2 /
        half;
    InitialFunction start{"step", [&](double x) { return std::tanh(steepness * (x - center)); },
                          [&](double x) {
                            const double y = std::tanh(steepness * (x - center));
                            return steepness * (1 - y * y);
                          }};
    if (unit == 0) {
      const double middle = span.low + half;
      start = {"line", [=](double x) { return (x - middle) / half; },
               [=](double) { return 1 / half; }};
    }
    const std::vector<double> fitted = fit_control_points(basis, knots, start);
    numbers("first_knot")[neuron] = knots.first;
    numbers("step")[neuron] = knots.step;
    for (const char* tensor : {"control_points", "anchor"}) {
      std::copy(fitted.begin(), fitted.end(),
                numbers(tensor).begin() + static_cast<std::ptrdiff_t>(neuron * points));
    }
  }
}

}  // namespace

Network design_network(const Model& model, const TrainOptions& options) {
  const ActivationTable& table = options.activations ? *options.activations : builtin_activations();
  const auto make = [&](const std::string& name) {
    return table.at(name).make(name == "spline" ? make_spline_activation(options.spline)->settings()
                                                : Settings{});
  };
  std::string output = options.output_activation;
  if (output == "same") output = options.activation;
  if (output == "auto") {
    output = options.activation == "spline" && !model.classifies() ? "spline" : "identity";
  }
  std::vector<Layer> layers;
  std::size_t inputs = model.inputs.size();
  if (options.input_splines > 0) {
    layers.push_back({inputs, inputs * options.input_splines,
                      make_spline_activation(bank_options(options)), LayerKind::bank});
    inputs *= options.input_splines;
  }
  const std::size_t first = layers.size();
  for (std::size_t neurons : options.hidden) {
    layers.push_back({inputs, neurons, make(options.activation)});
    layers.back().residual = options.residual && layers.size() > first + 1 && inputs == neurons;
    inputs = neurons;
  }
  layers.push_back({inputs, model.outputs(), make(output)});
  for (std::size_t l = first; l < layers.size(); ++l) {
    const bool same = layers[l].activation->name() == options.activation;
    if (same && is_trained(*layers[l].activation)) layers[l].sharing = options.sharing;
  }
  return Network(std::move(layers));
}

void start_network(Network& network, const Model& model, const TrainOptions& options,
                   std::uint64_t seed) {
  const bool deep = options.hidden.size() >= kDeep;
  const bool by_variance = options.start == "variance" || (options.start == "auto" && deep);
  network.initialize(seed, by_variance ? WeightStart::unit_variance : WeightStart::glorot);
  if (options.input_splines > 0) start_bank(network, model, options, seed);
}

}  // namespace knotwork::training
