// SPDX-License-Identifier: MIT
// This header writes the formula of each activation once, for every form of output: as numbers (in
// the test against the activations themselves), as C, and as nodes of an ONNX graph.
//
// A formula is a struct with the name of its activation and
//     template <class Math> static Value value(Math& m, const Value& s, const Settings& settings)
// where Math has a Value with + - * /, comparisons that give a Condition, and
//     select(condition, a, b)     abs exp expm1 log1p tanh erfc floor     is_nan(a)     largest()
//     let(name, a)                the same value under a name
//     parameter(name)             a trained number of the neuron
//     sum(name, s, tensors, term) the sum over k of term(s, element k of each tensor)
//     index()                     k, inside such a term
//     horner(name, x, tensor)     a polynomial, the lowest power first, and its derivative
//     cubic(name, span, u, basis) the curve of the control points from `span` on
//     cubic_slope(u, basis)       its derivative with respect to u; call it after cubic()
// Powers of NaN and infinity are as in the activations: the branch that select() does not take may
// be either.
//
// A new activation needs a struct here and its place in Formulas below.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "activation/powers.hpp"

#include <knotwork/activation.hpp>

namespace knotwork::export_formulas {

template <class Math>
using ValueOf = typename Math::Value;

inline double number(const Settings& settings, std::string_view name) {
  return std::get<double>(settings.find(name)->second);
}
inline const std::string& text(const Settings& settings, std::string_view name) {
  return std::get<std::string>(settings.find(name)->second);
}

// --- Parts

// NaN stays NaN.
template <class Math>
ValueOf<Math> bounded(Math& m, const ValueOf<Math>& s, double bound) {
  return m.select(s < -bound, -bound, m.select(s > bound, bound, s));
}

template <class Math>
ValueOf<Math> positive_part(Math& m, const ValueOf<Math>& s) {
  return m.select(s <= 0, 0, s);
}

// exp of negative numbers only, so that nothing overflows.
template <class Math>
ValueOf<Math> logistic(Math& m, const ValueOf<Math>& s) {
  const auto e = m.let("e", m.exp(-m.abs(s)));
  return m.select(s < 0, e, 1) / (1 + e);
}

// s * share; where the share underflows to 0 the result is 0, also at -infinity.
template <class Math>
ValueOf<Math> gated(Math& m, const ValueOf<Math>& s, const ValueOf<Math>& share) {
  constexpr double kNothingLeft = -1000;
  return m.select(s < kNothingLeft, kNothingLeft, s) * share;
}

// The change along a tangent; a slope of 0 gives 0, even over an infinite distance.
template <class Math>
ValueOf<Math> along(Math& m, const ValueOf<Math>& slope, const ValueOf<Math>& beyond) {
  return m.select(slope == 0, 0, slope * beyond);
}

// amplitude * f(slope * s + shift). Infinity times a slope of 0 would give NaN.
template <class Math>
ValueOf<Math> shaped(Math& m, const ValueOf<Math>& s) {
  return m.let("inner", m.parameter("slope") * bounded(m, s, m.largest()) + m.parameter("shift"));
}

// --- Fixed activations

struct Identity {
  static constexpr std::string_view kName = "identity";
  template <class Math>
  static ValueOf<Math> value(Math&, const ValueOf<Math>& s, const Settings&) {
    return s;
  }
};

struct Tanh {
  static constexpr std::string_view kName = "tanh";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings&) {
    return m.tanh(s);
  }
};

struct Sigmoid {
  static constexpr std::string_view kName = "sigmoid";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings&) {
    return logistic(m, s);
  }
};

struct Relu {
  static constexpr std::string_view kName = "relu";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings&) {
    return positive_part(m, s);
  }
};

struct LeakyRelu {
  static constexpr std::string_view kName = "leaky-relu";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings&) {
    return m.select(s <= 0, 0.01 * s, s);
  }
};

struct Elu {
  static constexpr std::string_view kName = "elu";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings&) {
    return m.select(s <= 0, m.expm1(s), s);
  }
};

struct Softplus {
  static constexpr std::string_view kName = "softplus";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings&) {
    return positive_part(m, s) + m.log1p(m.exp(-m.abs(s)));
  }
};

struct Silu {
  static constexpr std::string_view kName = "silu";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings&) {
    return gated(m, s, logistic(m, s));
  }
};

struct Gelu {
  static constexpr std::string_view kName = "gelu";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings&) {
    return gated(m, s, 0.5 * m.erfc(-s * (1 / std::numbers::sqrt2)));
  }
};

// --- Activations with trained numbers

struct AdaptiveTanh {
  static constexpr std::string_view kName = "adaptive-tanh";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings&) {
    return m.parameter("amplitude") * m.tanh(shaped(m, s));
  }
};

struct AdaptiveSigmoid {
  static constexpr std::string_view kName = "adaptive-sigmoid";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings&) {
    return m.parameter("amplitude") * logistic(m, shaped(m, s));
  }
};

