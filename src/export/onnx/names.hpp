// SPDX-License-Identifier: MIT
// What goes into a graph and comes out of it, by name.
#pragma once

#include <string>
#include <vector>

#include "export/columns.hpp"

namespace knotwork {

struct OnnxNames {
  std::vector<std::string> inputs;   // called like their columns, unless an output has that name
  std::vector<std::string> outputs;  // prediction; or probabilities and label
};

OnnxNames onnx_names(const Model& model, const ExportColumns& columns);

}  // namespace knotwork
