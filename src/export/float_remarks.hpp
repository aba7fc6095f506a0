// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <knotwork/model.hpp>

namespace knotwork {

// A sentence for each column whose numbers float cannot tell apart to 1e-5 of their spread, so that
// an export in float cannot keep to that either. `help` says what else there is than to train anew.
std::vector<std::string> float_remarks(const Model& model, const std::string& help = "");

}  // namespace knotwork
