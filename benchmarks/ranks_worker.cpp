// SPDX-License-Identifier: MIT
// What scripts/bench times of several processes, started by MPI's launcher. Rank 0 is asked and
// answers line by line like worker.cpp; the others follow it:
//   prepare gradient SHAPE ROWS MODE
//   time gradient SHAPE ROWS MODE    splines, float, one thread
// MODE is "one" (rank 0, all rows), "shared" (all ranks share the rows and add up), "part" (rank 0,
// the rows of one rank) or "parts" (every rank its own rows, without a message until all are done).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "cli/mpi_ranks.hpp"
#include "job.hpp"
#include "problem.hpp"

namespace bench {
namespace {

using namespace knotwork;

constexpr int kRepetitions = 5;  // all ranks must know, so that it does not depend on the time

// A network and the rows of all ranks.
struct SharedProblem {
  SharedProblem(const std::string& shape, std::size_t rows)
      : network(make_network(sizes_of(shape), "spline", 21)),
        inputs(make_inputs<float>(rows, network.inputs())),
        targets(make_targets<float>(rows, network.outputs())) {}

  Samples<float> samples() const { return {inputs.view(), targets.view()}; }
  Samples<float> samples_of(const Ranks& ranks) const {
    const std::size_t rows = inputs.rows / ranks.size(), first = ranks.rank() * rows;
    const auto own = [&](MatrixView<const float> all) {
      return MatrixView<const float>{all.data + first, rows, all.columns, 1, all.column_stride};
    };
    return {own(inputs.view()), own(targets.view())};
  }

  Network network;
  Columns<float> inputs, targets;
};

class RankGradient {
 public:
  RankGradient(Ranks& ranks, const SharedProblem& problem, const std::string& mode)
      : ranks_(ranks), problem_(problem), together_(mode == "shared" || mode == "parts") {
    if (!together_ && mode != "one" && mode != "part") {
      throw std::invalid_argument("there is no such mode");
    }
    if (!together_ && !ranks.is_first()) return;
    ObjectiveOptions options;
    if (mode == "shared") options.ranks = &ranks;
    const bool all_rows = mode == "shared" || mode == "one";
    objective_ = std::make_unique<Objective>(
        problem.network, all_rows ? problem.samples() : problem.samples_of(ranks), options);
    gradient_.resize(objective_->size());
  }

  // The fastest and the mean, then the same of this rank's processor time, in nanoseconds.
  std::string time() {
    double fastest = 1e300, total = 0, fastest_processor = 1e300, total_processor = 0;
    for (int k = 0; k <= kRepetitions; ++k) {
      if (together_) ranks_.meet();
      const std::clock_t processor_begin = std::clock();
      const auto begin = std::chrono::steady_clock::now();
      if (objective_) keep(objective_->evaluate(problem_.network.parameters(), gradient_));
      if (together_) ranks_.meet();
      const std::chrono::duration<double, std::nano> wall =
          std::chrono::steady_clock::now() - begin;
      const double processor =
          1e9 * static_cast<double>(std::clock() - processor_begin) / CLOCKS_PER_SEC;
      if (k == 0) continue;  // what ran in between has taken the caches
      fastest = std::min(fastest, wall.count());
      total += wall.count();
      fastest_processor = std::min(fastest_processor, processor);
      total_processor += processor;
    }
    std::ostringstream out;
    out << fastest << ' ' << total / kRepetitions << ' ' << fastest_processor << ' '
        << total_processor / kRepetitions;
    return out.str();
  }

 private:
  Ranks& ranks_;
  const SharedProblem& problem_;
  bool together_;                         // or rank 0 alone
  std::unique_ptr<Objective> objective_;  // null: this rank has nothing to do
  std::vector<double> gradient_;
};

struct Jobs {
  std::map<std::string, SharedProblem> problems;  // by shape and rows
  std::map<std::string, RankGradient> gradients;  // by shape, rows and mode
};

std::string answer(Ranks& ranks, const std::string& line, Jobs& jobs) {
  const std::vector<std::string> words = words_of(line);
  if (words.size() != 5 || words[1] != "gradient") {
    throw std::invalid_argument("there is no such job");
  }
  const std::string size = words[2] + " " + words[3], name = size + " " + words[4];
  auto found = jobs.gradients.find(name);
  if (found == jobs.gradients.end()) {
    auto problem = jobs.problems.find(size);
    if (problem == jobs.problems.end()) {
      problem = jobs.problems.try_emplace(size, words[2], number(words[3])).first;
    }
    found = jobs.gradients.try_emplace(name, ranks, problem->second, words[4]).first;
  }
  if (words[0] == "prepare") return "";
  if (words[0] == "time") return found->second.time();
  throw std::invalid_argument("this cannot be asked of " + name);
}

// What rank 0 was asked; an empty line ends all.
std::string next_line(Ranks& ranks) {
  std::string line;
  if (ranks.is_first()) std::getline(std::cin, line);
  const Ranks::Bytes bytes = ranks.from_first(Ranks::Bytes(line.begin(), line.end()));
  return {bytes.begin(), bytes.end()};
}

}  // namespace
}  // namespace bench

int main() {
  try {
    knotwork::cli::MpiRanks ranks;
    bench::Jobs jobs;
    for (std::string line; !(line = bench::next_line(ranks)).empty();) {
      std::string reply;
      try {
        reply = "ok " + bench::answer(ranks, line, jobs);
      } catch (const std::exception& error) {
        reply = std::string("error ") + error.what();
      }
      if (ranks.is_first()) std::cout << reply << std::endl;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_ranks: %s\n", error.what());
    return 1;
  }
  return 0;
}
