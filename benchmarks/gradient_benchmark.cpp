// SPDX-License-Identifier: MIT
// The cost of one full gradient, splines beside tanh, for sizes small and large.
// Compare rows of one run with each other: absolute times depend on the machine and its load.
#include <benchmark/benchmark.h>

#include <knotwork/knotwork.hpp>

namespace {

using namespace knotwork;

template <class T>
void full_gradient(benchmark::State& state, const std::vector<std::size_t>& sizes,
                   const std::string& activation, std::size_t rows) {
  const auto kind = builtin_activations().at(activation).make({});
  Network network = make_network(sizes, kind, kind);
  network.initialise(1);
  std::vector<T> inputs(rows * sizes.front()), targets(rows * sizes.back());
  const Random random(1, Purpose::builtin_inputs);
  for (std::size_t k = 0; k < inputs.size(); ++k) inputs[k] = static_cast<T>(random.normal(k));
  for (std::size_t k = 0; k < targets.size(); ++k) targets[k] = static_cast<T>(random.uniform(k));
  Objective objective(network,
                      Samples<T>{column_major(std::span<const T>(inputs), rows, sizes.front()),
                                 column_major(std::span<const T>(targets), rows, sizes.back()),
                                 {}},
                      {});
  std::vector<double> gradient(objective.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(objective.evaluate(network.parameters(), gradient));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows));
}

#define GRADIENT(name, ...)                                                               \
  BENCHMARK_CAPTURE(full_gradient<float>, name##_spline, {__VA_ARGS__}, "spline", 8192);  \
  BENCHMARK_CAPTURE(full_gradient<float>, name##_tanh, {__VA_ARGS__}, "tanh", 8192);      \
  BENCHMARK_CAPTURE(full_gradient<double>, name##_spline, {__VA_ARGS__}, "spline", 8192); \
  BENCHMARK_CAPTURE(full_gradient<double>, name##_tanh, {__VA_ARGS__}, "tanh", 8192)

GRADIENT(8_5_1, 8, 5, 1);
GRADIENT(8_64_1, 8, 64, 1);
GRADIENT(64_64_1, 64, 64, 1);

}  // namespace
