// SPDX-License-Identifier: MIT
#include <cmath>

#include "kernels/formulas.hpp"

#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

template <class Formula>
InitialFunction from(std::string name) {
  return {std::move(name), [](double s) { return Formula::value(s); },
          [](double s) { return Formula::slope(s, Formula::value(s)); }};
}

}  // namespace

const NamedTable<InitialFunction>& initial_functions() {
  static const NamedTable<InitialFunction> table(
      "initial function",
      {from<formulas::Tanh>("tanh"),
       from<formulas::Sigmoid>("sigmoid"),
       from<formulas::Relu>("relu"),
       from<formulas::Identity>("identity"),
       from<formulas::Silu>("silu"),
       from<formulas::Gelu>("gelu"),
       from<formulas::Softplus>("softplus"),
       {"sin", [](double s) { return std::sin(s); }, [](double s) { return std::cos(s); }}});
  return table;
}

}  // namespace knotwork
