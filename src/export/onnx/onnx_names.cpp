// SPDX-License-Identifier: MIT
#include <knotwork/export_model.hpp>

#include "base/name_list.hpp"

namespace knotwork {

OnnxNames onnx_names(const Model& model, const ExportColumns& columns) {
  OnnxNames names;
  if (model.classifies()) {
    names.outputs = {"probabilities", "label"};
  } else {
    names.outputs = {"prediction"};
  }
  for (const ExportColumn& column : columns.columns) {
    std::string name = column.name;
    while (contains(names.outputs, name) || contains(names.inputs, name)) name += "_";
    names.inputs.push_back(std::move(name));
  }
  return names;
}

}  // namespace knotwork
