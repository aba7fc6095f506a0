// SPDX-License-Identifier: MIT
// Raw rows in, predictions in the units of the targets out.
#pragma once

#include <algorithm>

#include "network/forward_blocks.hpp"

#include <knotwork/model.hpp>

namespace knotwork {

template <class T, class Value, class Store>
void predict_rows_as(const Model& model, std::size_t rows, std::size_t threads, const Value& value,
                     const Store& store) {
  forward_blocks<T>(
      model.network, rows, threads,
      [&](std::size_t first, std::size_t n, Workspace<T>& workspace) -> Block<const T> {
        const Block<T> x = workspace.block(workspace.inputs);
        for (std::size_t c = 0; c < model.inputs.size(); ++c) {
          const Scaling& scaling = model.inputs[c].scaling;
          T* out = x.row(c);
          for (std::size_t k = 0; k < n; ++k) {
            out[k] = static_cast<T>(scaling.apply(static_cast<double>(value(first + k, c))));
          }
          std::fill(out + n, out + padded(n), out[n - 1]);
        }
        return x;
      },
      [&](std::size_t first, std::size_t n, Block<const T> y) {
        for (std::size_t o = 0; o < model.targets.size(); ++o) {
          const Scaling& scaling = model.targets[o].scaling;
          for (std::size_t k = 0; k < n; ++k) {
            store(first + k, o, scaling.invert(static_cast<double>(y.row(o)[k])));
          }
        }
      });
}

// In the precision that the model was trained in. value(row, column) reads a raw input;
// store(row, output, prediction) takes a prediction. Both are called from several threads, for
// different rows.
template <class Value, class Store>
void predict_rows(const Model& model, std::size_t rows, std::size_t threads, const Value& value,
                  const Store& store) {
  if (model.precision == Precision::single_) {
    predict_rows_as<float>(model, rows, threads, value, store);
  } else {
    predict_rows_as<double>(model, rows, threads, value, store);
  }
}

}  // namespace knotwork
