// SPDX-License-Identifier: MIT
// Explanations of wrong options, one sentence each.
#pragma once

#include <string>

#include "cli/options/parser.hpp"

namespace knotwork::cli {

// `word` begins with the unknown option; `list` is the command that lists the known options.
std::string explain_unknown_option(const std::string& word, const App& app,
                                   const std::string& list);
// A missing value or one value too many; empty for other errors.
std::string explain_mismatch(const ParseResult& result, const App& app);

}  // namespace knotwork::cli
