// SPDX-License-Identifier: MIT
// This header tells and pins the instruction set of the inner loops.
//
// One binary contains the loops for several instruction sets and uses the best one that the
// processor supports. Results of different sets differ in their last bits, and training amplifies
// these differences; with one set, the same seed gives the same bits. Pinning applies to the whole
// process, including everything in it that uses the Highway library; do not pin while a computation
// runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>

namespace knotwork {

// The sets that this processor supports, best first; "scalar", plain C++, is always the last.
KNOTWORK_API std::vector<std::string> instruction_sets();

// The set in use.
KNOTWORK_API std::string instruction_set();

// Throws bad_option for a name that is not among instruction_sets().
KNOTWORK_API void pin_instruction_set(std::string_view name);

}  // namespace knotwork
