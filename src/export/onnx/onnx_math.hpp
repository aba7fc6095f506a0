// SPDX-License-Identifier: MIT
// OnnxMath writes formulas as nodes of an ONNX graph: a value is a float matrix [N, neurons].
#pragma once

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "export/onnx/onnx_graph.hpp"
#include "export/parameters.hpp"

#include <knotwork/spline.hpp>

namespace knotwork::exporting {

// There are parameters for each neuron of the layer, or one set for all of them.
class OnnxMath {
 public:
  using Value = OnnxValue;
  using Condition = OnnxCondition;
  using Term = std::function<Value(const Value& x, const std::vector<Value>&)>;

  OnnxMath(OnnxGraph& graph, std::span<const Parameter> parameters)
      : graph_(graph), parameters_(parameters) {}

  static double largest();

  Value select(const Condition& c, const Value& a, const Value& b) {
    return graph_.select(c, a, b);
  }
  Value abs(const Value& a) { return graph_.unary("Abs", a); }
  Value exp(const Value& a) { return graph_.unary("Exp", a); }
  Value tanh(const Value& a) { return graph_.unary("Tanh", a); }
  Value floor(const Value& a) { return graph_.unary("Floor", a); }
  // ONNX has no operators for these three. The formulas lose digits near 0, but the lost digits are
  // far below the last digits of the numbers to which the results are added.
  Value expm1(const Value& a) { return exp(a) - 1; }
  Value log1p(const Value& a) { return graph_.unary("Log", 1 + a); }
  Value erfc(const Value& a) { return 1 - graph_.unary("Erf", a); }
  Condition is_nan(const Value& a) { return {&graph_, graph_.add("IsNaN", {a.name()})}; }

  Value let(const std::string& name, const Value& value) { return graph_.renamed(value, name); }
  Value parameter(const std::string& name);
  Value sum(const std::string& name, const Value& s, const std::vector<std::string>& tensors,
            const Term& term);
  Value index();
  std::pair<Value, Value> horner(const std::string& name, const Value& x,
                                 const std::string& tensor);
  // The coefficients of every span are constants.
  Value cubic(const std::string& name, const Value& span, const Value& u, const Matrix4& basis);
  Value cubic_slope(const Value& u, const Matrix4& basis) const;

 private:
  Value constant(const std::string& name, const OnnxShape& shape, std::span<const double> values);

  OnnxGraph& graph_;
  std::span<const Parameter> parameters_;
  std::array<Value, 4> coefficients_ = {0, 0, 0, 0};  // of the spans that cubic() looked up
  std::size_t terms_ = 0;                             // of the current sum
  std::map<std::string, std::string> constants_;      // by their wished names
};

}  // namespace knotwork::exporting
