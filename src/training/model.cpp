// SPDX-License-Identifier: MIT
#include <knotwork/model.hpp>

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "base/sha256.hpp"
#include "training/model_tensors.hpp"
#include "training/predict.hpp"
#include "training/table_columns.hpp"

namespace knotwork {
namespace {

bool has_its_quantiles(const Scaling& scaling, bool target) {
  const bool wanted = scaling.kind == ScalingKind::quantile || scaling.kind == ScalingKind::uniform;
  return wanted != scaling.quantiles.empty() && !(target && wanted) &&
         std::is_sorted(scaling.quantiles.begin(), scaling.quantiles.end()) &&
         std::all_of(scaling.quantiles.begin(), scaling.quantiles.end(),
                     [](double q) { return std::isfinite(q); });
}

bool same_layer(const Layer& a, const Layer& b) {
  return a.inputs == b.inputs && a.outputs == b.outputs &&
         a.activation->name() == b.activation->name() &&
         a.activation->settings() == b.activation->settings();
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
void check_views(const Model& model, MatrixView<const V> rows, MatrixView<V> predictions) {
  if (rows.columns != model.inputs.size() || predictions.columns != model.targets.size() ||
      rows.rows != predictions.rows) {
    fail(ErrorKind::bad_data,
         "A model of {} inputs and {} targets was given {} rows of {} columns and room for {} rows "
         "of {} columns.",
         model.inputs.size(), model.targets.size(), rows.rows, rows.columns, predictions.rows,
         predictions.columns);
  }
}
template void check_views(const Model&, MatrixView<const float>, MatrixView<float>);
template void check_views(const Model&, MatrixView<const double>, MatrixView<double>);

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
    if (inputs.size() != network.inputs() || targets.size() != network.outputs()) {
      fail(ErrorKind::bad_model,
           "The model cannot be used: it has {} input columns and {} targets for a network of {} "
           "inputs and {} outputs.",
           inputs.size(), targets.size(), network.inputs(), network.outputs());
    }
    if (!std::equal(network.layers().begin(), network.layers().end(), members[0].layers().begin(),
                    members[0].layers().end(), same_layer)) {
      fail(ErrorKind::bad_model, "The model cannot be used: its networks have different layers.");
    }
  }
  const auto check_scaling = [](const std::string& column, const Scaling& scaling, bool target) {
    const bool finite = std::isfinite(scaling.offset) && std::isfinite(scaling.scale);
    if (!finite || (target && scaling.scale == 0) || !has_its_quantiles(scaling, target)) {
      fail(ErrorKind::bad_model,
           "The model cannot be used: the scaling of column '{}' is not complete.", column);
    }
  };
  for (const InputColumn& input : inputs) check_scaling(input.column, input.scaling, false);
  for (const TargetColumn& target : targets) check_scaling(target.column, target.scaling, true);
}

std::vector<std::vector<double>> Model::predict(const Table& table, std::size_t threads) const {
  check();
  table.check();
  const EncodedTable encoded(table, inputs);
  std::vector<std::vector<double>> predictions(targets.size(), std::vector<double>(table.rows()));
  predict_rows(*this, table.rows(), threads, encoded,
               [&](std::size_t r, std::size_t o, double y) { predictions[o][r] = y; });
  return predictions;
}

Scores Model::evaluate(const Table& table, std::size_t threads, const std::string& weight_column,
                       std::vector<Scores>* each) const {
  check();
  table.check();
  std::vector<double> truth;
  for (const TargetColumn& target : targets) {
    const std::vector<double>& column = complete_numbers(table, target.column);
    truth.insert(truth.end(), column.begin(), column.end());
  }
  std::span<const double> weights;
  if (!weight_column.empty()) weights = complete_weights(table, weight_column);
  std::vector<double> predictions;
  for (const std::vector<double>& column : predict(table, threads)) {
    predictions.insert(predictions.end(), column.begin(), column.end());
  }
  const std::size_t rows = table.rows();
  const auto score_columns = [&](std::size_t first, std::size_t columns) {
    const auto part = [&](const std::vector<double>& values) {
      return column_major(std::span(values).subspan(first * rows, columns * rows), rows, columns);
    };
    return score(part(predictions), part(truth), weights);
  };
  if (each) {
    each->clear();
    for (std::size_t o = 0; o < targets.size(); ++o) each->push_back(score_columns(o, 1));
  }
  return score_columns(0, targets.size());
}

std::string Model::parameters_sha256() const {
  Sha256 sha;
  for (const ModelTensor& tensor : model_tensors(*this)) sha.update(tensor.bytes);
  return sha.hex_digest();
}

}  // namespace knotwork
