// SPDX-License-Identifier: MIT
// Compares splines with tanh on `planted`, whose true nonlinearities are known, and the learned
// curves with the true ones.
//
// The target is a sum of four known curves of four known projections. A network with four hidden
// splines and a plain sum at its output has exactly that form, so each of its neurons can be
// compared with the curve whose projection it found.
#include <cmath>
#include <cstdio>
#include <exception>
#include <numeric>
#include <string_view>

#include <knotwork/figures.hpp>
#include <knotwork/knotwork.hpp>

namespace {

using namespace knotwork;

// Results depend on the start, so this takes the best of a few seeds by the training rows.
Model best_of(const Table& table, TrainOptions options, int seeds) {
  std::optional<Model> best;
  for (int seed = 0; seed < seeds; ++seed) {
    options.seed = static_cast<std::uint64_t>(seed);
    TableTask task;
    task.test_rows.resize(table.rows() * 3 / 10);
    std::iota(task.test_rows.begin(), task.test_rows.end(), std::size_t{0});
    Model model = train({table, task, options.seed}, options);
    if (!best || model.training.objective.value < best->training.objective.value) {
      best = std::move(model);
    }
  }
  return *std::move(best);
}

// A hidden neuron computes v * phi(a . x + b) in terms of the raw inputs.
struct Neuron {
  std::vector<double> direction;  // a, scaled to unit length
  double length = 0;              // |a| before scaling
  double bias = 0;
  double factor = 0;  // v, in the units of the target
  std::size_t index = 0;
};

std::vector<Neuron> hidden_neurons(const Model& model) {
  const Network& network = model.members.front();
  const auto weights = network.values(network.tensor("layers.0.weight"));
  const auto biases = network.values(network.tensor("layers.0.bias"));
  const auto output = network.values(network.tensor("layers.1.weight"));
  std::vector<Neuron> neurons;
  for (std::size_t h = 0; h < network.layers()[0].outputs; ++h) {
    Neuron neuron;
    neuron.index = h;
    neuron.bias = biases[h];
    neuron.factor = output[h] / model.targets[0].scaling.scale;
    for (std::size_t i = 0; i < network.inputs(); ++i) {
      const Scaling& scaling = model.inputs[i].scaling;
      const double a = weights[h * network.inputs() + i] * scaling.scale;
      neuron.direction.push_back(a);
      neuron.bias -= a * scaling.offset;
      neuron.length += a * a;
    }
    neuron.length = std::sqrt(neuron.length);
    for (double& a : neuron.direction) a /= neuron.length;
    neurons.push_back(std::move(neuron));
  }
  return neurons;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void show_curves(const Model& model) {
  for (const PlantedCurve& truth : planted_curves()) {
    const std::vector<Neuron> neurons = hidden_neurons(model);
    const Neuron* closest = &neurons[0];
    for (const Neuron& neuron : neurons) {
      if (std::fabs(dot(neuron.direction, truth.projection)) >
          std::fabs(dot(closest->direction, truth.projection))) {
        closest = &neuron;
      }
    }
    const double cosine = dot(closest->direction, truth.projection);
    const auto learned = [&](double z) {
      const double s = std::copysign(closest->length, cosine) * z + closest->bias;
      return closest->factor * model.members.front().activate(0, closest->index, s);
    };
    // A constant can be in the neuron or in the output's bias, so only shapes are compared.
    double shift = 0;
    constexpr int kPoints = 101;
    for (int k = 0; k < kPoints; ++k) {
      const double z = -2 + 4.0 * k / (kPoints - 1);
      shift += (truth.curve(z) - learned(z)) / kPoints;
    }
    double error = 0, spread = 0, mean = 0;
    for (int k = 0; k < kPoints; ++k) mean += truth.curve(-2 + 4.0 * k / (kPoints - 1)) / kPoints;
    for (int k = 0; k < kPoints; ++k) {
      const double z = -2 + 4.0 * k / (kPoints - 1);
      error += std::pow(truth.curve(z) - learned(z) - shift, 2);
      spread += std::pow(truth.curve(z) - mean, 2);
    }
    std::printf(
        "\n%s: neuron %zu, |cosine| between learned and true projection %.3f, "
        "curves differ by %.3f of their spread\n",
        truth.name.c_str(), closest->index, std::fabs(cosine), std::sqrt(error / spread));
    const auto lines = plot_curves(
        {{'.', truth.curve}, {'o', [&](double z) { return learned(z) + shift; }}}, {-2, 2, 60, 12});
    for (const std::string& line : lines) std::printf("%s\n", line.c_str());
  }
  std::printf("\n. true curve   o learned curve\n");
}

// With --table prints only the scores, as a Markdown table.
int run(bool table_only) {
  const Table table = make_builtin("planted");
  TrainOptions options;
  options.hidden = {4};
  options.output_activation = "identity";
  options.lambda_w = 1e-5;
  options.lambda_curvature = 1e-5;
  options.iterations = 600;
  TrainOptions tanh_options = options;
  tanh_options.activation = "tanh";
  const Model splines = best_of(table, options, 6);
  const Model tanhs = best_of(table, tanh_options, 6);

  if (!table_only) {
    std::printf("planted: %zu rows, noise %.3g, 30 %% for testing; 6-4-1, best of 6 starts\n\n",
                table.rows(), kPlantedNoise);
  }
  std::printf(
      "| 6-4-1 on `planted` | train NRMSE | test NRMSE | parameters |\n|---|---|---|---|\n");
  for (const auto& [name, model] : {std::pair{"spline", &splines}, std::pair{"tanh", &tanhs}}) {
    std::printf("| %s neurons | %.4f | %.4f | %zu |\n", name, model->training.train->nrmse,
                model->training.test->nrmse, model->members.front().parameters().size());
  }
  if (!table_only) show_curves(splines);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 && std::string_view(argv[1]) == "--table");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "example_planted: %s\n", error.what());
    return 1;
  }
}