struct Prelu {
  static constexpr std::string_view kName = "prelu";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings&) {
    return m.select(s <= 0, along(m, m.parameter("leak"), s), s);
  }
};

struct Apl {
  static constexpr std::string_view kName = "apl";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings&) {
    using Values = std::vector<ValueOf<Math>>;
    // The hinges above s: their contribution to the value, and to the slope.
    const auto rise =
        m.sum("rise", s, {"slopes", "hinges"}, [&](const auto& x, const Values& hinge) {
          return m.select(x < hinge[1], hinge[0] * hinge[1], 0);
        });
    const auto fall = m.sum(
        "fall", s, {"slopes", "hinges"},
        [&](const auto& x, const Values& hinge) { return m.select(x < hinge[1], hinge[0], 0); });
    return rise + (positive_part(m, s) - along(m, fall, s));
  }
};

struct Kaf {
  static constexpr std::string_view kName = "kaf";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings& settings) {
    using Values = std::vector<ValueOf<Math>>;
    const double range = number(settings, "range");
    const double step = 2 * range / (number(settings, "dictionary") - 1);
    const double inverse_width = 1 / (step * std::sqrt(6.0));
    return m.sum("bells", s, {"alpha"}, [&](const auto& x, const Values& bell) {
      const auto z = m.let("z", (x - (m.index() * step - range)) * inverse_width);
      return bell[0] * m.exp(-(z * z));
    });
  }
};

struct Polynomial {
  static constexpr std::string_view kName = "polynomial";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings& settings) {
    const auto x = m.let("x", bounded(m, s, kBoundInRanges * number(settings, "range")));
    const auto [p, slope] = m.horner("p", x, "coefficients");
    return p + along(m, slope, s - x);
  }
};

struct Rational {
  static constexpr std::string_view kName = "rational";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings& settings) {
    const auto x = m.let("x", bounded(m, s, kBoundInRanges * number(settings, "range")));
    const auto [p, p_slope] = m.horner("p", x, "numerator");
    // Q(x) = x r(x): it has no constant term.
    const auto [r, r_slope] = m.horner("r", x, "denominator");
    const auto q = m.let("q", x * r);
    const auto q_slope = m.let("q_slope", r + x * r_slope);
    const auto below = m.let("below", 1 + m.abs(q));
    const auto y = m.let("y", p / below);
    const auto slope = m.let("slope", (p_slope - y * m.select(q < 0, -q_slope, q_slope)) / below);
    return y + along(m, slope, s - x);
  }
};

struct Spline {
  static constexpr std::string_view kName = "spline";
  template <class Math>
  static ValueOf<Math> value(Math& m, const ValueOf<Math>& s, const Settings& settings) {
    const auto tension = settings.find("tension");
    const SplineBasis basis = spline_basis(
        text(settings, "basis"), tension == settings.end() ? 0 : std::get<double>(tension->second));
    const double last = number(settings, "knots") - 4;
    const auto t = m.let("t", (s - m.parameter("origin")) * m.parameter("inverse_step"));
    // NaN fails the comparisons and gets span 0, which is inside the table.
    const auto span = m.let("span", m.select(t > 0, m.select(t < last, m.floor(t), last), 0));
    const auto within = m.let("within", t - span);
    const auto u = m.let("u", m.select(within > 0, m.select(within < 1, within, 1), 0));
    const auto outside = m.let("outside", within - u);
    const auto y = m.cubic("y", span, u, basis.matrix);
    if (from_string<Tails>(text(settings, "tails")) == Tails::constant) {
      return m.select(m.is_nan(outside), outside, y);
    }
    const auto slope = m.let("slope", m.cubic_slope(u, basis.matrix));
    return y + m.select(slope == 0, m.select(m.is_nan(outside), outside, 0), slope * outside);
  }
};

// The only table of formulas.
using Formulas =
    std::tuple<Spline, AdaptiveTanh, AdaptiveSigmoid, Prelu, Apl, Polynomial, Rational, Kaf,
               Identity, Tanh, Sigmoid, Relu, LeakyRelu, Elu, Softplus, Silu, Gelu>;

template <class Visit>
void for_each_formula(const Visit& visit) {
  std::apply([&](auto... formula) { (visit(formula), ...); }, Formulas{});
}

}  // namespace knotwork::export_formulas

namespace knotwork::exporting {

inline bool has_formula(std::string_view activation) {
  bool found = false;
  export_formulas::for_each_formula(
      [&](auto formula) { found = found || formula.kName == activation; });
  return found;
}

// phi(s) of an activation for which has_formula().
template <class Math>
typename Math::Value apply_formula(Math& math, const Activation& activation,
                                   const typename Math::Value& s) {
  typename Math::Value result = s;
  export_formulas::for_each_formula([&](auto formula) {
    if (formula.kName == activation.name()) {
      result = formula.value(math, s, activation.settings());
    }
  });
  return result;
}

}  // namespace knotwork::exporting
