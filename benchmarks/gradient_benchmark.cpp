// SPDX-License-Identifier: MIT
// The cost of one full gradient, splines beside tanh, for sizes small and large.
// Compare rows of one run with each other: absolute times depend on the machine and its load.
#include <benchmark/benchmark.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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

template <class T>
void register_pair(const std::string& shape, const std::vector<std::size_t>& sizes) {
  constexpr std::size_t kRows = 8192;
  const std::string precision(std::is_same_v<T, float> ? "float" : "double");
  for (const std::string activation : {"spline", "tanh"}) {
    benchmark::RegisterBenchmark(
        (shape + "/" + activation + "/" + precision).c_str(),
        [=](benchmark::State& state) { full_gradient<T>(state, sizes, activation, kRows); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto& [shape, sizes] : std::vector<std::pair<std::string, std::vector<std::size_t>>>{
           {"8-5-1", {8, 5, 1}}, {"8-64-1", {8, 64, 1}}, {"64-64-1", {64, 64, 1}}}) {
    register_pair<float>(shape, sizes);
    register_pair<double>(shape, sizes);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
