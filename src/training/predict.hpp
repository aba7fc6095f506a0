// SPDX-License-Identifier: MIT
// Raw rows in, predictions in the units of the targets out.
#pragma once

#include <algorithm>
#include <vector>

#include "network/forward_blocks.hpp"

#include <knotwork/model.hpp>

namespace knotwork {

// One member's outputs, scaled as they leave the network.
template <class T, class Value, class Store>
void member_outputs(const Model& model, std::size_t member, std::size_t rows, std::size_t threads,
                    const Value& value, const Store& store) {
  forward_blocks<T>(
      model.members[member], rows, threads,
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
          for (std::size_t k = 0; k < n; ++k) {
            store(first + k, o, static_cast<double>(y.row(o)[k]));
          }
        }
      });
}

template <class T, class Value, class Store>
void predict_rows_as(const Model& model, std::size_t rows, std::size_t threads, const Value& value,
                     const Store& store) {
  const auto invert = [&](std::size_t o, double y) { return model.targets[o].scaling.invert(y); };
  if (model.members.size() == 1) {
    member_outputs<T>(model, 0, rows, threads, value,
                      [&](std::size_t r, std::size_t o, double y) { store(r, o, invert(o, y)); });
    return;
  }
  std::vector<double> sums(rows * model.targets.size());
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    member_outputs<T>(model, m, rows, threads, value,
                      [&](std::size_t r, std::size_t o, double y) { sums[o * rows + r] += y; });
  }
  const auto members = static_cast<double>(model.members.size());
  for (std::size_t o = 0; o < model.targets.size(); ++o) {
    for (std::size_t r = 0; r < rows; ++r) store(r, o, invert(o, sums[o * rows + r] / members));
  }
}

// In the precision that the model was trained in; the members of an ensemble are averaged in
// double. value(row, column) reads a raw input; store(row, output, prediction) takes a prediction.
// Both are called from several threads, for different rows.
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
