// SPDX-License-Identifier: MIT
// EigenNetwork is the peer: a tanh network as users write it with Eigen. The header has plain types
// only, because eigen_network.cpp is compiled with other flags and another namespace name of Eigen.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace bench {

class EigenNetwork {
 public:
  virtual ~EigenNetwork() = default;
  // Mean over rows of the squared error; gradient() then returns the gradient.
  virtual float evaluate() = 0;
  // Layer by layer: weights [out, in], then biases.
  virtual std::vector<float> gradient() const = 0;
  virtual std::string variant() const = 0;
};

// Inputs and targets are row by row. Tries layouts, block lengths and ways to multiply, and returns
// the fastest for these sizes.
std::unique_ptr<EigenNetwork> make_eigen_network(const std::vector<std::size_t>& sizes,
                                                 const std::vector<float>& parameters,
                                                 const std::vector<float>& inputs,
                                                 const std::vector<float>& targets);

// y = tanh(s), then ds = dy * (1 - y^2).
void eigen_tanh_both_ways(const float* s, const float* dy, float* y, float* ds, std::size_t n);

std::string eigen_version();  // with the instruction set that it was compiled for
// Whether this processor can run what the file was compiled for.
bool eigen_network_runs_here();

}  // namespace bench
