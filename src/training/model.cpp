// SPDX-License-Identifier: MIT
#include <knotwork/model.hpp>

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "base/sha256.hpp"
#include "training/model_tensors.hpp"
#include "training/predict.hpp"

namespace knotwork {
namespace {

bool has_its_quantiles(const Scaling& scaling, bool target) {
  const bool wanted = scaling.kind == ScalingKind::quantile || scaling.kind == ScalingKind::uniform;
  return wanted != scaling.quantiles.empty() && !(target && wanted) &&
         std::is_sorted(scaling.quantiles.begin(), scaling.quantiles.end()) &&
         std::all_of(scaling.quantiles.begin(), scaling.quantiles.end(),
                     [](double q) { return std::isfinite(q); });
}

template <class V>
void predict_view(const Model& model, MatrixView<const V> rows, MatrixView<V> predictions,
                  std::size_t threads) {
  model.check();
  if (rows.columns != model.inputs.size() || predictions.columns != model.targets.size() ||
      rows.rows != predictions.rows) {
    fail(ErrorKind::bad_data,
         "A model of {} inputs and {} targets was given {} rows of {} columns and room for {} rows "
         "of {} columns.",
         model.inputs.size(), model.targets.size(), rows.rows, rows.columns, predictions.rows,
         predictions.columns);
  }
  predict_rows(
      model, rows.rows, threads, [&](std::size_t r, std::size_t c) { return rows(r, c); },
      [&](std::size_t r, std::size_t o, double y) { predictions(r, o) = static_cast<V>(y); });
}

}  // namespace

void Model::predict(MatrixView<const float> rows, MatrixView<float> predictions,
                    std::size_t threads) const {
  predict_view(*this, rows, predictions, threads);
}

void Model::predict(MatrixView<const double> rows, MatrixView<double> predictions,
                    std::size_t threads) const {
  predict_view(*this, rows, predictions, threads);
}

void Model::check() const {
  if (inputs.size() != network.inputs() || targets.size() != network.outputs()) {
    fail(ErrorKind::bad_model,
         "The model cannot be used: it has {} input columns and {} targets for a network of {} "
         "inputs and {} outputs.",
         inputs.size(), targets.size(), network.inputs(), network.outputs());
  }
  for (const auto* columns : {&inputs, &targets}) {
    for (const auto& [column, scaling] : *columns) {
      const bool target = columns == &targets;
      const bool finite = std::isfinite(scaling.offset) && std::isfinite(scaling.scale);
      if (!finite || (target && scaling.scale == 0) || !has_its_quantiles(scaling, target)) {
        fail(ErrorKind::bad_model,
             "The model cannot be used: the scaling of column '{}' is not complete.", column);
      }
    }
  }
}

std::vector<std::vector<double>> Model::predict(const Table& table, std::size_t threads) const {
  check();
  table.check();
  std::vector<const double*> columns;
  for (const ColumnScaling& input : inputs) {
    columns.push_back(table.columns[table.index_of(input.column)].data());
  }
  std::vector<std::vector<double>> predictions(targets.size(), std::vector<double>(table.rows()));
  predict_rows(
      *this, table.rows(), threads, [&](std::size_t r, std::size_t c) { return columns[c][r]; },
      [&](std::size_t r, std::size_t o, double y) { predictions[o][r] = y; });
  return predictions;
}

Scores Model::evaluate(const Table& table, std::size_t threads,
                       const std::string& weight_column) const {
  std::span<const double> weights;
  if (!weight_column.empty()) weights = table.columns[table.index_of(weight_column)];
  const auto predicted = predict(table, threads);
  std::vector<double> predictions, truth;
  for (std::size_t o = 0; o < targets.size(); ++o) {
    const std::vector<double>& column = table.columns[table.index_of(targets[o].column)];
    truth.insert(truth.end(), column.begin(), column.end());
    predictions.insert(predictions.end(), predicted[o].begin(), predicted[o].end());
  }
  return score(column_major(std::span<const double>(predictions), table.rows(), targets.size()),
               column_major(std::span<const double>(truth), table.rows(), targets.size()), weights);
}

std::string Model::parameters_sha256() const {
  Sha256 sha;
  for (const ModelTensor& tensor : model_tensors(*this)) sha.update(tensor.bytes);
  return sha.hex_digest();
}

}  // namespace knotwork
