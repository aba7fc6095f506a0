// SPDX-License-Identifier: MIT
// The command line of a run, to be shown beside what it made.
#pragma once

#include <string>

#include "cli/options/parser.hpp"

namespace knotwork::cli {

// What was given to the command, in its order, as words of a shell.
std::string command_line(const App& command);

}  // namespace knotwork::cli
