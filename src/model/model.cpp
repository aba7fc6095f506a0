// SPDX-License-Identifier: MIT
#include <knotwork/model.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/fail.hpp"
#include "base/sha256.hpp"
#include "features/known_targets.hpp"
#include "features/target_values.hpp"
#include "model/model_tensors.hpp"
#include "model/prediction_pass.hpp"
#include "model/score_predictions.hpp"
#include "network/same_structure.hpp"
#include "table/table_reader.hpp"

namespace knotwork {

using namespace model;

namespace {

bool has_its_quantiles(const Scaling& scaling, bool target) {
  const bool wanted = scaling.kind == ScalingKind::quantile || scaling.kind == ScalingKind::uniform;
  return wanted != scaling.quantiles.empty() && !(target && wanted) &&
         std::is_sorted(scaling.quantiles.begin(), scaling.quantiles.end()) &&
         std::all_of(scaling.quantiles.begin(), scaling.quantiles.end(),
                     [](double q) { return std::isfinite(q); });
}

bool same_layer(const Layer& a, const Layer& b) {
  return same_structure(a, b) && a.activation->settings() == b.activation->settings();
}

void check_scaling(const std::string& column, const Scaling& scaling, bool target) {
  const bool finite = std::isfinite(scaling.offset) && std::isfinite(scaling.scale);
  if (!finite || (target && scaling.scale == 0) || !has_its_quantiles(scaling, target)) {
    fail(ErrorKind::bad_model,
         "The model cannot be used: the scaling of column '{}' is not complete.", column);
  }
}

void check_target(const TargetColumn& target, std::size_t targets) {
  check_scaling(target.column, target.scaling, true);
  if (!target.is_complete() || (!target.classes.empty() && targets > 1)) {
    fail(ErrorKind::bad_model,
         "The model cannot be used: the quantiles or classes of column '{}' are not complete.",
         target.column);
  }
}

template <class V>
void predict_view(const Model& model, MatrixView<const V> rows, MatrixView<V> predictions,
                  std::size_t threads) {
  model.check();
  check_views(model, rows, predictions);
  with_views(rows, predictions, [&](const auto& value, const auto& store) {
    predict_rows(model, rows.rows, threads, value, store);
  });
}

}  // namespace

template <class V>
void model::check_views(const Model& model, MatrixView<const V> rows, MatrixView<V> predictions) {
  if (rows.columns != model.inputs.size() || predictions.columns != model.predictions() ||
      rows.rows != predictions.rows) {
    fail(ErrorKind::bad_data,
         "A model with {} inputs and {} prediction columns got {} rows with {} columns, and memory "
         "for {} rows with {} columns.",
         model.inputs.size(), model.predictions(), rows.rows, rows.columns, predictions.rows,
         predictions.columns);
  }
}
template void model::check_views(const Model&, MatrixView<const float>, MatrixView<float>);
template void model::check_views(const Model&, MatrixView<const double>, MatrixView<double>);

void Model::predict(MatrixView<const float> rows, MatrixView<float> predictions,
                    std::size_t threads) const {
  predict_view(*this, rows, predictions, threads);
}

void Model::predict(MatrixView<const double> rows, MatrixView<double> predictions,
                    std::size_t threads) const {
  predict_view(*this, rows, predictions, threads);
}

void Model::check() const {
  if (members.empty()) fail(ErrorKind::bad_model, "The model cannot be used: it has no network.");
  for (const Network& network : members) {
    if (inputs.size() != network.inputs() || outputs() != network.outputs()) {
      fail(ErrorKind::bad_model,
           "The model cannot be used: it has {} input columns and targets for {} outputs, but a "
           "network of {} inputs and {} outputs.",
           inputs.size(), outputs(), network.inputs(), network.outputs());
    }
    if (!std::equal(network.layers().begin(), network.layers().end(), members[0].layers().begin(),
                    members[0].layers().end(), same_layer)) {
      fail(ErrorKind::bad_model, "The model cannot be used: its networks have different layers.");
    }
  }
  for (const InputColumn& input : inputs) {
    check_scaling(input.column, input.scaling, false);
    if (input.is_complete()) continue;
    fail(ErrorKind::bad_model,
         "The model cannot be used: the levels of column '{}' are not complete.", input.column);
  }
  for (const TargetColumn& target : targets) check_target(target, targets.size());
}

bool TargetColumn::is_complete() const {
  const bool ascending = std::adjacent_find(quantiles.begin(), quantiles.end(),
                                            std::greater_equal<>()) == quantiles.end();
  if (!ascending || (!quantiles.empty() && !(quantiles.front() > 0 && quantiles.back() < 1))) {
    return false;
  }
  if (classes.empty()) return true;
  std::vector<std::string> labels = classes;
  std::sort(labels.begin(), labels.end());
  return labels.size() > 1 && quantiles.empty() && scaling.is_identity() &&
         std::adjacent_find(labels.begin(), labels.end()) == labels.end();
}

std::size_t Model::outputs() const {
  std::size_t sum = 0;
  for (const TargetColumn& target : targets) sum += target.outputs();
  return sum;
}

std::size_t Model::predictions() const {
  std::size_t sum = 0;
  for (const TargetColumn& target : targets) sum += target.predictions();
  return sum;
}

std::vector<std::string> Model::prediction_names() const {
  std::vector<std::string> names;
  for (const TargetColumn& target : targets) {
    if (target.predictions() == 1) names.push_back(target.column);
    for (const std::string& label : target.classes) {
      names.push_back(fmt::format("{} = {}", target.column, label));
    }
    if (target.quantiles.size() < 2) continue;
    for (const double level : target.quantiles) {
      names.push_back(fmt::format("{} {}", target.column, level));
    }
  }
  return names;
}

std::vector<std::vector<double>> model::spread_columns(const Model& model, const Table& table,
                                                       std::size_t threads,
                                                       const Monitor* monitor) {
  model.check();
  if (model.members.size() < 2) {
    fail(ErrorKind::bad_model,
         "The model is a single network, but a spread needs an ensemble; train an ensemble.");
  }
  std::vector<std::vector<double>> mean = predict_columns(model, table, threads, monitor);
  std::vector<std::vector<double>> distances(mean.size(), std::vector<double>(table.rows()));
  Model alone = model;
  for (const Network& member : model.members) {
    alone.members.assign(1, member);
    const std::vector<std::vector<double>> own = predict_columns(alone, table, threads, monitor);
    for (std::size_t c = 0; c < mean.size(); ++c) {
      for (std::size_t r = 0; r < table.rows(); ++r) {
        distances[c][r] = std::hypot(distances[c][r], own[c][r] - mean[c][r]);
      }
    }
  }
  for (std::vector<double>& column : distances) {
    for (double& cell : column) cell /= std::sqrt(static_cast<double>(model.members.size() - 1));
  }
  return distances;
}

std::vector<std::vector<double>> model::predict_columns(const Model& model, const Table& table,
                                                        std::size_t threads,
                                                        const Monitor* monitor) {
  model.check();
  table.check();
  const EncodedTable encoded(table, model.inputs);
  std::vector<std::vector<double>> columns(model.predictions(), std::vector<double>(table.rows()));
  predict_rows(
      model, table.rows(), threads, encoded,
      [&](std::size_t r, std::size_t c, double y) { columns[c][r] = y; }, monitor);
  for (const std::vector<double>& column : columns) {
    features::check_finite(table, model.inputs, column);
  }
  return columns;
}

std::vector<std::vector<double>> Model::spread(const Table& table, std::size_t threads) const {
  return spread_columns(*this, table, threads, nullptr);
}

std::vector<std::vector<double>> Model::predict(const Table& table, std::size_t threads) const {
  return predict_columns(*this, table, threads, nullptr);
}

std::vector<std::size_t> Model::most_probable(const std::vector<std::vector<double>>& columns) {
  std::vector<std::size_t> classes(columns.empty() ? 0 : columns.front().size());
  for (std::size_t r = 0; r < classes.size(); ++r) {
    for (std::size_t c = 1; c < columns.size(); ++c) {
      if (columns[c][r] > columns[classes[r]][r]) classes[r] = c;
    }
  }
  return classes;
}

Scores Model::evaluate(const Table& table, std::size_t threads, const std::string& weight_column,
                       std::vector<Scores>* each) const {
  check();
  table.check();
  const std::vector<std::size_t> known = features::rows_with_targets(table, targets);
  if (known.empty() && table.rows() > 0) features::refuse_without_targets(table, targets);
  if (known.size() < table.rows()) {
    return evaluate(table::TableReader(table).read_rows(known), threads, weight_column, each);
  }
  std::vector<double> truth;
  for (const TargetColumn& target : targets) {
    const std::vector<double> column = features::true_values(table, target);
    truth.insert(truth.end(), column.begin(), column.end());
  }
  std::span<const double> weights;
  if (!weight_column.empty()) weights = features::weights_to_score_by(table, weight_column);
  std::vector<double> all;
  for (const std::vector<double>& column : predict(table, threads)) {
    all.insert(all.end(), column.begin(), column.end());
  }
  const auto truth_view =
      column_major(std::span<const double>(truth), table.rows(), targets.size());
  const Scores scores = score_predictions(targets, all, truth_view, weights, each);
  check_finite_errors(table.source, scores);
  return scores;
}

std::string Model::parameters_sha256() const {
  Sha256 sha;
  for (const ModelTensor& tensor : model_tensors(*this)) sha.update(tensor.bytes);
  return sha.hex_digest();
}

}  // namespace knotwork
