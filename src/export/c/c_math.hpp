// SPDX-License-Identifier: MIT
// CMath writes formulas as C: values are expressions, and each named value is a line of a function.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "export/c/c_text.hpp"
#include "export/parameters.hpp"

#include <knotwork/spline.hpp>

namespace knotwork::exporting {

struct CCondition {
  std::string text;
};

// An expression, or a number that takes the precision of the expression it is combined with.
class CValue {
 public:
  // Operator precedence of an expression; an operand of lower precedence gets parentheses.
  enum Strength { kChoice, kComparison, kSum, kProduct, kSign, kAtom };

  CValue(double number) : number_(number), is_number_(true) {}
  CValue(std::string text, Strength strength, Precision precision)
      : text_(std::move(text)), strength_(strength), precision_(precision) {}

  // The text as an operand that needs at least this precedence.
  std::string in(Precision precision, Strength least) const;
  bool is(double number) const { return is_number_ && number_ == number; }

  friend CValue operator+(const CValue& a, const CValue& b);
  friend CValue operator-(const CValue& a, const CValue& b);
  friend CValue operator*(const CValue& a, const CValue& b);
  friend CValue operator/(const CValue& a, const CValue& b);
  friend CValue operator-(const CValue& a);
  friend CCondition operator<(const CValue& a, const CValue& b) { return compare(a, "<", b); }
  friend CCondition operator>(const CValue& a, const CValue& b) { return compare(a, ">", b); }
  friend CCondition operator<=(const CValue& a, const CValue& b) { return compare(a, "<=", b); }
  friend CCondition operator==(const CValue& a, const CValue& b) { return compare(a, "==", b); }

 private:
  static Precision precision_of(const CValue& a, const CValue& b) {
    return a.is_number_ ? b.precision_ : a.precision_;
  }
  static CValue combine(const CValue& a, char sign, const CValue& b, Strength strength);
  static CCondition compare(const CValue& a, const char* sign, const CValue& b);

  std::string text_;
  Strength strength_ = kAtom;
  Precision precision_ = Precision::float64;
  double number_ = 0;
  bool is_number_ = false;
};

// The body of one function. A parameter with one number is an argument; one with several numbers is
// a pointer to the first.
class CMath {
 public:
  using Value = CValue;
  using Condition = CCondition;
  using Term = std::function<Value(const Value& x, const std::vector<Value>&)>;

  CMath(std::span<const Parameter> parameters, Precision precision)
      : parameters_(parameters), precision_(precision) {}

  Value variable(const std::string& name) const { return {name, Value::kAtom, precision_}; }
  double largest() const;

  Value select(const Condition& condition, const Value& a, const Value& b) const;
  Value abs(const Value& a) const { return call("fabs", a); }
  Value exp(const Value& a) const { return call("exp", a); }
  Value expm1(const Value& a) const { return call("expm1", a); }
  Value log1p(const Value& a) const { return call("log1p", a); }
  Value tanh(const Value& a) const { return call("tanh", a); }
  Value erfc(const Value& a) const { return call("erfc", a); }
  Value floor(const Value& a) const { return call("floor", a); }
  Condition is_nan(const Value& a) const;

  Value let(const std::string& name, const Value& value);
  Value parameter(const std::string& name) const;
  Value sum(const std::string& name, const Value& s, const std::vector<std::string>& tensors,
            const Term& term);
  Value index() const;
  std::pair<Value, Value> horner(const std::string& name, const Value& x,
                                 const std::string& tensor);
  // Uses the weights of the control points: coefficients of powers would lose digits by
  // cancellation.
  Value cubic(const std::string& name, const Value& span, const Value& u, const Matrix4& basis);
  Value cubic_slope(const Value& u, const Matrix4& basis) const;

  const std::string& body() const { return body_; }

 private:
  Value call(const char* function, const Value& a) const;
  std::string text(const Value& value) const { return value.in(precision_, Value::kChoice); }

  std::span<const Parameter> parameters_;
  Precision precision_;
  std::string body_;
  std::string indentation_ = "  ";
};

}  // namespace knotwork::exporting
