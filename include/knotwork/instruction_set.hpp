// SPDX-License-Identifier: MIT
// The instruction set of the inner loops.
//
// One binary holds them for several instruction sets and takes the best that the processor has.
// Results differ in their last bits from one set to another, and training amplifies that; with one
// set, the same seed gives the same bits. Pinning is for the whole process (and for everything in
// it that uses the Highway library); it must not be done while something is being computed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>

namespace knotwork {

// What this processor can run, best first; "scalar", plain C++, is always the last.
KNOTWORK_API std::vector<std::string> instruction_sets();

// The one in use.
KNOTWORK_API std::string instruction_set();

// Throws bad_option for one that is not among instruction_sets().
KNOTWORK_API void pin_instruction_set(std::string_view name);

}  // namespace knotwork
