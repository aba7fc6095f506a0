// SPDX-License-Identifier: MIT
// A spline adaptive filter identifies a nonlinear system online, sample by sample.
//
// The unknown system is of Wiener type: a linear filter (5 taps) followed by a static curve. The
// adaptive filter has the same form, which is one spline neuron whose inputs are a tapped delay
// line:
//     s[n] = w . (x[n], x[n-1], ..),  y[n] = phi(s[n]),  e[n] = d[n] - y[n].
// For each sample, weights and control points take one step down the gradient of e[n]^2, with
// separate step sizes (M. Scarpiniti, D. Comminiello, R. Parisi, A. Uncini, Nonlinear spline
// adaptive filtering, Signal Processing 93, 2013, which inspired today's spline networks).
//
// The error falls to the noise level. With a file name as argument, the learned curve is written
// there.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <vector>

#include <knotwork/figures.hpp>
#include <knotwork/knotwork.hpp>

namespace {

using namespace knotwork;

constexpr std::size_t kTaps = 5, kSamples = 40'000, kWindow = 2'000;
constexpr double kNoise = 0.01;  // standard deviation: errors cannot fall below -40 dB
constexpr double kWeightStep = 0.002, kCurveStep = 0.1;

const std::vector<double> kTrueTaps = {0.6, -0.4, 0.25, -0.15, 0.1};
double true_curve(double z) {
  return std::tanh(2 * z) + 0.3 * std::sin(3 * z);
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// One spline neuron: initially a straight line and one tap.
Network make_filter() {
  SplineOptions spline;
  spline.init = "identity";
  spline.init_noise = 0;
  spline.range = 3;
  spline.knots = 31;
  Network filter({{kTaps, 1, make_spline_activation(spline)}});
  filter.initialize(1);
  const auto weights = filter.values(filter.tensor("layers.0.weight"));
  std::fill(weights.begin(), weights.end(), 0.0);
  weights[0] = 1;
  return filter;
}

// The step size of each parameter. A bias would only move the curve sideways, so it stays at 0.
std::vector<double> step_sizes(const Network& filter) {
  std::vector<double> sizes(filter.parameters().size());
  for (const TensorInfo& tensor : filter.tensors()) {
    const double size = tensor.group == ParameterGroup::weight       ? kWeightStep
                        : tensor.group == ParameterGroup::activation ? kCurveStep
                                                                     : 0;
    for (std::size_t k = 0; tensor.trained && k < tensor.size; ++k) sizes[tensor.offset + k] = size;
  }
  return sizes;
}

// Learns in place; returns the mean squared error of the last samples, in dB.
double identify(Network& filter) {
  std::vector<double> line(kTaps), target(1);  // the filter's current input and target
  Objective squared_error(filter,
                          Samples<double>{column_major(std::span<const double>(line), 1, kTaps),
                                          column_major(std::span<const double>(target), 1, 1)},
                          {});
  const std::vector<double> sizes = step_sizes(filter);
  const std::span<double> parameters = filter.parameters();
  std::vector<double> gradient(parameters.size());
  const Random signal(1, Purpose::builtin_inputs), noise(1, Purpose::builtin_noise);

  double sum = 0, decibels = 0;
  for (std::size_t n = 0; n < kSamples; ++n) {
    std::shift_right(line.begin(), line.end(), 1);
    line[0] = std::sqrt(3.0) * (2 * signal.uniform(n) - 1);  // of variance 1
    target[0] = true_curve(dot(kTrueTaps, line)) + kNoise * noise.normal(n);
    sum += squared_error.evaluate(parameters, gradient);
    for (std::size_t k = 0; k < parameters.size(); ++k) parameters[k] -= sizes[k] * gradient[k];
    if ((n + 1) % kWindow != 0) continue;
    decibels = 10 * std::log10(sum / kWindow);
    sum = 0;
    if ((n + 1) % (2 * kWindow) == 0 || n < kWindow) {
      std::printf("samples up to %6zu  mean squared error %6.1f dB\n", n + 1, decibels);
    }
  }
  return decibels;
}

int run(const std::filesystem::path& figure) {
  Network filter = make_filter();
  const double decibels = identify(filter);

  // Filter and curve are known up to a factor: twice the taps and a curve twice as wide are the
  // same system. The ratio of learned and true taps puts the curve on the true scale.
  const auto taps = filter.values(filter.tensor("layers.0.weight"));
  const double scale = dot(taps, kTrueTaps) / dot(kTrueTaps, kTrueTaps);
  const double cosine = scale * std::sqrt(dot(kTrueTaps, kTrueTaps) / dot(taps, taps));
  ActivationPanel panel;
  panel.title = "curve of the system";
  double farthest = 0;
  for (int k = -100; k <= 100; ++k) {
    const double z = 2 * k / 100.0;  // 2.5 standard deviations of the curve's input
    panel.truth.push_back({z, true_curve(z)});
    panel.initial.push_back({z, z});
    panel.learned.push_back({z, filter.activate(0, 0, scale * z)});
    farthest = std::max(farthest, std::fabs(panel.learned.back().y - true_curve(z)));
  }
  ActivationFigureOptions options;
  options.title = "spline adaptive filter";
  options.x_label = "output of the true linear part";
  std::ofstream(figure) << activation_figure({panel}, options);

  std::printf("\ntaps: cosine %.4f with the true ones, scaled by %.3f\n", cosine, scale);
  std::printf("curve: off by at most %.3f; drawn in %s\n", farthest, figure.string().c_str());
  // The error stays somewhat above the noise, because the steps never end.
  const bool found = decibels < -38.8 && cosine > 0.9999 && farthest < 0.05;
  if (!found) std::fprintf(stderr, "example_spline_adaptive_filter: the system was not found\n");
  return found ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? std::filesystem::path(argv[1])
                        : std::filesystem::temp_directory_path() / "spline_adaptive_filter.svg");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "example_spline_adaptive_filter: %s\n", error.what());
    return 1;
  }
}
