// SPDX-License-Identifier: MIT
// The prediction of a model: raw rows in, predictions in the units of the targets out.
#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

#include "kernels/scale.hpp"
#include "model/network_outputs.hpp"
#include "network/block_source.hpp"
#include "network/pass.hpp"
#include "parallel/thread_pool.hpp"
#include "parallel/watched_work.hpp"

#include <knotwork/model.hpp>

namespace knotwork::model {

// Reads a matrix whose columns are contiguous.
template <class V>
struct ColumnReader {
  MatrixView<const V> view;
  V operator()(std::size_t row, std::size_t column) const {
    return view.data[column * view.column_stride + row];
  }
};

// Prepares the tables of all members of a model once, for use by any number of threads. Keeps a
// reference to the model.
template <class T>
class PredictionPass {
 public:
  explicit PredictionPass(const Model& model)
      : model_(model),
        plain_(model.members.size() == 1 && model.predictions() == model.targets.size()) {
    for (const Network& network : model.members) {
      passes_.emplace_back(network).load(network.parameters());
    }
  }

  std::size_t block_rows() const { return knotwork::block_rows<T>(model_.members[0]); }

  // The memory of one thread, with room for `rows` rows.
  struct Memory {
    Memory(const PredictionPass& pass, std::size_t rows)
        : workspace(pass.model_.members[0], rows),
          sums(pass.plain_ ? 0 : rows * pass.model_.predictions()) {}
    Workspace<T> workspace;
    std::vector<double> sums;
  };

  // Predicts rows first .. first+n-1. value(row, column) reads a raw input; store(row, column,
  // prediction) takes a prediction. The members of an ensemble are averaged in double. Does not
  // allocate.
  template <class Value, class Store>
  void predict(std::size_t first, std::size_t n, const Value& value, const Store& store,
               Memory& memory) const {
    Workspace<T>& workspace = memory.workspace;
    const Block<T> x = workspace.block(workspace.inputs);
    load_inputs(first, n, value, x);
    if (plain_) {
      passes_[0].forward(workspace, x, padded(n), false);
      for (std::size_t o = 0; o < model_.targets.size(); ++o) {
        const T* const y = workspace.outputs().row(o);
        const Scaling& scaling = model_.targets[o].scaling;
        for (std::size_t k = 0; k < n; ++k) {
          store(first + k, o, invert(scaling, static_cast<double>(y[k])));
        }
      }
      return;
    }
    double* const sums = memory.sums.data();
    const std::size_t columns = model_.predictions();
    std::fill_n(sums, columns * n, 0.0);
    for (const Pass<T>& pass : passes_) {
      pass.forward(workspace, x, padded(n), false);
      add_predictions<T>(model_.targets, workspace.outputs(), n, sums);
    }
    finish_predictions(model_.targets, passes_.size(), n, sums);
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t k = 0; k < n; ++k) store(first + k, c, sums[c * n + k]);
    }
  }

 private:
  // Scaling::invert() for targets, without the special cases: their scale is never 0.
  static double invert(const Scaling& scaling, double y) {
    return scaling.is_identity() ? y : y / scaling.scale + scaling.offset;
  }

  // The inputs are scaled and padded.
  template <class Value>
  void load_inputs(std::size_t first, std::size_t n, const Value& value, Block<T> x) const {
    constexpr bool kCopy = std::is_same_v<Value, ColumnReader<T>>;
    if constexpr (kCopy) copy_rows(value.view, first, n, x);
    for (std::size_t c = 0; c < model_.inputs.size(); ++c) {
      const Scaling& scaling = model_.inputs[c].scaling;
      T* const out = x.row(c);
      if (kCopy && scaling.is_identity()) continue;
      if (kCopy && scaling.quantiles.empty()) {
        scale_kernels<T>().apply(scaling.offset, scaling.scale, out, padded(n));
        continue;
      }
      const auto read = [&](std::size_t k) { return static_cast<double>(value(first + k, c)); };
      scale_column(scaling, n, read, out);
      std::fill(out + n, out + padded(n), out[n - 1]);
    }
  }

  template <class Read>
  static void scale_column(const Scaling& scaling, std::size_t n, const Read& read, T* out) {
    switch (scaling.kind) {
      case ScalingKind::none:
        for (std::size_t k = 0; k < n; ++k) out[k] = static_cast<T>(read(k));
        return;
      case ScalingKind::range:
      case ScalingKind::standard: {
        const double offset = scaling.offset, scale = scaling.scale;
        for (std::size_t k = 0; k < n; ++k) out[k] = static_cast<T>((read(k) - offset) * scale);
        return;
      }
      case ScalingKind::quantile:
      case ScalingKind::uniform:
        for (std::size_t k = 0; k < n; ++k) out[k] = static_cast<T>(scaling.apply(read(k)));
        return;
    }
  }

  const Model& model_;
  bool plain_;  // one network, and all outputs are numbers: the fast path
  std::vector<Pass<T>> passes_;
};

template <class T, class Value, class Store>
void predict_rows_as(const Model& model, std::size_t rows, std::size_t threads, const Value& value,
                     const Store& store, const Monitor* monitor) {
  if (rows == 0) return;
  const PredictionPass<T> pass(model);
  const std::size_t size = std::min(pass.block_rows(), padded(rows));
  const std::size_t blocks = (rows + size - 1) / size;
  parallel::ThreadPool pool(std::min(parallel::ThreadPool::resolve(threads), blocks));
  std::vector<std::optional<typename PredictionPass<T>::Memory>> memories(pool.workers());
  pool.run(blocks, [&](std::size_t block, std::size_t worker) {
    parallel::check_stop(monitor);
    if (!memories[worker]) memories[worker].emplace(pass, size);
    const std::size_t first = block * size;
    pass.predict(first, std::min(size, rows - first), value, store, *memories[worker]);
  });
}

// Predicts in the precision of the training. value and store are called from several threads, for
// different rows. Throws like check_stop(): the monitor is asked before every block of rows.
template <class Value, class Store>
void predict_rows(const Model& model, std::size_t rows, std::size_t threads, const Value& value,
                  const Store& store, const Monitor* monitor = nullptr) {
  if (model.precision == Precision::float32) {
    predict_rows_as<float>(model, rows, threads, value, store, monitor);
  } else {
    predict_rows_as<double>(model, rows, threads, value, store, monitor);
  }
}

// Model::predict() and Model::spread() with a monitor, which may be null.
std::vector<std::vector<double>> predict_columns(const Model& model, const Table& table,
                                                 std::size_t threads, const Monitor* monitor);
std::vector<std::vector<double>> spread_columns(const Model& model, const Table& table,
                                                std::size_t threads, const Monitor* monitor);

// Throws bad_data unless rows and predictions fit the model.
template <class V>
void check_views(const Model& model, MatrixView<const V> rows, MatrixView<V> predictions);

// Calls go(value, store) for the views; contiguous columns get a faster `value` and `store`.
template <class V, class Go>
void with_views(MatrixView<const V> rows, MatrixView<V> predictions, const Go& go) {
  if (rows.row_stride == 1 && predictions.row_stride == 1) {
    V* const to = predictions.data;
    const std::size_t stride = predictions.column_stride;
    go(ColumnReader<V>{rows},
       [=](std::size_t r, std::size_t o, double y) { to[o * stride + r] = static_cast<V>(y); });
  } else {
    go([=](std::size_t r, std::size_t c) { return rows(r, c); },
       [=](std::size_t r, std::size_t o, double y) { predictions(r, o) = static_cast<V>(y); });
  }
}

}  // namespace knotwork::model
