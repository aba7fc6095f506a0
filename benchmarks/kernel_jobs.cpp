// SPDX-License-Identifier: MIT
// Times parts of a pass, and the speed of the machine itself:
//   spline-kernel N          one curve over N values: value, slope, both gradients
//   tanh-kernel N            the same for our own tanh
//   eigen-tanh N             the same for Eigen's
//   multiply-add THREADS     independent loops, one in each thread
#include <algorithm>
#include <thread>

#include "eigen_network.hpp"
#include "job.hpp"
#include "problem.hpp"

#include <knotwork/activation.hpp>

namespace bench {
namespace {

using namespace knotwork;

struct Row {
  explicit Row(std::size_t n)
      : s(make_inputs<float>(n, 1).values), dy(s), y(n), slope(n), ds(n), place(n), notes(n) {}
  std::vector<float> s, dy, y, slope, ds, place, notes;
};

Job make_activation_kernel(const std::string& name, std::size_t n) {
  struct State {
    Network network;
    Row row;
    std::vector<float> table, scratch;
  };
  const auto state = std::make_shared<State>(State{make_network({1, 1}, name, 21), Row(n), {}, {}});
  const Activation* activation = state->network.layers()[0].activation.get();
  state->table.resize(activation->table_size());
  state->scratch.resize(activation->scratch_size());
  const auto tensors = state->network.activation_tensors(0, 0, state->network.parameters());
  const std::vector<ActivationTensor> kinds = activation->tensors();
  std::vector<std::vector<float>> floats(kinds.size());
  NeuronTensors<const float> places{};
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    floats[k].assign(tensors[k], tensors[k] + kinds[k].size);
    places[k] = floats[k].data();
  }
  activation->prepare(places, state->table.data());
  return {[=] {
    Row& row = state->row;
    // Both ways work in place, so they need fresh numbers every time.
    std::copy(row.s.begin(), row.s.end(), row.place.begin());
    activation->forward_noted(state->table.data(), row.place.data(), row.y.data(), row.slope.data(),
                              row.notes.data(), n);
    if (state->scratch.empty()) {
      for (std::size_t k = 0; k < n; ++k) row.ds[k] = row.dy[k] * row.slope[k];
    } else {
      std::copy(row.dy.begin(), row.dy.end(), row.ds.begin());
      std::fill(state->scratch.begin(), state->scratch.end(), 0.0F);
      activation->backward(state->table.data(), row.place.data(), row.notes.data(),
                           row.slope.data(), row.ds.data(), state->scratch.data(), n);
    }
    keep(row.ds.data());
  }};
}

Job make_eigen_tanh(std::size_t n) {
  const auto row = std::make_shared<Row>(n);
  return {[=] {
    eigen_tanh_both_ways(row->s.data(), row->dy.data(), row->y.data(), row->ds.data(), n);
    keep(row->ds.data());
  }};
}

// Registers only: what two threads reach here is the limit of the machine.
void multiply_add() {
  float sums[16] = {};
  for (int k = 0; k < 400'000; ++k) {
    for (float& sum : sums) sum = sum * 0.999F + 1.0F;
    keep(sums[0]);
  }
  keep(sums);
}

Job make_multiply_add(std::size_t threads) {
  return {[=] {
    std::vector<std::jthread> others;
    for (std::size_t k = 1; k < threads; ++k) others.emplace_back(multiply_add);
    multiply_add();
  }};
}

}  // namespace

Job make_kernel_job(Words words) {
  if (words.size() != 2) return {};
  if (words[0] == "spline-kernel") return make_activation_kernel("spline", number(words[1]));
  if (words[0] == "tanh-kernel") return make_activation_kernel("tanh", number(words[1]));
  if (words[0] == "eigen-tanh") return make_eigen_tanh(number(words[1]));
  if (words[0] == "multiply-add") return make_multiply_add(number(words[1]));
  return {};
}

}  // namespace bench
