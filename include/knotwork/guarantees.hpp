// SPDX-License-Identifier: MIT
// This header computes guarantees for all inputs of a model: a bound on how much its outputs change
// with its inputs, and a check through predictions of whether it is monotone in a column.
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
// units of the network (scaled inputs and outputs): the product over layers of a bound on the
// spectral norm of the weights and the largest slope of the layer's activations. Infinity when an
// activation has no known bound. For the network of one layer {1, 1} with tanh and weight w the
// bound is |w|.
KNOTWORK_API double lipschitz_bound(const Network& network);

// For an ensemble, which averages the outputs of its networks: the mean of their bounds.
KNOTWORK_API double lipschitz_bound(std::span<const Network> members);

// An upper bound on the largest singular value of a matrix with `rows` rows, stored row by row. If
// the smaller side is at most 256, the bound is exact to a thousandth; for larger matrices it is
// the smaller of the Frobenius norm and sqrt(largest row sum * largest column sum) of |matrix|.
KNOTWORK_API double spectral_norm_bound(std::span<const double> matrix, std::size_t rows);

struct MonotoneCheck {
  std::string column;
  std::size_t rows = 0;
  std::size_t values = 0;  // of the grid that each row's column was set to, in turn
  // The largest step of a prediction in the wrong direction from one grid value to the next, in
  // units of the target, or of the probability of the second of two classes. 0: no violation was
  // found.
  double largest_violation = 0;
};

// Sets the column of every row to the values of a grid, which extends the training range by a
// quarter of its width on both sides, and compares the predictions. Rows are raw inputs in the
// order of model.inputs. Throws bad_option if the model has no such numeric column.
KNOTWORK_API MonotoneCheck check_monotone(const Model& model, std::string_view column, bool rising,
                                          MatrixView<const double> rows, std::size_t values = 50,
                                          std::size_t threads = 1);

}  // namespace knotwork
