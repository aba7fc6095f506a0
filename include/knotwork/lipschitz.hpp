// SPDX-License-Identifier: MIT
// How much the outputs of a network can change for a change of its inputs.
#pragma once

#include <cstddef>
#include <span>

#include <knotwork/export.hpp>
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

}  // namespace knotwork
