// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "export/export_formulas.hpp"
#include "export/onnx/onnx_math.hpp"
#include "export/onnx/onnx_parts.hpp"

namespace knotwork::exporting {
namespace {

// The sums that the neurons of a layer receive.
OnnxValue received(OnnxGraph& graph, const Network& network, std::size_t l, const OnnxValue& x) {
  const Layer& layer = network.layers()[l];
  if (layer.kind == LayerKind::bank) {
    const std::size_t units = layer.outputs / layer.inputs;
    if (units == 1) return x;
    std::vector<std::int64_t> inputs;
    for (std::size_t j = 0; j < layer.outputs; ++j) {
      inputs.push_back(static_cast<std::int64_t>(j / units));
    }
    return graph.columns(x, inputs, "s");
  }
  const auto values = [&](const char* which) {
    return network.values(network.tensor(fmt::format("layers.{}.{}", l, which)));
  };
  const auto inputs = static_cast<std::int64_t>(layer.inputs);
  const auto outputs = static_cast<std::int64_t>(layer.outputs);
  const std::string weight =
      graph.numbers("weight", {outputs, inputs}, values("weight"), OnnxType::float32);
  const std::string bias = graph.numbers("bias", {outputs}, values("bias"), OnnxType::float32);
  return {graph, graph.add("Gemm", {x.name(), weight, bias}, "s", {{"transB", std::int64_t{1}}}),
          OnnxType::float32};
}

}  // namespace

OnnxValue onnx_network(OnnxGraph& graph, const Network& network, const OnnxValue& x,
                       const std::string& scope, parallel::WatchedWork& work) {
  OnnxValue y = x;
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    graph.enter(fmt::format("{}layer{}/", scope, l + 1));
    const Layer& layer = network.layers()[l];
    const OnnxValue s = received(graph, network, l, y);
    const std::vector<Parameter> parameters = layer_parameters(network, l);
    OnnxMath math(graph, parameters);
    const OnnxValue value = math.let("phi", apply_formula(math, *layer.activation, s));
    y = layer.residual ? math.let("with_inputs", value + y) : value;
    work.advance();
  }
  return y;
}

}  // namespace knotwork::exporting
