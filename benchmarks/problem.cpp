// SPDX-License-Identifier: MIT
#include "problem.hpp"

#include <sstream>

#include "job.hpp"

#include <knotwork/random.hpp>

namespace bench {

using namespace knotwork;

std::vector<std::size_t> sizes_of(const std::string& shape) {
  std::vector<std::size_t> sizes;
  std::istringstream in(shape);
  for (std::string size; std::getline(in, size, '-');) sizes.push_back(number(size));
  return sizes;
}

Network make_network(const std::vector<std::size_t>& sizes, const std::string& activation,
                     std::size_t knots) {
  const auto make = [&](const std::string& name) {
    SplineOptions spline;
    spline.knots = knots;
    return name == "spline" ? make_spline_activation(spline)
                            : builtin_activations().at(name).make({});
  };
  const std::size_t plus = activation.find('+');
  const auto hidden = make(activation.substr(0, plus));
  const auto output = plus == std::string::npos ? hidden : make(activation.substr(plus + 1));
  Network network = knotwork::make_network(sizes, hidden, output);
  network.initialize(1);
  const Random random(2, Purpose::weights);
  for (const TensorInfo& tensor : network.tensors()) {
    if (tensor.group != ParameterGroup::bias) continue;
    std::span<double> bias = network.values(tensor);
    for (std::size_t k = 0; k < bias.size(); ++k) bias[k] = 0.1 * random.normal(tensor.offset + k);
  }
  for (double& parameter : network.parameters()) parameter = static_cast<float>(parameter);
  return network;
}

template <class T>
std::vector<float> Columns<T>::by_row() const {
  std::vector<float> result;
  result.reserve(values.size());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < width; ++c) {
      result.push_back(static_cast<float>(values[c * rows + r]));
    }
  }
  return result;
}

namespace {

// Row r of a longer set is row r of a shorter one.
template <class T>
Columns<T> make_columns(std::size_t rows, std::size_t width, const auto& draw) {
  Columns<T> columns{rows, width, std::vector<T>(rows * width)};
  for (std::size_t c = 0; c < width; ++c) {
    for (std::size_t r = 0; r < rows; ++r) {
      columns.values[c * rows + r] = static_cast<T>(static_cast<float>(draw(r * width + c)));
    }
  }
  return columns;
}

}  // namespace

template <class T>
Columns<T> make_inputs(std::size_t rows, std::size_t width) {
  const Random random(3, Purpose::builtin_inputs);
  return make_columns<T>(rows, width, [&](std::size_t k) { return random.normal(k); });
}

template <class T>
Columns<T> make_targets(std::size_t rows, std::size_t width) {
  const Random random(4, Purpose::builtin_noise);
  return make_columns<T>(rows, width, [&](std::size_t k) { return random.uniform(k); });
}

template <class T>
Problem<T>::Problem(const std::string& shape, std::size_t rows, const std::string& activation,
                    std::size_t knots, std::size_t threads, std::size_t batch)
    : network(make_network(sizes_of(shape), activation, knots)),
      inputs(make_inputs<T>(rows, network.inputs())),
      targets(make_targets<T>(rows, network.outputs())),
      objective(network, Samples<T>{inputs.view(), targets.view(), {}},
                {.loss = {}, .regularizers = {}, .threads = threads, .batch = batch}),
      gradient(objective.size()) {}

template struct Columns<float>;
template struct Columns<double>;
template struct Problem<float>;
template struct Problem<double>;
template Columns<float> make_inputs(std::size_t, std::size_t);
template Columns<float> make_targets(std::size_t, std::size_t);

}  // namespace bench
