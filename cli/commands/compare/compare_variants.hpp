// SPDX-License-Identifier: MIT
// From the words of a request to the variants that are compared.
#pragma once

#include <vector>

#include "cli/commands/compare/compare_request.hpp"

namespace knotwork::cli {

// Those of --activations, then --bases, --penalties and --variant; the first is what the others are
// tested against. Throws bad_option for a name that there is none of, for options that are wrong in
// a variant, and for options that have an effect in none.
std::vector<Variant> make_variants(const CompareRequest& request);

// The number of settings that are tried; throws bad_option where one is asked for and there is
// nothing to choose, or where something must be chosen and is not to be.
ComparisonOptions make_comparison(const CompareRequest& request,
                                  const std::vector<Variant>& variants);

}  // namespace knotwork::cli
