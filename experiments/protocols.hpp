// SPDX-License-Identifier: MIT
// A Protocol is a way of training that appears in the results by name.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/paper.hpp"

#include <knotwork/options.hpp>

namespace knotwork::experiments {

// The paper's network of 5 hidden neurons, "tanh" or "spline" everywhere, by conjugate gradient.
TrainOptions network_options(const std::string& network, const PaperOptimum& lambdas,
                             std::size_t iterations);

struct Protocol {
  std::string network;
  std::string optimizer;  // as in the results: cg, cg-path, adam, ...
  std::string summary;    // for readers
  TrainOptions options;
  // Whether the protocol minimizes the paper's objective, so that its errors can be compared with
  // the errors of the paper.
  bool is_papers = true;
};

// Adam makes one step where conjugate gradient makes a line search of 2 to 3 evaluations; with four
// times the iterations it has converged.
inline constexpr std::size_t kAdamSteps = 4;
// With this many times the line searches of conjugate gradient, L-BFGS comes close to the optimum:
// more searches change the errors by less than 0.002.
inline constexpr std::size_t kLbfgsSearches = 3;

std::vector<Protocol> scenario1_protocols(std::size_t iterations);

}  // namespace knotwork::experiments
