// SPDX-License-Identifier: MIT
#include "experiments/protocols.hpp"

#include <fmt/format.h>

namespace knotwork::experiments {

TrainOptions network_options(const std::string& network, const PaperOptimum& lambdas,
                             std::size_t iterations) {
  TrainOptions options = paper_options();
  options.activation = network;
  options.lambda_w = lambdas.lambda_w;
  options.lambda_q = lambdas.lambda_q.value_or(0);
  options.iterations = iterations;
  return options;
}

std::vector<Protocol> scenario1_protocols(std::size_t iterations) {
  const TrainOptions tanh =
      network_options("tanh", {kUnderfitting.lambda_w, std::nullopt}, iterations);
  const TrainOptions spline = network_options("spline", kUnderfitting, iterations);

  TrainOptions path = spline;
  path.warm_path = {0.01, 0.1, 1};

  TrainOptions adam = spline;
  adam.optimizer = "adam";
  adam.iterations = kAdamSteps * iterations;
  adam.rate = 1e-3;
  adam.control_point_rate = 3;
  adam.schedule = RateSchedule::cosine;

  TrainOptions lbfgs = path;
  lbfgs.optimizer = "lbfgs";
  lbfgs.iterations = kLbfgsSearches * iterations;
  lbfgs.lbfgs_memory = 50;

  TrainOptions weaker = path;
  weaker.warm_path.pop_back();

  return {{"tanh", "cg", "conjugate gradient from the Glorot start", tanh},
          {"spline", "cg", "conjugate gradient from the Glorot start", spline},
          {"spline", "cg-path", "conjugate gradient while λ_w rises in stages", path},
          {"spline", "adam", "Adam on all rows at once", adam},
          {"spline", "lbfgs-path", "L-BFGS along the same path, to convergence", lbfgs},
          {"spline", "cg-path-0.1",
           "for comparison, another objective than the paper's: the path of cg-path without its "
           "last stage, so λ_w = 0.1",
           weaker, false}};
}

}  // namespace knotwork::experiments
