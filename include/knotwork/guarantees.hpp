// SPDX-License-Identifier: MIT
// What holds for all inputs of a model: how much its outputs can change for a change of its inputs
// (a bound that is computed), and whether it is monotone in a column (looked at from outside,
// through its predictions).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <knotwork/api.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/model.hpp>
#include <knotwork/network.hpp>

namespace knotwork {

// A number L with ||f(x) - f(y)|| <= L ||x - y|| for all x and y, in Euclidean norms and in the
// units that the network sees (scaled inputs and outputs): the product over layers of a bound on
// the spectral norm of the weights and the greatest slope of the layer's activations. Infinity when
// an activation has no known bound. The network of one layer {1, 1}, tanh and weight w has |w|.
KNOTWORK_API double lipschitz_bound(const Network& network);

// The mean of the bounds of its networks is one for an ensemble, which averages their outputs.
KNOTWORK_API double lipschitz_bound(std::span<const Network> members);

// An upper bound on the largest singular value of a matrix of so many rows, stored row by row:
// within a thousandth if the smaller side is at most 256; beyond that the Frobenius norm or
// sqrt(largest row sum * largest column sum) of |matrix|, whichever is less.
KNOTWORK_API double spectral_norm_bound(std::span<const double> matrix, std::size_t rows);

struct MonotoneCheck {
  std::string column;
  std::size_t rows = 0;
  std::size_t values = 0;  // that each row was given, in turn, in the column
  // The largest step of a prediction against the direction from one value to the next, in the units
  // of the target; of two classes the probability of the second. 0: none was found.
  double largest_violation = 0;
};

// Gives the column of every row the values of a grid, which reaches beyond what training saw by a
// quarter of its range on both sides, and compares the predictions. Rows are raw inputs in the
// order of model.inputs. Throws bad_option if the model has no such column of numbers.
KNOTWORK_API MonotoneCheck check_monotone(const Model& model, std::string_view column, bool rising,
                                          MatrixView<const double> rows, std::size_t values = 50,
                                          std::size_t threads = 1);

}  // namespace knotwork
