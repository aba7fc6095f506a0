// SPDX-License-Identifier: MIT
// What an experiment found: values, and how they are rendered.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/paper.hpp"
#include "experiments/statistics.hpp"

namespace knotwork::experiments {

// Winners of a search over several splits.
struct LambdaSummary {
  double geometric_mean = 0;
  double median_exponent = 0;  // of 2
};

struct Row {
  std::string scenario, dataset, network;
  std::string optimizer;  // of a Protocol
  std::size_t splits = 0;
  Errors errors = {};
  std::optional<Errors> paper = {};
  double seconds = 0;  // of all its trainings, those of its search among them
  // Scenario 2: "printed", "extended", or "none" where the paper's own optimum was taken.
  std::string grid = {};
  std::optional<LambdaSummary> lambda_w = {}, lambda_q = {};
  // Ablation: what was changed, and to what.
  std::string factor = {}, value = {};
};

// Seconds of one evaluation of objective and gradient.
struct Timing {
  double best = 0;
  double median = 0;
};
struct CostRow {
  std::string network;    // "8-5-1"
  std::string precision;  // "float", "double"
  std::size_t rows = 0;
  Timing tanh, spline;
};

struct Figure {
  std::string file;  // "scenario1-chemical.svg"
  std::string title;
  std::string svg;
};

struct Report {
  std::string scenario;
  bool stopped = false;                 // then there is nothing else in it
  std::vector<std::string> notes = {};  // the protocol, in sentences
  std::vector<Row> rows = {};
  std::vector<CostRow> costs = {};
  std::vector<Figure> figures = {};
};

using Json = nlohmann::ordered_json;
Json to_json(const Report& report);  // the rows

// Tables in Markdown, whose columns are aligned so that a terminal can show them too.
std::string tables(const Report& report);

}  // namespace knotwork::experiments
