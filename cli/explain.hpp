// SPDX-License-Identifier: MIT
// What was wrong with options, in one sentence.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace knotwork::cli {

// `word` begins with the option; `list` is the command that lists those there are.
std::string explain_unknown_option(const std::string& word, const CLI::App& app,
                                   const std::string& list);
// A value that is missing or one too many; empty if it is something else.
std::string explain_mismatch(const CLI::ParseError& error, const CLI::App& app);

}  // namespace knotwork::cli
