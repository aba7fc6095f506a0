// SPDX-License-Identifier: MIT
// The scores of a search over its options: a map in characters, a figure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/tune/tune_study.hpp"

#include <knotwork/figures.hpp>

namespace knotwork::cli {

// The value as a power of two if all values of the range are such, otherwise as it is.
std::string value_name(const Dimension& dimension, const std::string& value);

// In lines of at most `width` characters; empty unless two options have several values each, all
// trials lie on their grid with the same budget, and the map fits.
std::vector<std::string> map_text(const StoredSearch& search,
                                  const std::vector<TrialRecord>& trials, std::size_t width);

// SVG: a curve for one option that is a number, otherwise a map. Throws bad_option when more than
// two options were varied, or nothing can be shown yet.
std::string map_figure(const StoredSearch& search, const std::vector<TrialRecord>& trials);

}  // namespace knotwork::cli
