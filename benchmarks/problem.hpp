// SPDX-License-Identifier: MIT
// This header makes the networks and data that ours and the peers are timed on: synthetic, but the
// same in every run.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <knotwork/network.hpp>
#include <knotwork/objective.hpp>

namespace bench {

// Turns "8-5-1" into sizes.
std::vector<std::size_t> sizes_of(const std::string& shape);

// Splines or a fixed function in every layer; "tanh+identity" has a different function in the last
// layer. Parameters are floats, so that every precision starts from the same numbers; biases are
// not 0.
knotwork::Network make_network(const std::vector<std::size_t>& sizes, const std::string& activation,
                               std::size_t knots);

// Column by column.
template <class T>
struct Columns {
  std::size_t rows, width;
  std::vector<T> values;

  knotwork::MatrixView<const T> view() const {
    return knotwork::column_major(std::span<const T>(values), rows, width);
  }
  std::vector<float> by_row() const;
};
template <class T>
Columns<T> make_inputs(std::size_t rows, std::size_t width);  // N(0, 1)
template <class T>
Columns<T> make_targets(std::size_t rows, std::size_t width);  // uniform in [0, 1)

// A network, its data and the mean squared error as a function of its parameters.
template <class T>
struct Problem {
  Problem(const std::string& shape, std::size_t rows, const std::string& activation,
          std::size_t knots, std::size_t threads, std::size_t batch = 0);

  knotwork::Network network;
  Columns<T> inputs, targets;
  knotwork::Objective objective;
  std::vector<double> gradient;
};

}  // namespace bench
