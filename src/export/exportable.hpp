// SPDX-License-Identifier: MIT
#pragma once

#include <knotwork/model.hpp>

namespace knotwork {

// Throws bad_model for a model that cannot be used, and for one with an activation that has no
// formula to export.
void check_exportable(const Model& model);

}  // namespace knotwork
