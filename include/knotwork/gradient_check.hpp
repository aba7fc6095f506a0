// SPDX-License-Identifier: MIT
// Is the gradient right? Compared with central differences, for each group of parameters.
//
// The error of a group is max |g - difference| / max |g| over its parameters. Central differences
// are meaningless across a kink, so a point where any pre-activation lies within ten steps of one
// is left by moving the parameters a little, at random, until there is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/network.hpp>
#include <knotwork/objective.hpp>

namespace knotwork {

struct GradientCheckOptions {
  double step = 2e-6;  // relative to max(1, |parameter|)
  double nudge = 1e-2;
  int max_nudges = 200;
  std::uint64_t seed = 0;
};

struct GroupError {
  std::string group;  // "layers.0.weight", ...
  double error = 0;
  double largest_gradient = 0;
};

struct GradientCheck {
  std::vector<GroupError> groups;
  double worst = 0;
  int nudges = 0;
};

// At the network's own parameters, with samples in double. Throws failed_run when no point free of
// kinks is found.
KNOTWORK_API GradientCheck check_gradient(const Network& network, const Samples<double>& samples,
                                          const ObjectiveOptions& objective,
                                          const GradientCheckOptions& options = {});

}  // namespace knotwork
