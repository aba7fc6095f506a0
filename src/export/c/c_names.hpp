// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace knotwork::exporting {

// Throws bad_option unless functions can be called so in C and in C++, beside all that math.h
// declares and defines on common systems.
void check_c_name(const std::string& name);

}  // namespace knotwork::exporting
