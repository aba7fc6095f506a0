// SPDX-License-Identifier: MIT
#pragma once

#include <knotwork/api.hpp>
#include <knotwork/model.hpp>

namespace knotwork::exporting {

// Throws bad_model for an unusable model, and for a model with an activation that has no formula to
// export. (Exported for Knotwork::tools.)
KNOTWORK_API void check_exportable(const Model& model);

}  // namespace knotwork::exporting
