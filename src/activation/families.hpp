// SPDX-License-Identifier: MIT
// What the table of activations is put together from.
#pragma once

#include "activation/settings.hpp"
#include "kernels/fixed.hpp"

#include <knotwork/activation.hpp>

namespace knotwork {

std::shared_ptr<const Activation> make_adaptive_sigmoid(const Settings& settings);
std::shared_ptr<const Activation> make_adaptive_tanh(const Settings& settings);
std::shared_ptr<const Activation> make_apl(const Settings& settings);
std::shared_ptr<const Activation> make_kaf(const Settings& settings);
std::shared_ptr<const Activation> make_polynomial(const Settings& settings);
std::shared_ptr<const Activation> make_prelu(const Settings& settings);
std::shared_ptr<const Activation> make_rational(const Settings& settings);
std::shared_ptr<const Activation> make_spline(const Settings& settings);

// Those made of powers are fitted to their start on [-range, range], and straight beyond twice that.
constexpr double kBoundInRanges = 2;

// The least bound on |phi'|, rounded up where it has no end: at s = 2.39936 for silu and at sqrt(2)
// for gelu.
constexpr double greatest_slope(Formula formula) {
  switch (formula) {
    case Formula::sigmoid:
      return 0.25;
    case Formula::silu:
      return 1.09983933;
    case Formula::gelu:
      return 1.12890415;
    case Formula::gaussian:
      return 0.85776389;
    case Formula::identity:
    case Formula::tanh:
    case Formula::relu:
    case Formula::leaky_relu:
    case Formula::elu:
    case Formula::softplus:
      return 1;
  }
  return std::numeric_limits<double>::infinity();
}

class BuiltinFixed final : public ActivationOf<BuiltinFixed> {
 public:
  BuiltinFixed(Formula formula, std::string name, std::vector<double> kinks)
      : formula_(formula), name_(std::move(name)), kinks_(std::move(kinks)) {}

  std::string_view name() const override { return name_; }
  std::vector<double> kinks(const NeuronTensors<const double>&) const override { return kinks_; }
  double max_slope(const NeuronTensors<const double>&) const override {
    return greatest_slope(formula_);
  }
  bool never_falls() const override {
    return formula_ != Formula::silu && formula_ != Formula::gelu && formula_ != Formula::gaussian;
  }

  template <class T>
  void forward_as(const T*, const T* s, T* y, T* slope, std::size_t n) const {
    fixed_kernels<T>().forward(formula_, s, y, slope, n);
  }

 private:
  Formula formula_;
  std::string name_;
  std::vector<double> kinks_;
};

inline auto make_fixed(Formula formula, std::string name, std::vector<double> kinks = {}) {
  return [=](const Settings& settings) -> std::shared_ptr<const Activation> {
    SettingsReader(name, settings).finish();
    return std::make_shared<BuiltinFixed>(formula, name, kinks);
  };
}

}  // namespace knotwork
