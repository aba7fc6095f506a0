// SPDX-License-Identifier: MIT
#pragma once

namespace knotwork {

// True while the plain C++ kernels are pinned; see <knotwork/instruction_set.hpp>.
bool scalar_is_pinned();

}  // namespace knotwork
