// SPDX-License-Identifier: MIT
// Everything there is to see of a model: gathered once as a value, and rendered as a page of HTML
// that needs no other file, or as single figures in SVG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/figures.hpp>
#include <knotwork/inspection.hpp>
#include <knotwork/model.hpp>
#include <knotwork/neurons.hpp>
#include <knotwork/prediction_check.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

// One neuron's activation. Of neurons that share one, the first.
struct NeuronReport {
  std::size_t member = 0;  // all three counted from 0
  std::size_t layer = 0;
  std::size_t neuron = 0;
  std::string activation;  // its name
  // Curves at the same places, over the range where the curve is drawn or, if that is wider, where
  // the neuron's inputs fall.
  FigurePoints learned, initial;
  FigurePoints truth;           // of `planted`
  std::string truth_name;       // "dead zone"
  FigurePoints control_points;  // of splines
  double moved = 0;             // MovedActivation::distance; of splines
  // With rows:
  InputHistogram received = {};
  double left_tail = 0, right_tail = 0;  // shares of what it receives
  std::size_t untouched = 0;             // control points that no row touches
  bool dead = false;
  std::optional<ClosestFunction> closest = {};
  // The curve at the places of `learned` in each of the member's snapshots. None of them is the
  // network as it is, which comes after the last one.
  std::vector<std::vector<double>> course = {};
};

// When the snapshots of a member were taken.
struct SnapshotTimes {
  std::size_t member = 0;
  std::vector<std::size_t> iterations;
};

// What is shown of a model that is too large to show everything of.
struct ReportLimits {
  std::size_t rows = 20000;          // for histograms and the use of knots
  std::size_t predictions = 200000;  // rows that are predicted and scored
  std::size_t neurons = 240;
  std::size_t dependences = 6;  // columns, the most important ones
};

struct ReportOptions {
  std::string title;       // empty: made from the target
  std::string model_name;  // of its file
  std::string command;     // that made the report; empty: none is shown
  // Rows to look at the model with, referred to until the report is made; none: less is shown.
  const Table* table = nullptr;
  std::vector<std::size_t> rows = {};  // of the table; empty: all
  std::string rows_name = "";          // "the 150 test rows"; empty: "all 500 rows"
  std::string weight_column = "";      // of sample weights, for scores and importances
  ReportLimits limits = {};
  std::uint64_t seed = 0;
  std::size_t threads = 0;  // 0: all cores; the page does not depend on it
};

struct ModelReport {
  Model model;
  std::string title, model_name, command;
  std::string data;  // what rows it was looked at with, as words; empty: none
  std::optional<PredictionCheck> check = {};  // if the table has the targets
  std::optional<Importance> importance = {};  // likewise
  std::vector<PartialDependence> dependence = {};
  std::vector<NeuronReport> neurons =
      {};                          // learned activations that are shown, in the model's order
  std::size_t neurons_in_all = 0;  // with learned activations
  std::vector<SnapshotTimes> snapshots = {};
  std::vector<std::string> notes = {};  // what was sampled or left out, a sentence each
};

// Looks at the model. `progress`, if given, hears which part is done and may return false to end
// it, which throws failed_run. Throws bad_data when the table lacks input columns.
using ReportProgress = std::function<bool(std::size_t done, std::size_t parts)>;
KNOTWORK_API ModelReport look_at(const Model& model, const ReportOptions& options,
                                 const ReportProgress& progress = {});

KNOTWORK_API std::string report_page(const ModelReport& report);

struct NamedFigure {
  std::string name;  // "predicted-against-true", fit for the name of a file
  std::string svg;
};
// Every figure of the page by itself, for papers.
KNOTWORK_API std::vector<NamedFigure> report_figures(const ModelReport& report);

}  // namespace knotwork
