// SPDX-License-Identifier: MIT
// The variants of a comparison, made from the words of a request.
#pragma once

#include <vector>

#include "cli/commands/compare/compare_request.hpp"

namespace knotwork::cli {

// The variants of --activations, then --bases, --penalties and --variant; the tests compare all
// others with the first. Throws bad_option for unknown names, for options that are wrong in a
// variant, and for options that have no effect in any variant.
std::vector<Variant> make_variants(const CompareRequest& request);

// The options of the comparison. Throws bad_option if a budget is given but there is nothing to
// choose, or if something must be chosen but the budget is 0.
ComparisonOptions make_comparison(const CompareRequest& request,
                                  const std::vector<Variant>& variants);

}  // namespace knotwork::cli
