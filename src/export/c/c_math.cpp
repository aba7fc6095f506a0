// SPDX-License-Identifier: MIT
#include "export/c/c_math.hpp"

#include <limits>

namespace knotwork::exporting {

std::string CValue::in(Precision precision, Strength least) const {
  if (is_number_) {
    const std::string number = c_number(number_, precision);
    return number_ < 0 && least == kAtom ? fmt::format("({})", number) : number;
  }
  return strength_ < least ? fmt::format("({})", text_) : text_;
}

// The right-hand side needs a higher precedence: a - (b - c) is not a - b - c, and because of
// rounding a + (b + c) and a + b + c differ too.
CValue CValue::combine(const CValue& a, char sign, const CValue& b, Strength strength) {
  const Precision precision = precision_of(a, b);
  const auto stronger = static_cast<Strength>(strength + 1);
  return {fmt::format("{} {} {}", a.in(precision, strength), sign, b.in(precision, stronger)),
          strength, precision};
}

CCondition CValue::compare(const CValue& a, const char* sign, const CValue& b) {
  const Precision precision = precision_of(a, b);
  return {fmt::format("{} {} {}", a.in(precision, kSum), sign, b.in(precision, kSum))};
}

CValue operator+(const CValue& a, const CValue& b) {
  if (a.is_number_ && b.is_number_) return a.number_ + b.number_;
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  if (b.is_number_ && b.number_ < 0) return CValue::combine(a, '-', -b.number_, CValue::kSum);
  return CValue::combine(a, '+', b, CValue::kSum);
}

CValue operator-(const CValue& a, const CValue& b) {
  if (a.is_number_ && b.is_number_) return a.number_ - b.number_;
  return b.is(0) ? a : CValue::combine(a, '-', b, CValue::kSum);
}

CValue operator*(const CValue& a, const CValue& b) {
  if (a.is_number_ && b.is_number_) return a.number_ * b.number_;
  if (a.is(0) || b.is(0)) return 0;
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  return CValue::combine(a, '*', b, CValue::kProduct);
}

CValue operator/(const CValue& a, const CValue& b) {
  return CValue::combine(a, '/', b, CValue::kProduct);
}

CValue operator-(const CValue& a) {
  if (a.is_number_) return -a.number_;
  return {fmt::format("-{}", a.in(a.precision_, CValue::kAtom)), CValue::kSign, a.precision_};
}

double CMath::largest() const {
  return precision_ == Precision::float32 ? static_cast<double>(std::numeric_limits<float>::max())
                                          : std::numeric_limits<double>::max();
}

CValue CMath::select(const Condition& condition, const Value& a, const Value& b) const {
  return {fmt::format("{} ? {} : {}", condition.text, a.in(precision_, Value::kSum), text(b)),
          Value::kChoice, precision_};
}

CCondition CMath::is_nan(const Value& a) const {
  const std::string same = a.in(precision_, Value::kSum);
  return {fmt::format("{} != {}", same, same)};
}

CValue CMath::call(const char* function, const Value& a) const {
  const char* const suffix = precision_ == Precision::float32 ? "f" : "";
  return {fmt::format("{}{}({})", function, suffix, text(a)), Value::kAtom, precision_};
}

CValue CMath::let(const std::string& name, const Value& value) {
  append(body_, "{}const {} {} = {};\n", indentation_, c_type(precision_), name, text(value));
  return variable(name);
}

CValue CMath::parameter(const std::string& name) const {
  return variable(parameter_of(parameters_, name).name);
}

CValue CMath::sum(const std::string& name, const Value& s, const std::vector<std::string>& tensors,
                  const Term& term) {
  const std::size_t count = parameter_of(parameters_, tensors[0]).size;
  append(body_, "{}{} {} = {};\n", indentation_, c_type(precision_), name, c_number(0, precision_));
  append(body_, "{}for (int k = 0; k < {}; ++k) {{\n", indentation_, count);
  indentation_ += "  ";
  std::vector<Value> elements;
  for (const std::string& tensor : tensors) elements.push_back(variable(tensor + "[k]"));
  const Value next = term(s, elements);
  append(body_, "{}{} += {};\n", indentation_, name, text(next));
  indentation_.resize(indentation_.size() - 2);
  append(body_, "{}}}\n", indentation_);
  return variable(name);
}

CValue CMath::index() const {
  return {fmt::format("({})k", c_type(precision_)), Value::kSign, precision_};
}

std::pair<CValue, CValue> CMath::horner(const std::string& name, const Value& x,
                                        const std::string& tensor) {
  const std::size_t count = parameter_of(parameters_, tensor).size;
  const std::string slope = name + "_slope", at = x.in(precision_, Value::kSign);
  const std::string zero = c_number(0, precision_);
  append(body_, "{}{} {} = {}, {} = {};\n", indentation_, c_type(precision_), name, zero, slope,
         zero);
  append(body_, "{}for (int k = {}; k >= 0; --k) {{\n", indentation_, count - 1);
  append(body_, "{}  {} = {} * {} + {};\n", indentation_, slope, slope, at, name);
  append(body_, "{}  {} = {} * {} + {}[k];\n", indentation_, name, name, at, tensor);
  append(body_, "{}}}\n", indentation_);
  return {variable(name), variable(slope)};
}

CValue CMath::cubic(const std::string& name, const Value& span, const Value& u,
                    const Matrix4& basis) {
  append(body_, "{}const {} *q = control_points + (int){};\n", indentation_, c_type(precision_),
         span.in(precision_, Value::kAtom));
  Value y = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const Value weight = ((basis[0][k] * u + basis[1][k]) * u + basis[2][k]) * u + basis[3][k];
    const Value named = weight.is(0) ? weight : let(fmt::format("w{}", k), weight);
    y = y + named * variable(fmt::format("q[{}]", k));
  }
  return let(name, y);
}

CValue CMath::cubic_slope(const Value& u, const Matrix4& basis) const {
  Value slope = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const Value weight = (3 * basis[0][k] * u + 2 * basis[1][k]) * u + basis[2][k];
    slope = slope + weight * variable(fmt::format("q[{}]", k));
  }
  return slope;
}

}  // namespace knotwork::exporting
