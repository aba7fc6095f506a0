// SPDX-License-Identifier: MIT
// These functions build the parts of a model's ONNX graph.
#pragma once

#include <string>
#include <vector>

#include "export/onnx/onnx_graph.hpp"
#include "parallel/watched_work.hpp"

#include <knotwork/export_model.hpp>
#include <knotwork/model.hpp>

namespace knotwork::exporting {

// From the graph's inputs, named `names`, to the inputs of the networks: float [N, inputs].
OnnxValue onnx_inputs(OnnxGraph& graph, const Model& model, const ExportColumns& columns,
                      const std::vector<std::string>& names);

// The outputs of one network: float [N, outputs]. Names in it begin with `scope`.
// A layer is a step of `work`.
OnnxValue onnx_network(OnnxGraph& graph, const Network& network, const OnnxValue& x,
                       const std::string& scope, parallel::WatchedWork& work);

// The quantile of the standard normal distribution at 1e-7 <= p <= 1 - 1e-7, in double.
OnnxValue onnx_normal_quantile(OnnxGraph& graph, const OnnxValue& p);

}  // namespace knotwork::exporting
