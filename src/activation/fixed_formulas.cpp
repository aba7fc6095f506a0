// SPDX-License-Identifier: MIT
#include "activation/fixed_formulas.hpp"

#include "activation/settings.hpp"

namespace knotwork {
namespace {

enum class Course { rises, falls };

class BuiltinFixed final : public ActivationOf<BuiltinFixed> {
 public:
  explicit BuiltinFixed(FixedFormula formula) : formula_(std::move(formula)) {}

  std::string_view name() const override { return formula_.name; }
  std::vector<double> kinks(const NeuronTensors<const double>&) const override {
    return formula_.kinks;
  }
  double max_slope(const NeuronTensors<const double>&) const override { return formula_.steepest; }
  bool never_falls() const override { return formula_.never_falls; }

  template <class T>
  void forward_as(const T*, const T* s, T* y, T* slope, std::size_t n) const {
    fixed_kernels<T>().forward(formula_.formula, s, y, slope, n);
  }

 private:
  FixedFormula formula_;
};

}  // namespace

const std::vector<FixedFormula>& fixed_formulas() {
#define KNOTWORK_FIXED_FORMULA(formula, Struct, name, summary, kinks, steepest, course) \
  {Formula::formula, name, summary, kinks, steepest, Course::course == Course::rises},
  static const std::vector<FixedFormula> formulas = {KNOTWORK_FORMULAS(KNOTWORK_FIXED_FORMULA)};
#undef KNOTWORK_FIXED_FORMULA
  return formulas;
}

const FixedFormula& fixed_formula(Formula formula) {
  return fixed_formulas()[static_cast<std::size_t>(formula)];
}

std::vector<ActivationEntry> fixed_activations() {
  std::vector<ActivationEntry> entries;
  for (const FixedFormula& formula : fixed_formulas()) {
    if (formula.summary.empty()) continue;
    entries.push_back({formula.name, formula.summary,
                       [formula](const Settings& settings) -> std::shared_ptr<const Activation> {
                         SettingsReader(formula.name, settings).finish();
                         return std::make_shared<BuiltinFixed>(formula);
                       }});
  }
  return entries;
}

}  // namespace knotwork
