// SPDX-License-Identifier: MIT
#include "analysis/closest_function/known_functions.hpp"

#include <algorithm>
#include <cmath>

namespace knotwork {

using namespace analysis;

namespace {

double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));  // never overflows
}

std::vector<SearchedFunction> make_functions() {
  return {
      {.function = {"identity", "x", [](double x) { return x; }}},
      {.function = {"relu", "max(0, x)", [](double x) { return std::max(0.0, x); }},
       .freedom = Freedom::place,
       .mirrored = true},
      {.function = {"absolute", "|x|", [](double x) { return std::fabs(x); }},
       .freedom = Freedom::place},
      {.function = {"step", "1 if x > 0, else 0", [](double x) { return x > 0 ? 1.0 : 0.0; }},
       .freedom = Freedom::place,
       .jumps = true},
      // Far from its vertex a parabola can fit every arc.
      {.function = {"square", "x^2", [](double x) { return x * x; }},
       .freedom = Freedom::place,
       .farthest = 8},
      {.function = {"cube", "x^3", [](double x) { return x * x * x; }}, .freedom = Freedom::place},
      {.function = {"exponential", "exp(x)", [](double x) { return std::exp(x); }},
       .freedom = Freedom::width,
       .mirrored = true},
      // Softplus comes before tanh, because half of a tanh looks like softplus.
      {.function = {"softplus", "log(1 + exp(x))", softplus},
       .freedom = Freedom::both,
       .farthest = 2,
       .mirrored = true},
      {.function = {"tanh", "tanh(x)", [](double x) { return std::tanh(x); }},
       .freedom = Freedom::both},
      {.function = {"gaussian", "exp(-x^2)", [](double x) { return std::exp(-x * x); }},
       .freedom = Freedom::both,
       .farthest = 2},
      {.function = {"sine", "sin(x)", [](double x) { return std::sin(x); }},
       .freedom = Freedom::both,
       .farthest = 8,
       .periodic = true},
  };
}

}  // namespace

std::span<const SearchedFunction> analysis::searched_functions() {
  static const std::vector<SearchedFunction> functions = make_functions();
  return functions;
}

const NamedTable<KnownFunction>& known_functions() {
  static const NamedTable<KnownFunction> table = [] {
    std::vector<KnownFunction> entries;
    for (const SearchedFunction& searched : searched_functions()) {
      entries.push_back(searched.function);
    }
    return NamedTable<KnownFunction>("known function", std::move(entries));
  }();
  return table;
}

}  // namespace knotwork
