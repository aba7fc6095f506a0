// SPDX-License-Identifier: MIT
// The command line of a run, to be shown with its results.
#pragma once

#include <string>

#include "cli/options/parser.hpp"

namespace knotwork::cli {

// The options that were given to the command, in their order, as words of a shell.
std::string command_line(const App& command);

}  // namespace knotwork::cli
