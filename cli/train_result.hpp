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
#include <knotwork/table.hpp>

namespace knotwork::cli {

struct TrainResult {
  const Table& table;
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
