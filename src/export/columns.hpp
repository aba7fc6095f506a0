// SPDX-License-Identifier: MIT
// The columns of a table that a model reads, as whoever runs it elsewhere must give them.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <knotwork/model.hpp>

namespace knotwork {

struct ExportColumn {
  std::string name;
  bool text = false;
  std::vector<std::string> categories = {};  // of a text, in the order of their inputs
  // Of numbers: what a missing one counts as, NaN if it may not be missing; what training has seen.
  double fill = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool indicated = false;  // whether it is missing is an input too

  bool may_be_missing() const { return text || indicated || fill == fill; }
};

// Where an input of the network comes from.
struct ExportInput {
  std::size_t column = 0;
  std::size_t category = 0;  // its number among those of a text column
};

struct ExportColumns {
  std::vector<ExportColumn> columns;  // in the order in which the inputs name them
  std::vector<ExportInput> inputs;    // one for each of Model::inputs
};

// Throws bad_model when a column would have to be text and numbers at once.
ExportColumns export_columns(const Model& model);

}  // namespace knotwork
