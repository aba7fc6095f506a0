// SPDX-License-Identifier: MIT
// Times gradients and epochs of whole networks:
//   gradient SHAPE ROWS ACTIVATION PRECISION THREADS [KNOTS]
//   eigen-gradient SHAPE ROWS              tanh in every layer, float, one thread
//   epoch SHAPE ROWS BATCH THREADS         mini-batch Adam, tanh and a linear output, float
#include <memory>

#include "eigen_network.hpp"
#include "job.hpp"
#include "problem.hpp"

#include <knotwork/optimizer.hpp>

namespace bench {
namespace {

using namespace knotwork;

std::vector<float> as_floats(std::span<const double> values) {
  std::vector<float> floats;
  for (double value : values) floats.push_back(static_cast<float>(value));
  return floats;
}

void write_result(const std::filesystem::path& path, double loss,
                  std::span<const double> gradient) {
  std::vector<double> all = {loss};
  all.insert(all.end(), gradient.begin(), gradient.end());
  write_file<double>(path, all);
}

// The numbers that peers start from, and our results for them.
template <class T>
void write_problem(Problem<T>& problem, const std::filesystem::path& folder) {
  write_file<float>(folder / "inputs", problem.inputs.by_row());
  write_file<float>(folder / "targets", problem.targets.by_row());
  write_file<float>(folder / "parameters", as_floats(problem.network.parameters()));
  const double loss = problem.objective.evaluate(problem.network.parameters(), problem.gradient);
  write_result(folder / "ours", loss, problem.gradient);
}

template <class T>
Job make_gradient(Words words) {
  const auto problem =
      std::make_shared<Problem<T>>(words[1], number(words[2]), words[3],
                                   words.size() > 6 ? number(words[6]) : 21, number(words[5]));
  return {
      [=] { keep(problem->objective.evaluate(problem->network.parameters(), problem->gradient)); },
      [=](const std::filesystem::path& folder) { write_problem(*problem, folder); }};
}

Job make_eigen_gradient(Words words) {
  const Problem<float> problem(words[1], number(words[2]), "tanh", 21, 1);
  const std::shared_ptr<EigenNetwork> network =
      make_eigen_network(sizes_of(words[1]), as_floats(problem.network.parameters()),
                         problem.inputs.by_row(), problem.targets.by_row());
  return {[=] { keep(network->evaluate()); },
          [=](const std::filesystem::path& folder) {
            const auto loss = static_cast<double>(network->evaluate());
            const std::vector<float> floats = network->gradient();
            write_result(folder / "peer", loss, std::vector<double>(floats.begin(), floats.end()));
          },
          network->variant()};
}

Job make_epoch(Words words) {
  struct Training {
    Problem<float> problem;
    std::unique_ptr<Optimizer> optimizer;
  };
  const std::shared_ptr<Training> training(new Training{
      {words[1], number(words[2]), "tanh+identity", 21, number(words[4]), number(words[3])},
      builtin_optimizers().at("adam").make({})});
  training->optimizer->start(training->problem.objective, training->problem.network.parameters());
  return {[=] { keep(training->optimizer->iterate(training->problem.objective)); },
          [=](const std::filesystem::path& folder) { write_problem(training->problem, folder); }};
}

}  // namespace

Job make_network_job(Words words) {
  if (words[0] == "gradient" && words.size() >= 6) {
    return words[4] == "float" ? make_gradient<float>(words) : make_gradient<double>(words);
  }
  if (words[0] == "eigen-gradient" && words.size() == 3) return make_eigen_gradient(words);
  if (words[0] == "epoch" && words.size() == 5) return make_epoch(words);
  return {};
}

}  // namespace bench
