// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace knotwork::exporting {

// Throws bad_option unless functions can have this name in C and in C++, without a conflict with
// anything that math.h declares and defines on common systems.
void check_c_name(const std::string& name);

}  // namespace knotwork::exporting
