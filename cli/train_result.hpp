// SPDX-License-Identifier: MIT
// What train tells at its end, as a document or as text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/output.hpp"
#include "cli/report_options.hpp"

#include <knotwork/knot_use.hpp>
#include <knotwork/model.hpp>

namespace knotwork::cli {

// What is told of the table.
struct DataFacts {
  std::string source;
  std::size_t rows = 0, columns = 0, text_columns = 0, missing_cells = 0;
};

struct TrainResult {
  DataFacts data;
  const Model& model;
  std::string out;                                          // where the model went
  std::vector<std::pair<std::string, std::string>> chosen;  // options that were not given
  bool interrupted = false;
  std::vector<LayerUse> layers = {};  // over training rows
  WrittenReport report = {};
};

Json to_document(const TrainResult& result);
std::string to_text(const TrainResult& result, std::size_t width);

}  // namespace knotwork::cli
