// SPDX-License-Identifier: MIT
// What train tells at its end, as a document or as text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/options/report_request.hpp"

#include <knotwork/model.hpp>
#include <knotwork/neurons.hpp>

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

std::string to_document(const TrainResult& result);  // JSON
std::string to_text(const TrainResult& result, std::size_t width);

}  // namespace knotwork::cli
