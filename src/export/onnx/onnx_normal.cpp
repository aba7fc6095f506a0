// SPDX-License-Identifier: MIT
// ONNX has no erfc in double, so the method of features/normal_quantile.cpp is not available. The
// rational approximations of Wichura, "Algorithm AS 241: the percentage points of the normal
// distribution", 1988 (PPND16), are also accurate to about 16 digits.
#include <array>

#include "export/onnx/onnx_parts.hpp"

namespace knotwork::exporting {
namespace {

using Coefficients = std::array<double, 8>;  // the lowest power first

// For |p - 1/2| <= 0.425, in powers of 0.425^2 - (p - 1/2)^2.
constexpr Coefficients kMiddleAbove = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                       1.9715909503065514427e3, 1.3731693765509461125e4,
                                       4.5921953931549871457e4, 6.7265770927008700853e4,
                                       3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr Coefficients kMiddleBelow = {1.0,
                                       4.2313330701600911252e1,
                                       6.8718700749205790830e2,
                                       5.3941960214247511077e3,
                                       2.1213794301586595867e4,
                                       3.9307895800092710610e4,
                                       2.8729085735721942674e4,
                                       5.2264952788528545610e3};
// Down to p = exp(-25), in powers of sqrt(-log p) - 1.6.
constexpr Coefficients kTailAbove = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                     5.76949722146069140550e0,  3.64784832476320460504e0,
                                     1.27045825245236838258e0,  2.41780725177450611770e-1,
                                     2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr Coefficients kTailBelow = {1.0,
                                     2.05319162663775882187e0,
                                     1.67638483018380384940e0,
                                     6.89767334985100004550e-1,
                                     1.48103976427480074590e-1,
                                     1.51986665636164571966e-2,
                                     5.47593808499534494600e-4,
                                     1.05075007164441684324e-9};

OnnxValue polynomial(const Coefficients& a, const OnnxValue& x) {
  OnnxValue sum = a.back();
  for (std::size_t k = a.size() - 1; k-- > 0;) sum = sum * x + a[k];
  return sum;
}

}  // namespace

OnnxValue onnx_normal_quantile(OnnxGraph& graph, const OnnxValue& p) {
  const OnnxValue q = p - 0.5;
  const OnnxValue r = 0.180625 - q * q;
  const OnnxValue middle = q * polynomial(kMiddleAbove, r) / polynomial(kMiddleBelow, r);
  const OnnxCondition low = q < 0;
  const OnnxValue tail = graph.select(low, p, 1 - p);
  const OnnxValue t = graph.unary("Sqrt", -graph.unary("Log", tail)) - 1.6;
  const OnnxValue far = polynomial(kTailAbove, t) / polynomial(kTailBelow, t);
  return graph.select(graph.unary("Abs", q) <= 0.425, middle, graph.select(low, -far, far));
}

}  // namespace knotwork::exporting
