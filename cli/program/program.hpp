// SPDX-License-Identifier: MIT
// The program: from the words of a request to its exit code. Throws what a command throws.
#pragma once

namespace knotwork::cli {

int run_program(int argc, char** argv);

}  // namespace knotwork::cli
