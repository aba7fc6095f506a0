// SPDX-License-Identifier: MIT
//  reproducibility_record FILE: trains the reference runs on every instruction set of this
// processor and writes their hashes, and the environment, to FILE
// (tests/reproducibility/reference.json). Run it when a change is meant to change results.
//
// reproducibility_record --differences: prints a Markdown table of the differences of one
// evaluation between instruction sets.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

#include "tests/reproducibility/differences.hpp"
#include "tests/reproducibility/environment.hpp"
#include "tests/reproducibility/runs.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/instruction_set.hpp>

using namespace knotwork;

namespace {

void write_record(const std::string& path) {
  nlohmann::ordered_json record;
  record["environment"] = to_json(this_environment());
  for (const std::string& set : instruction_sets()) {
    pin_instruction_set(set);
    for (const ReferenceRun& run : reference_runs()) {
      record["parameters_sha256"][run.name][set] = train(run, 1).parameters_sha256();
    }
  }
  std::ofstream file(path, std::ios::binary);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file << record.dump(2) << '\n';
}

void print_differences() {
  fmt::print(
      "| instruction set | value, double | gradient, double | value, float | gradient, float |\n"
      "|---|---|---|---|---|\n");
  const std::string scalar = instruction_sets().back();
  for (const std::string& set : instruction_sets()) {
    if (set == scalar) continue;
    const Difference twice = difference_between(set, scalar, Precision::float64);
    const Difference once = difference_between(set, scalar, Precision::float32);
    fmt::print("| `{}` | {:.1e} | {:.1e} | {:.1e} | {:.1e} |\n", set, twice.value, twice.gradient,
               once.value, once.gradient);
  }
  fmt::print(
      "\nThe largest of {} random networks, relative to the value and to the norm of the gradient "
      "on\n`{}`.\n",
      kComparedNetworks, scalar);
}

}  // namespace

int main(int count, char** words) {
  if (count != 2 || (words[1][0] == '-' && std::string(words[1]) != "--differences")) {
    std::fputs("Usage: reproducibility_record FILE | --differences\n", stderr);
    return 2;
  }
  try {
    const std::string word = words[1];
    if (word == "--differences") {
      print_differences();
    } else {
      write_record(word);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reproducibility_record: %s\n", error.what());
    return 1;
  }
  return 0;
}
