// SPDX-License-Identifier: MIT
// What all tests under MPI's launcher share.
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

// Words that mpirun of Open MPI would want as options, so that other launchers do not get them: it
// may run as root and more processes than there are cores, on any core; and messages are copied in
// a way that containers allow.
inline const std::vector<std::pair<std::string, std::string>> kEnvironment = {
    {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
    {"OMPI_MCA_hwloc_base_binding_policy", "none"},
    {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}};

class Mpi : public ::testing::Test {
 protected:
  // With a limit of time, after which the launcher and all it launched are ended.
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

// What we said; launchers have their own words for a failure.
inline Words sentences(const Outcome& outcome) {
  Words ours;
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("knotwork: ")) ours.push_back(line.substr(10));
  }
  return ours;
}

}  // namespace knotwork::testing
