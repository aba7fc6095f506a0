// SPDX-License-Identifier: MIT
// The variants that a request lists and names, before their options are read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/compare/compare_request.hpp"

namespace knotwork::cli {

struct Draft {
  std::string name;
  TrainingRequest own;  // besides what is given for all
  // Options of --penalties that it has; none: it is not from there.
  std::optional<std::vector<std::string>> penalties;
};

// Those of --activations, then --bases, --penalties and --variant. Throws bad_option for fewer than
// two, for two of one name, and for names and options that there are none of.
std::vector<Draft> make_drafts(const CompareRequest& request);

// Where the values of an option stand in a TrainingRequest.
std::size_t index_of_option(const TrainOptionField& field);

}  // namespace knotwork::cli
