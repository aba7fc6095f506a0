// SPDX-License-Identifier: MIT
// A model's report: all that can be shown of a model, gathered once as a value and rendered as one
// HTML page that needs no other file, or as separate figures in SVG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/figures.hpp>
#include <knotwork/inspection.hpp>
#include <knotwork/model.hpp>
#include <knotwork/monitor.hpp>
#include <knotwork/neurons.hpp>
#include <knotwork/prediction_check.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

// The activation of one neuron. An activation that several neurons share has one NeuronReport, for
// the first of these neurons.
struct NeuronReport {
  std::size_t member = 0;  // all three are counted from 0
  std::size_t layer = 0;
  std::size_t neuron = 0;
  std::string activation;  // its name
  // Curves at the same places, over the range in which the curve is drawn, extended to the neuron's
  // inputs if they reach beyond it.
  FigurePoints learned, initial;
  FigurePoints truth;           // of `planted`
  std::string truth_name;       // "dead zone"
  FigurePoints control_points;  // of splines
  double moved = 0;             // MovedActivation::distance; of splines
  // Only if rows are given:
  InputHistogram received = {};
  double left_tail = 0, right_tail = 0;  // shares of its inputs
  std::size_t untouched = 0;             // control points that no row touches
  bool dead = false;
  std::optional<ClosestFunction> closest = {};
  // The curve at the places of `learned` in each of the member's snapshots. The trained network
  // comes after the last snapshot and is not in this list.
  std::vector<std::vector<double>> course = {};
};

// When the snapshots of a member were taken.
struct SnapshotTimes {
  std::size_t member = 0;
  std::vector<std::size_t> iterations;
};

// Limits on how much the report shows of a large model.
struct ReportLimits {
  std::size_t rows = 20000;          // for histograms and the use of knots
  std::size_t predictions = 200000;  // rows that are predicted and scored
  std::size_t neurons = 240;
  std::size_t dependences = 6;  // the most important columns
};

struct ReportOptions {
  std::string title;       // empty: made from the target
  std::string model_name;  // of its file
  std::string command;     // that made the report; empty: not shown
  // A table for the parts that need rows; it must stay valid until look_at() returns. Null: these
  // parts are left out.
  const Table* table = nullptr;
  std::vector<std::size_t> rows = {};  // of the table; empty: all
  std::string rows_name = "";          // "the 150 test rows"; empty: "all 500 rows"
  std::string weight_column = "";      // of sample weights, for scores and importances
  ReportLimits limits = {};
  std::uint64_t seed = 0;
  std::size_t threads = 0;  // 0: all cores; the page does not depend on it
  std::shared_ptr<Monitor> monitor = {};
};

struct ModelReport {
  Model model;
  std::string title, model_name, command;
  std::string data;                           // the rows of the report, in words; empty: none
  std::optional<PredictionCheck> check = {};  // if the table has the targets
  std::optional<Importance> importance = {};  // if the table has the targets
  std::vector<PartialDependence> dependence = {};
  std::vector<NeuronReport> neurons =
      {};                          // the learned activations that are shown, in the model's order
  std::size_t neurons_in_all = 0;  // with learned activations
  std::vector<SnapshotTimes> snapshots = {};
  std::vector<std::string> notes = {};  // what was sampled or left out, one sentence each
};

// Gathers the report. Throws bad_data if the table lacks input columns.
KNOTWORK_API ModelReport look_at(const Model& model, const ReportOptions& options);

// A Monitor is used only during the call.
KNOTWORK_API std::string report_page(const ModelReport& report, Monitor* monitor = nullptr);

struct NamedFigure {
  std::string name;  // "predicted-against-true", fit for the name of a file
  std::string svg;
};
// Every figure of the page as a separate file, for papers.
KNOTWORK_API std::vector<NamedFigure> report_figures(const ModelReport& report,
                                                     Monitor* monitor = nullptr);

}  // namespace knotwork
