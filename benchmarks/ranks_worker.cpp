// SPDX-License-Identifier: MIT
// Times several processes for scripts/bench; MPI's launcher starts them. Rank 0 receives requests
// and answers line by line like worker.cpp; the other ranks follow it:
//   prepare JOB
//   time JOB
// JOB is "gradient SHAPE ROWS MODE" (splines, float, one thread) or "sum NUMBERS", which adds that
// many numbers of all ranks in the way gradients are added. MODE is "one" (rank 0, all rows),
// "shared" (all ranks divide the rows and add the results), "part" (rank 0, the rows of one rank)
// or
// "parts" (every rank its own rows, without a message until all are done).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "cli/program/mpi_ranks.hpp"
#include "job.hpp"
#include "objective/subtrees.hpp"
#include "problem.hpp"

namespace bench {
namespace {

using namespace knotwork;

constexpr int kRepetitions = 5;  // fixed, because all ranks must use the same number

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

struct RankJob {
  std::function<void()> run = {};  // empty: this rank has nothing to do
  bool together = true;            // false: rank 0 alone
  int calls = 1;                   // calls of run in one timing
};

// The fastest and the mean of a call, then the same of this rank's processor time, in nanoseconds.
std::string time(Ranks& ranks, const RankJob& job) {
  double fastest = 1e300, total = 0, fastest_processor = 1e300, total_processor = 0;
  for (int k = 0; k <= kRepetitions; ++k) {
    if (job.together) ranks.meet();
    const std::clock_t processor_begin = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    for (int call = 0; call < job.calls && job.run; ++call) job.run();
    if (job.together) ranks.meet();
    const std::chrono::duration<double, std::nano> wall = std::chrono::steady_clock::now() - begin;
    const double processor =
        1e9 * static_cast<double>(std::clock() - processor_begin) / CLOCKS_PER_SEC;
    if (k == 0) continue;  // warm-up: earlier jobs have displaced the caches
    fastest = std::min(fastest, wall.count() / job.calls);
    total += wall.count() / job.calls;
    fastest_processor = std::min(fastest_processor, processor / job.calls);
    total_processor += processor / job.calls;
  }
  std::ostringstream out;
  out << fastest << ' ' << total / kRepetitions << ' ' << fastest_processor << ' '
      << total_processor / kRepetitions;
  return out.str();
}

RankJob make_gradient(Ranks& ranks, const SharedProblem& problem, const std::string& mode) {
  const bool together = mode == "shared" || mode == "parts";
  if (!together && mode != "one" && mode != "part") {
    throw std::invalid_argument("there is no such mode");
  }
  if (!together && !ranks.is_first()) return {.together = false};
  ObjectiveOptions options;
  if (mode == "shared") options.ranks = &ranks;
  const bool all_rows = mode == "shared" || mode == "one";
  const auto objective = std::make_shared<Objective>(
      problem.network, all_rows ? problem.samples() : problem.samples_of(ranks), options);
  const auto gradient = std::make_shared<std::vector<double>>(objective->size());
  return {
      .run = [=, &problem] { keep(objective->evaluate(problem.network.parameters(), *gradient)); },
      .together = together};
}

RankJob make_sum(Ranks& ranks, std::size_t numbers) {
  const auto own = std::make_shared<Subtrees>(numbers);
  own->append(ranks.rank(), 1, std::vector<double>(numbers, 1.0));
  return {.run = [=, &ranks] { keep(own->add_up(ranks).data()); }, .calls = 1000};
}

struct Jobs {
  std::map<std::string, SharedProblem> problems;  // by shape and rows
  std::map<std::string, RankJob> jobs;            // by their arguments
};

RankJob make_job(Ranks& ranks, const std::vector<std::string>& words, Jobs& all) {
  if (words.size() == 3 && words[1] == "sum") return make_sum(ranks, number(words[2]));
  if (words.size() != 5 || words[1] != "gradient") {
    throw std::invalid_argument("there is no such job");
  }
  const std::string size = words[2] + " " + words[3];
  auto problem = all.problems.find(size);
  if (problem == all.problems.end()) {
    problem = all.problems.try_emplace(size, words[2], number(words[3])).first;
  }
  return make_gradient(ranks, problem->second, words[4]);
}

std::string answer(Ranks& ranks, const std::string& line, Jobs& all) {
  const std::vector<std::string> words = words_of(line);
  if (words.empty()) throw std::invalid_argument("there is no such job");
  const std::string name = line.substr(words[0].size());
  auto job = all.jobs.find(name);
  if (job == all.jobs.end()) job = all.jobs.emplace(name, make_job(ranks, words, all)).first;
  if (words[0] == "prepare") return "";
  if (words[0] == "time") return time(ranks, job->second);
  throw std::invalid_argument("this cannot be asked of" + name);
}

// The request that rank 0 received; an empty line ends all ranks.
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
