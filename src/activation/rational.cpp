// SPDX-License-Identifier: MIT
// A rational function for every neuron, the "safe" Pade activation unit: P(s) / (1 + |Q(s)|) with
//     P(s) = a_0 + a_1 s + .. + a_m s^m  and  Q(s) = b_1 s + .. + b_n s^n.
// Molina, Schramowski, Kersting, "Pade activation units", 2020; the degrees are 5 and 4, as in this
// paper.
//
// The denominator is the denominator of the paper and not a smooth 1 + Q^2, so that results can be
// compared with published results. The function has a kink at every root of Q; kinks() finds these
// roots. Initially Q is taken from the Pade approximation of tanh,
//     tanh(s) ~ (945 s + 105 s^3 + s^5) / (945 + 420 s^2 + 15 s^4),
// which has no kink, and P is chosen so that the function is as close as possible to the requested
// function on [-range, range]. Far outside the range the function is straight, like a polynomial
// activation; see powers.hpp.
#include <cmath>
#include <complex>
#include <span>

#include "activation/powers.hpp"
#include "activation/settings.hpp"
#include "base/linear_algebra.hpp"

namespace knotwork {
namespace {

enum Tensor : std::size_t { kNumerator, kDenominator, kNumeratorAnchor, kDenominatorAnchor };

struct RationalOptions {
  std::size_t numerator, denominator;  // degrees
  double range;
  std::string init;
};

// b_1 .. b_n.
std::vector<double> initial_denominator(std::size_t degree) {
  std::vector<double> b(degree);
  if (degree >= 2) b[1] = 420.0 / 945;
  if (degree >= 4) b[3] = 15.0 / 945;
  return b;
}

// Roots of b_1 + b_2 s + .. + b_n s^(n-1), including nearly real ones: the eigenvalues of its
// companion matrix. Together with 0 they are the roots of Q.
std::vector<double> real_roots(std::span<const double> b) {
  while (!b.empty() && b.back() == 0) b = b.first(b.size() - 1);
  std::vector<double> roots;
  if (b.size() < 2) return roots;
  const std::size_t n = b.size() - 1;
  std::vector<double> companion(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    companion[(n - 1) * n + i] = -b[i] / b.back();
    if (i > 0) companion[(i - 1) * n + i] = 1;
  }
  for (const std::complex<double>& root : eigenvalues(companion, n)) {
    if (std::fabs(root.imag()) < 1e-3) roots.push_back(root.real());
  }
  return roots;
}

// P / (1 + |Q|) and the terms of its derivatives, for a piece.
template <class T>
struct Ratio {
  Ratio(const T* a, std::size_t m, const T* b, std::size_t n, const T* x, std::size_t count)
      : p(a, m, x, count), q(b, n, x, count) {
    for (std::size_t k = 0; k < count; ++k) {
      const T sign = q.value[k] < 0 ? T{-1} : T{1};
      below[k] = 1 + sign * q.value[k];
      below_slope[k] = sign * q.slope[k];
      value[k] = p.value[k] / below[k];
      slope[k] = (p.slope[k] - value[k] * below_slope[k]) / below[k];
    }
  }
  Horner<T> p, q;
  T below[kSamplesAtOnce], below_slope[kSamplesAtOnce];  // the denominator and its derivative
  T value[kSamplesAtOnce], slope[kSamplesAtOnce];
};

class Rational final : public ActivationOf<Rational> {
 public:
  explicit Rational(const RationalOptions& options)
      : options_(options), denominator_(initial_denominator(options.denominator)) {
    const auto divisor = [this](double s) {
      double q = 0;
      for (std::size_t j = denominator_.size(); j-- > 0;) q = (q + denominator_[j]) * s;
      return 1 + std::fabs(q);
    };
    numerator_ = fit_polynomial(initial_functions().at(options.init).value, divisor, options.range,
                                options.numerator);
  }

  std::string_view name() const override { return "rational"; }
  Settings settings() const override {
    return {{"numerator", static_cast<double>(options_.numerator)},
            {"denominator", static_cast<double>(options_.denominator)},
            {"range", options_.range},
            {"init", options_.init}};
  }
  std::vector<ActivationTensor> tensors() const override {
    return with_anchors({{"numerator", above()}, {"denominator", options_.denominator}});
  }
  void initialize(const NeuronTensors<double>& tensors, const InitialNoise&) const override {
    start_at(numerator_, tensors[kNumerator], tensors[kNumeratorAnchor]);
    start_at(denominator_, tensors[kDenominator], tensors[kDenominatorAnchor]);
  }

