// SPDX-License-Identifier: MIT
#include "export/onnx/onnx_math.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <numeric>

namespace knotwork::exporting {
namespace {

std::int64_t rows_of(const Parameter& parameter) {
  return static_cast<std::int64_t>(parameter.values.size() / parameter.size);
}

// Every size-th number, from number k on.
std::vector<double> element(const Parameter& parameter, std::size_t k) {
  std::vector<double> values;
  for (std::size_t at = k; at < parameter.values.size(); at += parameter.size) {
    values.push_back(parameter.values[at]);
  }
  return values;
}

// The coefficients of one power in every span of every curve.
std::vector<double> coefficients(const Parameter& points, const std::array<double, 4>& weights) {
  std::vector<double> all;
  for (std::size_t first = 0; first < points.values.size(); first += points.size) {
    for (std::size_t span = 0; span + 3 < points.size; ++span) {
      const auto q = points.values.begin() + static_cast<std::ptrdiff_t>(first + span);
      all.push_back(std::inner_product(weights.begin(), weights.end(), q, 0.0));
    }
  }
  return all;
}

}  // namespace

double OnnxMath::largest() {
  return static_cast<double>(std::numeric_limits<float>::max());
}

OnnxValue OnnxMath::constant(const std::string& name, const OnnxShape& shape,
                             std::span<const double> values) {
  const auto [place, is_new] = constants_.try_emplace(name);
  if (is_new) place->second = graph_.numbers(name, shape, values, OnnxType::float32);
  return {graph_, place->second, OnnxType::float32};
}

OnnxValue OnnxMath::parameter(const std::string& name) {
  const Parameter& parameter = parameter_of(parameters_, name);
  return constant(name, {1, rows_of(parameter)}, parameter.values);
}

OnnxValue OnnxMath::sum(const std::string& name, const Value& s,
                        const std::vector<std::string>& tensors, const Term& term) {
  const std::int64_t last_axis[] = {2};
  const std::string axis = graph_.whole_numbers(name + "_axis", {1}, last_axis);
  const Value x(graph_, graph_.add("Unsqueeze", {s.name(), axis}), s.type());
  std::vector<Value> elements;
  for (const std::string& tensor : tensors) {
    const Parameter& parameter = parameter_of(parameters_, tensor);
    terms_ = parameter.size;
    elements.push_back(constant(tensor, {rows_of(parameter), static_cast<std::int64_t>(terms_)},
                                parameter.values));
  }
  const Value terms = term(x, elements);
  return {graph_,
          graph_.add("ReduceSum", {terms.name(), axis}, name, {{"keepdims", std::int64_t{0}}}),
          s.type()};
}

OnnxValue OnnxMath::index() {
  std::vector<double> places(terms_);
  std::iota(places.begin(), places.end(), 0.0);
  return constant("places", {static_cast<std::int64_t>(terms_)}, places);
}

std::pair<OnnxValue, OnnxValue> OnnxMath::horner(const std::string& name, const Value& x,
                                                 const std::string& tensor) {
  const Parameter& parameter = parameter_of(parameters_, tensor);
  Value value = 0, slope = 0;
  for (std::size_t k = parameter.size; k-- > 0;) {
    slope = slope * x + value;
    value = value * x + constant(fmt::format("{}_{}", tensor, k), {1, rows_of(parameter)},
                                 element(parameter, k));
  }
  return {let(name, value), slope};
}

OnnxValue OnnxMath::cubic(const std::string& name, const Value& span, const Value& u,
                          const Matrix4& basis) {
  const Parameter& points = parameter_of(parameters_, "control_points");
  const std::int64_t rows = rows_of(points);
  const auto spans = static_cast<std::int64_t>(points.size) - 3;
  std::string place = graph_.cast(span, OnnxType::whole, "place").name();
  if (rows > 1) {
    std::vector<std::int64_t> first_spans;
    for (std::int64_t row = 0; row < rows; ++row) first_spans.push_back(row * spans);
    place = graph_.add("Add", {place, graph_.whole_numbers("first_spans", {1, rows}, first_spans)});
  }
  std::array<Value, 4>& c = coefficients_;
  for (std::size_t row = 0; row < 4; ++row) {
    if (basis[row] == std::array<double, 4>{}) continue;
    const std::string power = fmt::format("u{}", 3 - row);
    const Value table =
        constant("coefficients_" + power, {rows * spans}, coefficients(points, basis[row]));
    c[row] = {graph_, graph_.add("Gather", {table.name(), place}, power), OnnxType::float32};
  }
  return let(name, ((c[0] * u + c[1]) * u + c[2]) * u + c[3]);
}

OnnxValue OnnxMath::cubic_slope(const Value& u, const Matrix4&) const {
  const std::array<Value, 4>& c = coefficients_;
  return (3 * c[0] * u + 2 * c[1]) * u + c[2];
}

}  // namespace knotwork::exporting
