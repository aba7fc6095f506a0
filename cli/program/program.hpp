// SPDX-License-Identifier: MIT
// The program: it runs the command line's request and returns the exit code. Exceptions of commands
// are not caught.
#pragma once

namespace knotwork::cli {

int run_program(int argc, char** argv);

}  // namespace knotwork::cli
