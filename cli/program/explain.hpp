// SPDX-License-Identifier: MIT
// What was wrong with options, in one sentence.
#pragma once

#include <string>

#include "cli/options/parser.hpp"

namespace knotwork::cli {

// `word` begins with the option; `list` is the command that lists those there are.
std::string explain_unknown_option(const std::string& word, const App& app,
                                   const std::string& list);
// A value that is missing or one too many; empty if it is something else.
std::string explain_mismatch(const ParseResult& result, const App& app);

}  // namespace knotwork::cli
