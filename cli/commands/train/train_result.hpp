// SPDX-License-Identifier: MIT
// The output of train at its end, as a JSON document or as text.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/report_request.hpp"
#include "cli/output/printing.hpp"

#include <knotwork/model.hpp>
#include <knotwork/neurons.hpp>

namespace knotwork::cli {

// The facts about the table.
struct DataFacts {
  std::string source;
  std::size_t rows = 0, columns = 0, text_columns = 0, missing_cells = 0, without_target = 0;
  std::optional<bool> has_header = {};  // empty: the names are not from a first line
};

struct TrainResult {
  DataFacts data;
  const Model& model;
  std::string out;                                          // the place of the model
  std::vector<std::pair<std::string, std::string>> chosen;  // options that were not given
  bool interrupted = false;
  std::vector<LayerUse> layers = {};  // over training rows
  WrittenReport report = {};
};

Json to_document(const TrainResult& result);
Lines to_text(const TrainResult& result, std::size_t width);

}  // namespace knotwork::cli
