// SPDX-License-Identifier: MIT
// Maps of the scores of a search over its options: a map in characters, a figure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/tune/tune_study.hpp"

#include <knotwork/figures.hpp>

namespace knotwork::cli {

// A power of two if all values of the range are powers of two, otherwise the value itself.
std::string value_name(const Dimension& dimension, const std::string& value);

// The map in lines of at most `width` characters; empty unless two options have several values
// each, all trials are on the grid with the same budget, and the map fits.
std::vector<std::string> map_text(const StoredSearch& search,
                                  const std::vector<TrialRecord>& trials, std::size_t width);

// An SVG figure: a curve if one numeric option was varied, otherwise a map. Throws bad_option if
// more than two options were varied, or there is nothing to show yet.
std::string map_figure(const StoredSearch& search, const std::vector<TrialRecord>& trials);

}  // namespace knotwork::cli
