// SPDX-License-Identifier: MIT
// A Report contains the results of an experiment; functions render it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/paper.hpp"
#include "experiments/statistics.hpp"

namespace knotwork::experiments {

// Best settings of a search over several splits.
struct LambdaSummary {
  double geometric_mean = 0;
  double median_exponent = 0;  // exponent of 2
};

struct Row {
  std::string scenario, dataset, network;
  std::string optimizer;  // the optimizer of its Protocol
  std::size_t splits = 0;
  Errors errors = {};
  std::optional<Errors> paper = {};
  double seconds = 0;  // of all its trainings, including those of its search
  // Scenario 2: "printed", "extended", or "none" for the paper's own optimum.
  std::string grid = {};
  std::optional<LambdaSummary> lambda_w = {}, lambda_q = {};
  // Ablation: the choice that was changed, and its value.
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
  bool stopped = false;                 // if true, all other members are empty
  std::vector<std::string> notes = {};  // the protocol, in sentences
  std::vector<Row> rows = {};
  std::vector<CostRow> costs = {};
  std::vector<Figure> figures = {};
};

using Json = nlohmann::ordered_json;
Json to_json(const Report& report);  // the rows

// Tables in Markdown with aligned columns, so that they are readable in a terminal too.
std::string tables(const Report& report);

}  // namespace knotwork::experiments
