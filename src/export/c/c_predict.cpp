// SPDX-License-Identifier: MIT
#include "export/c/c_parts.hpp"
#include "export/c/c_text.hpp"

namespace knotwork::exporting {
namespace {

constexpr const char kTwoClasses[] =
    R"(/* y is the logarithm of the odds of the second class. */
static inline void {0}_add(const {1} *y, double *p) {{
  const double odds = {2}y[0];
  const double small = exp(-fabs(odds));
  const double unlikely = small / (1.0 + small), likely = 1.0 / (1.0 + small);
  p[0] += odds < 0.0 ? likely : unlikely;
  p[1] += odds < 0.0 ? unlikely : likely;
}}

)";

constexpr const char kClasses[] =
    R"(/* Probabilities are exp(y) in parts of their sum; no exp here is above 1. */
static inline void {0}_add(const {1} *y, double *p) {{
  double largest = {2}y[0], total = 0.0;
  for (int k = 1; k < {3}; ++k) {{
    if ({2}y[k] > largest) largest = {2}y[k];
  }}
  for (int k = 0; k < {3}; ++k) total += exp({2}y[k] - largest);
  for (int k = 0; k < {3}; ++k) p[k] += exp({2}y[k] - largest) / total;
}}

)";

constexpr const char kNumbers[] =
    R"(static inline void {0}_add(const {1} *y, double *p) {{
  for (int k = 0; k < {3}; ++k) p[k] += {2}y[k];
}}

)";

constexpr const char kSort[] =
    R"(static inline void {0}_sort(double *p, int n) {{
  for (int k = 1; k < n; ++k) {{
    for (int i = k; i > 0 && p[i] < p[i - 1]; --i) {{
      const double larger = p[i - 1];
      p[i - 1] = p[i];
      p[i] = larger;
    }}
  }}
}}

)";

std::string add_function(const CContext& context) {
  const Model& model = context.model;
  const std::string_view type = c_type(context.precision);
  const char* const wide = context.precision == kDouble ? "" : "(double)";
  const std::size_t classes = model.targets.front().classes.size();
  std::string text;
  if (classes == 2) {
    append(text, kTwoClasses, context.name, type, wide);
  } else if (classes > 2) {
    append(text, kClasses, context.name, type, wide, classes);
  } else {
    append(text, kNumbers, context.name, type, wide, model.predictions());
  }
  return text;
}

bool has_quantiles(const Model& model) {
  for (const TargetColumn& target : model.targets) {
    if (target.quantiles.size() > 1) return true;
  }
  return false;
}

// p[k] in the units of the targets, with quantiles in ascending order.
std::string finish(const CContext& context) {
  std::string text;
  std::size_t first = 0;
  for (const TargetColumn& target : context.model.targets) {
    const std::size_t count = target.predictions();
    if (!target.scaling.is_identity()) {
      const double offset = target.scaling.offset;
      for (std::size_t k = first; k < first + count; ++k) {
        append(text, "  p[{0}] = p[{0}] / {1} {2} {3};\n", k,
               c_number(target.scaling.scale, kDouble), offset < 0 ? '-' : '+',
               c_number(std::abs(offset), kDouble));
      }
    }
    if (target.quantiles.size() > 1) {
      append(text, "  {}_sort(p + {}, {});\n", context.name, first, count);
    }
    first += count;
  }
  return text;
}

}  // namespace

std::string c_predict(const CContext& context) {
  const Model& model = context.model;
  const std::string& name = context.name;
  const std::string_view type = c_type(context.precision);
  const std::size_t members = model.members.size(), predictions = model.predictions();
  std::string text = add_function(context);
  if (has_quantiles(model)) append(text, kSort, name);
  append(text, "static inline void {0}(const {1} *in, {1} *out) {{\n", name, c_type(context.type));
  append(text, "  {} x[{}], y[{}];\n  double p[{}] = {{0.0}};\n", type, model.inputs.size(),
         model.outputs(), predictions);
  append(text, "  {}_encode(in, x);\n", name);
  if (members > 1) {
    append(text, "  for (int m = 0; m < {}; ++m) {{\n", members);
    append(text, "    {0}_network(m, x, y);\n    {0}_add(y, p);\n  }}\n", name);
    append(text, "  for (int k = 0; k < {}; ++k) p[k] /= {};\n", predictions,
           c_number(static_cast<double>(members), kDouble));
  } else {
    append(text, "  {0}_network(x, y);\n  {0}_add(y, p);\n", name);
  }
  text += finish(context);
  append(text, "  for (int k = 0; k < {}; ++k) out[k] = {}p[k];\n}}\n", predictions,
         context.type == kDouble ? "" : "(float)");
  return text;
}

}  // namespace knotwork::exporting