  // a_0 .. a_m, then 0 for b_0 and b_1 .. b_n.
  std::size_t table_size() const override { return above() + below(); }
  template <class T>
  void prepare_as(const NeuronTensors<const T>& tensors, T* table) const {
    std::copy_n(tensors[kNumerator], above(), table);
    table[above()] = 0;
    std::copy_n(tensors[kDenominator], options_.denominator, table + above() + 1);
  }

  template <class T>
  void forward_as(const T* table, const T* s, T* y, T* slope, std::size_t n) const {
    in_pieces(n, [&](std::size_t first, std::size_t count) {
      const Places<T> at(s + first, bound<T>(), count);
      const Ratio<T> r = ratio(table, at, count);
      for (std::size_t k = 0; k < count; ++k) {
        y[first + k] = r.value[k] + along(r.slope[k], at.beyond[k]);
      }
      if (slope) std::copy_n(r.slope, count, slope + first);
    });
  }

  // Sums for a_0 .. a_m, then for b_0 .. b_n.
  std::size_t scratch_size() const override { return above() + below(); }
  template <class T>
  void accumulate_as(const T* table, const T* s, const T* gradient, T* scratch,
                     std::size_t n) const {
    in_pieces(n, [&](std::size_t first, std::size_t count) {
      const Places<T> at(s + first, bound<T>(), count);
      const Ratio<T> r = ratio(table, at, count);
      // Derivative with respect to a_i: x^i / A, and its derivative with respect to x for the
      // tangent; A = 1 + |Q|. Derivative with respect to b_j: -sign(Q) x^j w with w = P / A^2.
      T weight[kSamplesAtOnce], tangent[kSamplesAtOnce], weight_below[kSamplesAtOnce],
          tangent_below[kSamplesAtOnce];
      for (std::size_t k = 0; k < count; ++k) {
        const T g = gradient[first + k], a = r.below[k], beyond = at.beyond[k];
        const T bend = r.below_slope[k] / a;
        weight[k] = g * (1 - beyond * bend) / a;
        tangent[k] = g * beyond / a;
        const T signed_g = r.q.value[k] < 0 ? g : -g;
        const T w = r.value[k] / a, w_slope = (r.p.slope[k] / a - 2 * r.value[k] * bend) / a;
        weight_below[k] = signed_g * (w + beyond * w_slope);
        tangent_below[k] = signed_g * beyond * w;
      }
      add_power_sums(at.inside, weight, tangent, options_.numerator, scratch, count);
      add_power_sums(at.inside, weight_below, tangent_below, options_.denominator,
                     scratch + above(), count);
    });
  }
  template <class T>
  void collect_as(const T* scratch, const NeuronTensors<T>& gradient) const {
    for (std::size_t i = 0; i < above(); ++i) gradient[kNumerator][i] += scratch[i];
    for (std::size_t j = 0; j < options_.denominator; ++j) {
      gradient[kDenominator][j] += scratch[above() + 1 + j];
    }
  }

  std::vector<double> kinks(const NeuronTensors<const double>& tensors) const override {
    std::vector<double> all = real_roots({tensors[kDenominator], options_.denominator});
    all.insert(all.end(), {0, -bound<double>(), bound<double>()});
    return all;
  }

 private:
  std::size_t above() const { return options_.numerator + 1; }
  std::size_t below() const { return options_.denominator + 1; }
  template <class T>
  T bound() const {
    return static_cast<T>(kBoundInRanges * options_.range);
  }
  template <class T>
  Ratio<T> ratio(const T* table, const Places<T>& at, std::size_t count) const {
    return {table, options_.numerator, table + above(), options_.denominator, at.inside, count};
  }

  RationalOptions options_;
  std::vector<double> denominator_, numerator_;
};

}  // namespace

std::shared_ptr<const Activation> make_rational(const Settings& settings) {
  SettingsReader reader("rational", settings);
  const RationalOptions options{reader.whole_number("numerator", 5, 1, 20),
                                reader.whole_number("denominator", 4, 1, 20),
                                reader.positive("range", 3), reader.text("init", "tanh")};
  reader.finish();
  check_powers("rational", options.range, std::max(options.numerator, options.denominator));
  return std::make_shared<Rational>(options);
}

}  // namespace knotwork
