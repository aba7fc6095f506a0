// SPDX-License-Identifier: MIT
// The C++ worker of scripts/bench times Knotwork and Eigen. It reads requests from its input and
// answers each with one line, so that bench.py can use it and the other workers in turn:
//   about             our version and Eigen's (empty: it cannot run here), with instruction sets
//   prepare JOB...    prepares a job; answers its remark, if any
//   time JOB...       nanoseconds of one repetition, out of about 50 ms: the fastest, the mean, and
//                     the same two in processor time of all threads
//   count JOB...      allocations in one repetition
//   write DIR JOB...  writes results into a folder
//   run JOB...        runs once, and discards the job
// An answer begins with "ok" or "error".
//
// peers.py measures in the same way; keep both alike.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "eigen_network.hpp"
#include "job.hpp"

#include <knotwork/instruction_set.hpp>
#include <knotwork/version.hpp>

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kSlotNs = 50e6;  // of work for each answer
constexpr double kBatchNs = 2e6;  // of one timing; the cost of the clock is then negligible
constexpr double kLongNs = 5e8;   // of one repetition; beyond this, cold caches hardly matter

struct Span {
  double wall, processor;  // nanoseconds
};

double processor_ns() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

Span measure(const Job& job, std::size_t repetitions) {
  const double processor = processor_ns();
  const auto start = Clock::now();
  for (std::size_t k = 0; k < repetitions; ++k) job.run();
  const std::chrono::duration<double, std::nano> wall = Clock::now() - start;
  return {wall.count(), processor_ns() - processor};
}

struct PreparedJob {
  Job job;
  std::size_t batch = 1;  // repetitions
  bool is_long;

  explicit PreparedJob(Job made) : job(std::move(made)), is_long(measure(job, 1).wall > kLongNs) {
    while (!is_long && measure(job, batch).wall < kBatchNs) batch *= 2;
  }

  std::string time() const {
    if (!is_long) job.run();  // warm-up: earlier jobs have displaced the caches
    Span total{}, fastest{1e300, 1e300};
    double repetitions = 0;
    do {
      const Span each = measure(job, batch);
      fastest = {std::min(fastest.wall, each.wall), std::min(fastest.processor, each.processor)};
      total = {total.wall + each.wall, total.processor + each.processor};
      repetitions += static_cast<double>(batch);
    } while (total.wall < kSlotNs);
    const auto count = static_cast<double>(batch);
    std::ostringstream out;
    out << fastest.wall / count << ' ' << total.wall / repetitions << ' '
        << fastest.processor / count << ' ' << total.processor / repetitions;
    return out.str();
  }
};

Job make_job(Words words) {
  for (const auto make : {make_network_job, make_data_job, make_kernel_job, make_training_job}) {
    if (Job job = make(words); job.run) return job;
  }
  throw std::invalid_argument("there is no such job");
}

std::string answer(const std::string& line, std::map<std::string, PreparedJob>& jobs) {
  const std::vector<std::string> words = words_of(line);
  if (words.empty()) throw std::invalid_argument("nothing was asked");
  if (words[0] == "about") {
    return std::string(KNOTWORK_VERSION_STRING) + " (" + knotwork::instruction_set() + ")\t" +
           (eigen_network_runs_here() ? eigen_version() : "");
  }
  const std::size_t first = words[0] == "write" ? 2 : 1;
  if (words.size() <= first) throw std::invalid_argument("no job is named");
  std::string name;
  for (std::size_t k = first; k < words.size(); ++k) name.append(k > first ? " " : "") += words[k];
  auto found = jobs.find(name);
  if (words[0] == "run") {  // once, without timing
    make_job(Words(words).subspan(first)).run();
    return "";
  }
  if (found == jobs.end()) {
    found = jobs.emplace(name, PreparedJob(make_job(Words(words).subspan(first)))).first;
  }
  const PreparedJob& prepared = found->second;
  if (words[0] == "prepare") return prepared.job.remark;
  if (words[0] == "time") return prepared.time();
  if (words[0] == "count") {
    const std::size_t before = allocations();
    prepared.job.run();
    return std::to_string(allocations() - before);
  }
  if (words[0] == "write" && prepared.job.write) {
    prepared.job.write(words[1]);
    return "";
  }
  throw std::invalid_argument("this cannot be asked of " + name);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  try {
    if (argc > 1 && std::string(argv[1]) == "peak-memory") {
      return bench::peak_memory(std::vector<std::string>(argv + 2, argv + argc));
    }
    std::map<std::string, bench::PreparedJob> jobs;
    for (std::string line; std::getline(std::cin, line);) {
      try {
        const std::string reply = bench::answer(line, jobs);
        std::cout << "ok " << reply << std::endl;
      } catch (const std::exception& error) {
        std::cout << "error " << error.what() << std::endl;
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_worker: %s\n", error.what());
    return 1;
  }
  return 0;
}
