// SPDX-License-Identifier: MIT
// Penalties on absolute values of weights, and of second differences of control points. They are
// not smooth; their proximal steps produce exact zeros.
#include <cmath>

#include "network/curves.hpp"
#include "objective/regularizers/builtin_regularizers.hpp"
#include "spline/straighten.hpp"

namespace knotwork {
namespace {

class AbsoluteWeights final : public Regularizer {
 public:
  explicit AbsoluteWeights(bool free_bias) : free_bias_(free_bias) {}
  std::string_view name() const override { return "absolute-weights"; }
  bool is_smooth() const override { return false; }

  double add(const Network& network, std::span<const double> parameters, double lambda,
             std::span<double>) const override {
    double sum = 0;
    for_each_weight(network, [&](std::size_t k) { sum += std::abs(parameters[k]); });
    return lambda * sum;
  }

  // Every weight moves towards 0 by lambda times its step, and no farther.
  void shrink(const Network& network, std::span<double> parameters, double lambda,
              std::span<const double> steps) const override {
    for_each_weight(network, [&](std::size_t k) {
      const double left = std::abs(parameters[k]) - lambda * steps[k];
      parameters[k] = left > 0 ? std::copysign(left, parameters[k]) : 0.0;
    });
  }

 private:
  template <class Visit>
  void for_each_weight(const Network& network, const Visit& visit) const {
    for (const TensorInfo& tensor : network.tensors()) {
      if (tensor.group == ParameterGroup::activation) continue;
      if (tensor.group == ParameterGroup::bias && free_bias_) continue;
      for (std::size_t k = tensor.offset; k < tensor.offset + tensor.size; ++k) visit(k);
    }
  }

  bool free_bias_;
};

class Kinks final : public Regularizer {
 public:
  std::string_view name() const override { return "kinks"; }
  bool is_smooth() const override { return false; }

  double add(const Network& network, std::span<const double> parameters, double lambda,
             std::span<double>) const override {
    double sum = 0;
    for_each_curve(network, parameters, [&](const CurveShape& shape, std::size_t first) {
      const std::span<const double> q = parameters.subspan(first, shape.points);
      for (std::size_t k = 1; k + 1 < q.size(); ++k) {
        sum += std::abs(q[k - 1] - 2 * q[k] + q[k + 1]);
      }
    });
    return lambda * sum;
  }

  // All points of a curve get one step, so that the problem stays that of straighten(): its inverse
  // is the mean of the inverses of their steps. For adam that is the mean of the denominators
  // sqrt(vhat) + epsilon. (The largest step would be that of a point that no sample touches.)
  void shrink(const Network& network, std::span<double> parameters, double lambda,
              std::span<const double> steps) const override {
    for_each_curve(network, parameters, [&](const CurveShape& shape, std::size_t first) {
      double inverse = 0;
      for (std::size_t k = first; k < first + shape.points; ++k) inverse += 1 / steps[k];
      const double step = static_cast<double>(shape.points) / inverse;
      straighten(parameters.subspan(first, shape.points), lambda * step);
    });
  }
};

}  // namespace

std::shared_ptr<const Regularizer> make_absolute_weights(const RegularizerOptions& options) {
  return std::make_shared<AbsoluteWeights>(options.free_bias);
}

std::shared_ptr<const Regularizer> make_kinks(const RegularizerOptions&) {
  return std::make_shared<Kinks>();
}

}  // namespace knotwork
