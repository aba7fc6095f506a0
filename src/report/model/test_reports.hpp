// SPDX-License-Identifier: MIT
// Reports of untrained models, filled by hand: for tests of the page, and for cases that would take
// long to train.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <knotwork/model_report.hpp>
#include <knotwork/random.hpp>

namespace knotwork::report {

// A number between 0 and 1 that depends on the index alone.
inline double noise(std::size_t index) {
  const double place = 12.9898 * static_cast<double>(index + 1);
  const double wild = std::sin(place) * 43758.5453;
  return wild - std::floor(wild);
}

// An approximately normal number around 0.
inline double bell(std::size_t index) {
  return noise(3 * index) + noise(3 * index + 1) + noise(3 * index + 2) - 1.5;
}

inline double sample_curve(std::size_t kind, double x) {
  switch (kind % 6) {
    case 0:
      return std::sin(2 * x);
    case 1:
      return std::tanh(3 * x) + 0.1 * x;
    case 2:
      return std::abs(x) < 0.6 ? 0 : x - std::copysign(0.6, x);
    case 3:
      return std::exp(-2 * x * x);
    case 4:
      return 0.3 * x * x - 0.5;
    default:
      return std::max(0.0, x);
  }
}

inline NeuronReport sample_neuron(std::size_t member, std::size_t layer, std::size_t neuron,
                                  bool rows = true, std::size_t snapshots = 0) {
  static const std::array<std::string, 6> names = {"sine",     "tanh",   "dead zone",
                                                   "gaussian", "square", "relu"};
  const std::size_t kind = neuron + member;
  NeuronReport one;
  one.member = member;
  one.layer = layer;
  one.neuron = neuron;
  one.activation = "spline";
  const double scale = 0.6 + 0.7 * noise(17 * kind + layer);
  constexpr std::size_t kPlaces = 73;
  for (std::size_t k = 0; k < kPlaces; ++k) {
    const double x = -1.8 + 3.6 * static_cast<double>(k) / (kPlaces - 1);
    one.initial.push_back({x, std::tanh(x)});
    one.learned.push_back({x, scale * sample_curve(kind, x)});
  }
  for (int k = 0; k < 21; ++k) {
    const double x = -2 + 0.2 * k;
    one.control_points.push_back({x, scale * sample_curve(kind, x)});
  }
  one.moved = 0.05 + noise(5 * kind + layer);
  if (rows) {
    for (int k = 0; k <= 36; ++k) one.received.edges.push_back(-1.9 + 0.1 * k);
    for (int k = 0; k < 36; ++k) {
      const double from_middle = (k - 18 + 6 * bell(kind)) / 8;
      one.received.counts.push_back(std::round(900 * std::exp(-from_middle * from_middle)));
    }
    one.left_tail = kind % 5 == 0 ? 0.081 : 0.0004;
    one.right_tail = kind % 7 == 0 ? 0.031 : 0;
    one.untouched = kind % 4;
    one.dead = kind % 11 == 10;
  }
  if (kind % 6 != 2) {
    one.closest =
        ClosestFunction{names[kind % 6], scale, 2, 0.012, -0.25, 0.9994 - 0.2 * noise(kind)};
  }
  for (std::size_t s = 0; s < snapshots; ++s) {
    // The last snapshot is not yet the learned curve.
    const double share = static_cast<double>(s) / static_cast<double>(snapshots);
    std::vector<double>& values = one.course.emplace_back();
    for (std::size_t k = 0; k < kPlaces; ++k) {
      values.push_back(std::lerp(one.initial[k].y, one.learned[k].y, share) +
                       0.4 * (1 - share) * std::sin(9 * share) * std::sin(3 * one.learned[k].x));
    }
  }
  return one;
}

inline Scores regression_scores(std::size_t rows, double nrmse) {
  return {
      .rows = rows, .rmse = 12 * nrmse, .nrmse = nrmse, .mae = 9 * nrmse, .r2 = 1 - nrmse * nrmse};
}

// A model with inputs "size" and "age" and the texts of "place"; with `hidden` splines and one
// identity for each output.
inline Model sample_model(std::size_t hidden, std::size_t outputs, std::size_t members = 1) {
  Model model;
  model.inputs.resize(4);
  model.inputs[0].column = "size";
  model.inputs[1].column = "age";
  model.inputs[2] = {.column = "place", .kind = InputKind::category, .category = "north"};
  model.inputs[3] = {.column = "place", .kind = InputKind::category, .category = "south"};
  for (std::size_t m = 0; m < members; ++m) {
    model.members.push_back(make_network({4, hidden, outputs}, make_spline_activation(),
                                         builtin_activations().at("identity").make({})));
    model.members.back().initialize(m);
  }
  Summary& training = model.training;
  training.data = "houses.csv";
  training.version = "0.1.0";
  training.instruction_set = "AVX2";
  training.seed = 7;
  training.optimizer = "lbfgs";
  training.options = {{"hidden", "8"}, {"lambda-curvature", "1e-05"}, {"seed", "7"}};
  training.reason = StopReason::relative_decrease;
  training.iterations = 300;
  training.evaluations = 331;
  training.seconds = 1.84;
  training.history.parts = {"loss", "weights", "curvature"};
  for (std::size_t m = 0; m < members; ++m) {
    for (std::size_t k = 0; k <= 60; ++k) {
      const double loss = 0.02 + std::exp(-0.1 * static_cast<double>(k)) + 0.01 * noise(k + m);
      HistoryPoint& point = training.history.points.emplace_back();
      point = {.member = m,
               .iteration = 5 * k,
               .objective = loss + 0.011,
               .parts = {loss, 0.01, 0.001 + 1e-5 * static_cast<double>(k)}};
      point.validation = loss + 0.03 + 2e-4 * static_cast<double>(k);
    }
  }
  training.remarks = {"Column 'id' looks like row numbers."};
  return model;
}

inline void add_columns(ModelReport& report) {
  report.importance =
      Importance{.score = 0.21,
                 .rows = 500,
                 .repeats = 10,
                 .columns = {{"size", 0.83, 0.04}, {"place", 0.21, 0.03}, {"age", 0.004, 0.006}}};
  const std::size_t predictions = report.model.predictions();
  const std::size_t shown = predictions == 2 ? 1 : 0;
  PartialDependence size{.column = "size",
                         .places = {},
                         .categories = {},
                         .means = {},
                         .shown = shown,
                         .curves = {},
                         .deciles = {},
                         .rows = 500};
  PartialDependence place = size;
  place.column = "place";
  place.categories = {"north", "south"};
  place.places = {0, 1};
  for (int k = 0; k < 30; ++k) size.places.push_back(40 + 6.0 * k + 0.1 * k * k);
  for (int k = 1; k < 10; ++k) size.deciles.push_back(40 + 24.0 * k);
  const auto value = [](double x, std::size_t p) {
    return 0.5 + 0.3 * std::sin(x / 60 + static_cast<double>(p)) + 0.001 * x;
  };
  for (std::size_t p = 0; p < predictions; ++p) {
    std::vector<double>& means = size.means.emplace_back();
    for (const double x : size.places) means.push_back(value(x, p));
    place.means.push_back({0.3 + 0.1 * static_cast<double>(p), 0.7});
  }
  for (std::size_t row = 0; row < 30; ++row) {
    std::vector<double>& curve = size.curves.emplace_back();
    for (const double x : size.places) curve.push_back(value(x, shown) + 0.3 * bell(row));
    place.curves.push_back({0.3 + 0.2 * bell(row), 0.7 + 0.2 * bell(row + 99)});
  }
  report.dependence = {size, place};
}

inline ModelReport start_report(Model model, bool rows) {
  ModelReport report;
  report.model = std::move(model);
  report.title = "Model of price";
  report.model_name = "houses.safetensors";
  report.command = "knotwork report houses.safetensors houses.csv";
  if (rows) report.data = "the 150 test rows of houses.csv";
  return report;
}

inline void add_neurons(ModelReport& report, std::size_t shown, bool rows,
                        std::size_t snapshots = 0) {
  const std::size_t members = report.model.members.size();
  const std::size_t hidden = report.model.members.front().layers().front().outputs;
  for (std::size_t m = 0; m < members; ++m) {
    for (std::size_t n = 0; n < std::min(hidden, shown / members); ++n) {
      report.neurons.push_back(sample_neuron(m, 0, n, rows, snapshots + (snapshots > 0 ? m : 0)));
    }
    if (snapshots == 0) continue;
    SnapshotTimes& times = report.snapshots.emplace_back();
    times.member = m;
    for (std::size_t s = 0; s < snapshots + m; ++s) times.iterations.push_back(20 * s + m);
  }
  report.neurons_in_all = members * hidden;
}

inline PredictedTarget sample_target(const std::string& column, std::vector<double> levels = {}) {
  PredictedTarget target;
  target.column = column;
  target.levels = std::move(levels);
  const std::size_t count = std::max<std::size_t>(target.levels.size(), 1);
  target.predicted.resize(count);
  for (std::size_t k = 0; k < 150; ++k) {
    const double truth = 100 + 300 * noise(k);
    target.truth.push_back(truth);
    for (std::size_t level = 0; level < count; ++level) {
      const double shift = 50 * (static_cast<double>(level) - 0.5 * static_cast<double>(count - 1));
      target.predicted[level].push_back(truth + 40 * bell(k + 7) + shift);
    }
  }
  for (int k = 0; k <= 20; ++k) target.residual_edges.push_back(-60 + 6.0 * k);
  for (int k = 0; k < 20; ++k) {
    target.residual_counts.push_back(std::round(20 * std::exp(-0.05 * (k - 10) * (k - 10))));
  }
  return target;
}

inline ModelReport regression_report(std::size_t hidden = 8, std::size_t snapshots = 0,
                                     std::size_t members = 1, std::size_t shown = 240) {
  ModelReport report = start_report(sample_model(hidden, 1, members), true);
  report.model.targets = {{.column = "price"}};
  Summary& training = report.model.training;
  training.train = regression_scores(350, 0.18);
  training.test = regression_scores(150, 0.21);
  training.baselines = {{"linear", regression_scores(350, 0.52), regression_scores(150, 0.55)},
                        {"tanh", regression_scores(350, 0.2), regression_scores(150, 0.26)}};
  training.tried = {{{{"lambda-w", "0.001"}}, 0.3}, {{{"lambda-w", "0.01"}}, 0.25}};
  report.check.emplace();
  report.check->rows = 150;
  report.check->scores = regression_scores(150, 0.21);
  report.check->numbers = {sample_target("price")};
  if (members > 1) {
    for (std::size_t m = 0; m < members; ++m) {
      report.check->members.push_back(regression_scores(150, 0.24 + 0.02 * noise(m)));
    }
  }
  add_columns(report);
  add_neurons(report, shown, true, snapshots);
  if (hidden > 2 && members == 1) {
    report.neurons[2].truth = report.neurons[2].learned;
    for (FigurePoint& point : report.neurons[2].truth) point.y += 0.04;
    report.neurons[2].truth_name = "dead zone";
  }
  return report;
}

inline ModelReport ensemble_report() {
  return regression_report(4, 6, 3);
}

// A report with more neurons than the page can show.
inline ModelReport large_report() {
  ModelReport report = regression_report(2000, 20);
  report.notes = {"Of 1000000 rows 20000 were looked at.",
                  "Of 2000 learned activations, the page shows the 240 that moved farthest from "
                  "their initial curves."};
  return report;
}

inline ModelReport quantiles_report() {
  const std::vector<double> levels = {0.05, 0.5, 0.95};
  ModelReport report = start_report(sample_model(5, 3), true);
  report.model.targets = {{.column = "price", .quantiles = levels}};
  Scores scores = regression_scores(150, 0.3);
  scores.pinball = PinballScores{1.3, 12};
  scores.intervals = IntervalScores{0.9, 0.873, 44};
  report.model.training.test = scores;
  report.check.emplace();
  report.check->rows = 150;
  report.check->scores = scores;
  report.check->numbers = {sample_target("price", levels)};
  add_columns(report);
  add_neurons(report, 240, true);
  return report;
}

inline ModelReport classes_report(std::vector<std::string> classes = {"setosa", "versicolor",
                                                                      "virginica"}) {
  ModelReport report =
      start_report(sample_model(6, classes.size() == 2 ? 1 : classes.size()), true);
  report.title = "Model of species";
  report.model.targets = {{.column = "species", .classes = classes}};
  ClassScores scores{.accuracy = 0.953, .log_loss = 0.13, .auc = 0.991, .confusion = {}};
  report.check.emplace();
  report.check->rows = 150;
  for (std::size_t own = 0; own < classes.size(); ++own) {
    scores.confusion.emplace_back(classes.size(), 2);
    scores.confusion.back()[own] = 48;
    Reliability& one = report.check->reliability.emplace_back();
    one.label = classes[own];
    for (std::size_t k = 0; k < 8; ++k) {
      const double predicted = (static_cast<double>(k) + 0.5) / 8;
      one.bins.push_back(
          {predicted, std::clamp(predicted + 0.1 * bell(k + own), 0.0, 1.0), 10 + 5 * k});
    }
  }
  report.check->scores.rows = 150;
  report.check->scores.classes = scores;
  report.model.training.train = report.model.training.test = report.check->scores;
  add_columns(report);
  add_neurons(report, 240, true);
  return report;
}

// A report with only the model's own numbers: no rows, no record of its training.
inline ModelReport bare_report() {
  Model model = sample_model(5, 1);
  model.training = {};
  model.targets = {{.column = "price"}};
  ModelReport report = start_report(std::move(model), false);
  report.command.clear();
  add_neurons(report, 240, false);
  return report;
}

// A report with names that contain markup and scripts.
inline ModelReport hostile_report() {
  const std::string evil =
      "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&\x01";
  ModelReport report = classes_report({"a" + evil, "b" + evil});
  report.title = report.command = report.model_name = report.data = evil;
  report.notes = {evil};
  report.model.targets.front().column = evil;
  for (InputColumn& input : report.model.inputs) input.column = input.category = evil;
  Summary& training = report.model.training;
  training.data = training.optimizer = training.version = training.instruction_set = evil;
  training.options = {{evil, evil}};
  training.remarks = {evil};
  training.history.parts = {"loss", evil, evil + "2"};
  training.baselines = {{evil, training.test, training.test}};
  for (ColumnImportance& column : report.importance->columns) column.column = evil;
  for (PartialDependence& one : report.dependence) one.column = evil;
  report.dependence.back().categories = {evil, evil};
  for (Reliability& one : report.check->reliability) one.label = evil;
  for (NeuronReport& neuron : report.neurons) {
    neuron.activation = neuron.truth_name = evil;
    neuron.truth = neuron.learned;
    if (neuron.closest) neuron.closest->name = evil;
  }
  return report;
}

}  // namespace knotwork::report
