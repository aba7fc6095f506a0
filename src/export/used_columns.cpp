// SPDX-License-Identifier: MIT
#include <knotwork/export_model.hpp>

#include <algorithm>

#include "base/fail.hpp"

namespace knotwork {

ExportColumns export_columns(const Model& model) {
  ExportColumns result;
  for (const InputColumn& input : model.inputs) {
    const bool text = input.kind == InputKind::category;
    auto column = std::find_if(result.columns.begin(), result.columns.end(),
                               [&](const ExportColumn& c) { return c.name == input.column; });
    if (column == result.columns.end()) {
      column = result.columns.insert(column, {.name = input.column, .text = text});
    }
    if (column->text != text) {
      fail(ErrorKind::bad_model,
           "The model cannot be exported: it reads column '{}' both as numbers and as text.",
           input.column);
    }
    result.inputs.push_back({.column = static_cast<std::size_t>(column - result.columns.begin()),
                             .category = column->categories.size()});
    if (text) {
      column->categories.push_back(input.category);
    } else if (input.kind == InputKind::missing) {
      column->indicated = true;
    } else {
      column->fill = input.fill;
      if (model.training.is_private) continue;
      column->low = input.low;
      column->high = input.high;
    }
  }
  return result;
}

}  // namespace knotwork
