// SPDX-License-Identifier: MIT
// This header is shared by all tests under MPI's launcher.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "run_program.hpp"

namespace knotwork::testing {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

// Options for Open MPI's mpirun as environment variables, which other launchers ignore: it may run
// as root and with more processes than cores, on any core; and it copies messages in a way that
// containers allow.
inline const std::vector<std::pair<std::string, std::string>> kEnvironment = {
    {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
    {"OMPI_MCA_hwloc_base_binding_policy", "none"},
    {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}};

class Mpi : public ::testing::Test {
 protected:
  // With a time limit, after which the launcher and everything it started are ended.
  Launch launch(int ranks, const std::string& program, const Words& arguments) const {
    Words words = {"-c",
                   "exec timeout --kill-after=10 120 \"$0\" \"$@\"",
                   KNOTWORK_MPIEXEC,
                   KNOTWORK_MPIEXEC_COUNT,
                   std::to_string(ranks),
                   program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    Launch launch{"/bin/sh", words, folder_.path(), ""};
    launch.environment = kEnvironment;
    return launch;
  }
  Outcome together(int ranks, const std::string& program, const Words& arguments) const {
    return run(launch(ranks, program, arguments));
  }
  Outcome exercise(int ranks, const Words& arguments) const {
    return together(ranks, KNOTWORK_MPI_EXERCISE, arguments);
  }
  Outcome knotwork(int ranks, const Words& arguments) const {
    return together(ranks, KNOTWORK_MPI_PROGRAM, arguments);
  }
  Outcome alone(const std::string& program, const Words& arguments) const {
    Launch launch{program, arguments, folder_.path(), ""};
    launch.environment = kEnvironment;
    return run(launch);
  }

  Folder folder_;
};

// The sentences of our program; launchers add their own messages about a failure.
inline Words sentences(const Outcome& outcome) {
  Words ours;
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("knotwork: ")) ours.push_back(line.substr(10));
  }
  return ours;
}

}  // namespace knotwork::testing
