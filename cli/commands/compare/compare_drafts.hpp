// SPDX-License-Identifier: MIT
// The variants that a request names, before their options are read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/compare/compare_request.hpp"

namespace knotwork::cli {

struct Draft {
  std::string name;
  TrainingRequest own;  // in addition to the options for all variants
  // The options of its entry in --penalties; none if the variant comes from another option.
  std::optional<std::vector<std::string>> penalties;
};

// The variants of --activations, then --bases, --penalties and --variant. Throws bad_option for
// fewer than two variants, for two with one name, and for unknown names or options.
std::vector<Draft> make_drafts(const CompareRequest& request);

// The index of an option's value in a TrainingRequest.
std::size_t index_of_option(const TrainOptionField& field);

}  // namespace knotwork::cli
