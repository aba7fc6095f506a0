// SPDX-License-Identifier: MIT
// A model as ONNX, for onnxruntime and everything else that reads it: opset 13, ai.onnx.ml 2.
//
// The graph has one input for each column of a table, called like it, in the order of the model:
//   numbers   float [N, 1]; NaN is a missing one
//   texts     string [N, 1]; what training has not seen, "" too, counts as none of the categories
// N is any number of rows. Its outputs are what Model::predict() gives,
//   prediction      float [N, P]: numbers in the units of the targets, quantiles ascending
// or for classes
//   probabilities   float [N, K], in the order of the classes
//   label           string [N], the most probable one
// The metadata say what the columns, targets and classes are, as JSON.
//
// Scaling, means over an ensemble and probabilities are computed in double, the networks in float,
// also those that were trained in double: predictions are within 1e-5 of the target's standard
// deviation. What float cannot tell apart in an input (the 17th and the 18th million of seconds),
// such a graph cannot either.
#pragma once

#include <cstdint>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/model.hpp>

namespace knotwork {

// The bytes of the file. Throws bad_model for an activation that has no formula here (a program's
// own), for numbers that are too large for float, and for a model of more than 2 GB.
KNOTWORK_API std::vector<std::uint8_t> to_onnx(const Model& model);

}  // namespace knotwork
