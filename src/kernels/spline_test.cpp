// SPDX-License-Identifier: MIT
#include "kernels/spline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/aligned.hpp"
#include "kernels/test_instruction_sets.hpp"

#include <knotwork/random.hpp>

namespace knotwork {
namespace {

// A curve through random points (Catmull-Rom), so that value and slope are continuous at the knots.
template <class T>
struct Fixture {
  std::vector<T> coefficients;
  SplineCurve<T> curve;

  Fixture(std::size_t spans, T origin, T step, bool linear, std::uint64_t seed = 1) {
    const Random random(seed, Purpose::weights);
    std::vector<double> q;
    for (std::size_t k = 0; k < spans + 3; ++k) q.push_back(random.normal(k));
    for (std::size_t i = 0; i < spans; ++i) {
      for (double c : {(-q[i] + 3 * q[i + 1] - 3 * q[i + 2] + q[i + 3]) / 2,
                       (2 * q[i] - 5 * q[i + 1] + 4 * q[i + 2] - q[i + 3]) / 2,
                       (-q[i] + q[i + 2]) / 2, q[i + 1]}) {
        coefficients.push_back(static_cast<T>(c));
      }
    }
    curve = {coefficients.data(), origin, 1 / step, spans, linear};
  }
};

// The definition, written literally, in double.
struct CurveReference {
  std::size_t span;
  double u, outside, value, slope, sizes;  // sizes: of the terms of the sum
};
template <class T>
CurveReference evaluate(const SplineCurve<T>& curve, double s) {
  const double spans = static_cast<double>(curve.spans);
  const double t = (s - double{curve.origin}) * double{curve.inverse_step};
  const double clamped = std::clamp(t, 0.0, spans);
  const double floor = std::min(std::floor(clamped), spans - 1);
  CurveReference r{static_cast<std::size_t>(floor), clamped - floor, t - clamped, 0, 0, 0};
  const T* c = curve.coefficients + 4 * r.span;
  for (int p = 3; p >= 0; --p) {
    const double term = double{c[3 - p]} * std::pow(r.u, p);
    r.value += term;
    r.sizes += std::fabs(double{c[3 - p]});
    if (p > 0) r.slope += p * double{c[3 - p]} * std::pow(r.u, p - 1);
  }
  if (r.outside != 0 && !curve.linear_tails) r.slope = 0;
  r.value += r.slope * r.outside;
  r.sizes *= 1 + 3 * std::fabs(r.outside);
  r.slope *= double{curve.inverse_step};
  return r;
}

// Inputs whose position on a curve with these knots is exact in float and in double.
constexpr double kExactStep = 0.25, kExactOrigin = -1.75;
constexpr std::size_t kExactSpans = 14;
template <class T>
AlignedVector<T> exact_inputs() {
  AlignedVector<T> inputs;
  for (int k = -400; k <= 400; ++k) inputs.push_back(static_cast<T>(k) / 64);
  return inputs;
}

template <class T>
void spline_forward(const SplineCurve<T>& curve, const T* s, T* value, T* slope, std::size_t n) {
  spline_kernels<T>().forward(curve, s, value, slope, n);
}

// Adds the moments of all copies to one moment for each coefficient.
template <class T>
void spline_moments(const SplineCurve<T>& curve, const T* s, const T* gradient, T* moments,
                    std::size_t n) {
  const std::size_t each = 4 * curve.spans;
  std::vector<T> copies(moments_size(curve.spans));
  std::copy_n(moments, each, copies.begin());
  std::vector<T> place(s, s + n), value(n), slope(n), notes(n);
  spline_kernels<T>().forward_noted(curve, place.data(), value.data(), slope.data(), notes.data(),
                                    n);
  std::fill(slope.begin(), slope.end(), T{2});
  std::vector<T> twice(gradient, gradient + n);
  spline_kernels<T>().backward(curve, place.data(), notes.data(), slope.data(), twice.data(),
                               copies.data(), n);
  for (std::size_t k = 0; k < n; ++k) ASSERT_EQ(twice[k], 2 * gradient[k]) << k;
  std::fill_n(moments, each, T{0});
  for (std::size_t m = 0; m < copies.size(); ++m) moments[m % each] += copies[m];
}

template <class T>
class SplineKernel : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(SplineKernel, Precisions);

TYPED_TEST(SplineKernel, FollowsTheDefinitionInsideAndInTheTails) {
  using T = TypeParam;
  for_each_instruction_set([] {
    const double epsilon = std::numeric_limits<T>::epsilon();
    for (bool linear : {true, false}) {
      const Fixture<T> f(kExactSpans, T{kExactOrigin}, T{kExactStep}, linear);
      const auto s = exact_inputs<T>();
      std::vector<T> value(s.size()), slope(s.size());
      spline_forward(f.curve, s.data(), value.data(), slope.data(), s.size());
      std::size_t below = 0, above = 0;
      for (std::size_t k = 0; k < s.size(); ++k) {
        const CurveReference wanted = evaluate(f.curve, double{s[k]});
        // Horner's rule rounds twice for each of three powers, the tail twice more.
        ASSERT_NEAR(double{value[k]}, wanted.value, 8 * epsilon * wanted.sizes) << s[k];
        ASSERT_NEAR(double{slope[k]}, wanted.slope, 8 * epsilon * wanted.sizes * 3 / kExactStep)
            << s[k];
        below += wanted.outside < 0;
        above += wanted.outside > 0;
      }
      EXPECT_GT(below, 100u);
      EXPECT_GT(above, 100u);
    }
  });
}

TYPED_TEST(SplineKernel, KnotsThatAreNotBinaryFractionsCostNoMoreThanTheirRounding) {
  using T = TypeParam;
  for_each_instruction_set([] {
    const double epsilon = std::numeric_limits<T>::epsilon();
    const Fixture<T> f(18, static_cast<T>(-1.8), static_cast<T>(0.2), true, 3);
    double steepest = 0, bent = 0;
    for (std::size_t i = 0; i < f.coefficients.size(); i += 4) {
      const T* c = f.coefficients.data() + i;
      steepest =
          std::max(steepest, double(3 * std::fabs(c[0]) + 2 * std::fabs(c[1]) + std::fabs(c[2])));
      bent = std::max(bent, double(6 * std::fabs(c[0]) + 2 * std::fabs(c[1])));
    }
    const Random random(4, Purpose::weights);
    for (std::uint64_t k = 0; k < 4000; ++k) {
      const T s = static_cast<T>(6 * random.uniform(k) - 3);
      T value, slope;
      spline_forward(f.curve, &s, &value, &slope, 1);
      const CurveReference wanted = evaluate(f.curve, double{s});
      const double t_error = epsilon * (std::fabs(double{s} + 1.8) * 5 + 1);
      ASSERT_NEAR(double{value}, wanted.value, steepest * t_error + 8 * epsilon * wanted.sizes);
      ASSERT_NEAR(double{slope}, wanted.slope, 5 * (bent * t_error + 24 * epsilon * wanted.sizes));
    }
  });
}

TYPED_TEST(SplineKernel, ASampleDoesNotDependOnWhereItStandsOrHowManyThereAre) {
  using T = TypeParam;
  for_each_instruction_set([] {
    const Fixture<T> f(18, static_cast<T>(-1.8), static_cast<T>(0.2), true, 5);
    const Random random(6, Purpose::weights);
    std::vector<T> s;
    for (std::uint64_t k = 0; k < 67; ++k) s.push_back(static_cast<T>(1.5 * random.normal(k)));
    s[9] = std::numeric_limits<T>::quiet_NaN();
    s[21] = std::numeric_limits<T>::infinity();
    std::vector<T> alone(s.size()), alone_slope(s.size());
    for (std::size_t k = 0; k < s.size(); ++k) {
      spline_forward(f.curve, &s[k], &alone[k], &alone_slope[k], 1);
    }
    for (std::size_t first = 0; first < 20; ++first) {
      for (std::size_t n : {1u, 3u, 15u, 16u, 17u, 33u, 47u}) {
        std::vector<T> value(n), slope(n), only_value(n), place(n), noted(n), noted_slope(n),
            notes(n);
        spline_forward(f.curve, s.data() + first, value.data(), slope.data(), n);
        spline_forward<T>(f.curve, s.data() + first, only_value.data(), nullptr, n);
        std::copy_n(s.begin() + static_cast<std::ptrdiff_t>(first), n, place.begin());
        spline_kernels<T>().forward_noted(f.curve, place.data(), noted.data(), noted_slope.data(),
                                          notes.data(), n);
        const auto bytes = n * sizeof(T);
        ASSERT_EQ(std::memcmp(noted.data(), alone.data() + first, bytes), 0) << first << " " << n;
        ASSERT_EQ(std::memcmp(noted_slope.data(), alone_slope.data() + first, bytes), 0);
        ASSERT_EQ(std::memcmp(value.data(), alone.data() + first, bytes), 0) << first << " " << n;
        ASSERT_EQ(std::memcmp(slope.data(), alone_slope.data() + first, bytes), 0);
        ASSERT_EQ(std::memcmp(only_value.data(), alone.data() + first, bytes), 0);
      }
    }
  });
}

TYPED_TEST(SplineKernel, NotANumberGivesNotANumber) {
  using T = TypeParam;
  for_each_instruction_set([] {
    for (bool linear : {true, false}) {
      const Fixture<T> f(5, T{-1}, T{0.5}, linear);
      for (T s : {std::numeric_limits<T>::quiet_NaN(), -std::numeric_limits<T>::quiet_NaN()}) {
        T value = 0, slope = 0;
        spline_forward(f.curve, &s, &value, &slope, 1);
        EXPECT_TRUE(std::isnan(value));
        EXPECT_TRUE(std::isnan(slope));
      }
    }
  });
}

TYPED_TEST(SplineKernel, InfinityGivesTheLimitOfItsTail) {
  using T = TypeParam;
  for_each_instruction_set([] {
    const T inf = std::numeric_limits<T>::infinity(), huge = std::numeric_limits<T>::max();
    for (bool linear : {true, false}) {
      const Fixture<T> f(5, T{-1}, T{0.5}, linear);
      for (T end : {T{-1}, T{1.5}}) {
        T end_value, end_slope;
        spline_forward(f.curve, &end, &end_value, &end_slope, 1);
        ASSERT_NE(end_slope, 0);
        const T sign = end < 0 ? T{-1} : T{1};
        for (T far : {inf, huge}) {
          const T s = sign * far;
          T value, slope;
          spline_forward(f.curve, &s, &value, &slope, 1);
          if (linear) {
            EXPECT_EQ(slope, end_slope);
            EXPECT_GT(value * sign * end_slope, 1e30) << s;
          } else {
            EXPECT_EQ(slope, 0);
            EXPECT_EQ(value, end_value);
          }
        }
      }
    }
  });
}

TYPED_TEST(SplineKernel, AFlatTailStaysFlatOutToInfinity) {
  using T = TypeParam;
  for_each_instruction_set([] {
    const std::array<T, 4> constant = {0, 0, 0, T{0.75}};
    const SplineCurve<T> curve{constant.data(), 0, 1, 1, true};
    for (T s : {-std::numeric_limits<T>::infinity(), std::numeric_limits<T>::infinity()}) {
      T value, slope;
      spline_forward(curve, &s, &value, &slope, 1);
      EXPECT_EQ(value, T{0.75});
      EXPECT_EQ(slope, 0);
    }
  });
}

TYPED_TEST(SplineKernel, MomentsAreTheDirectSumsAndAreAddedToWhatIsThere) {
  using T = TypeParam;
  for_each_instruction_set([] {
    const double epsilon = std::numeric_limits<T>::epsilon();
    for (bool linear : {true, false}) {
      const Fixture<T> f(kExactSpans, T{kExactOrigin}, T{kExactStep}, linear);
      const auto s = exact_inputs<T>();
      const Random random(7, Purpose::weights);
      std::vector<T> g;
      for (std::size_t k = 0; k < s.size(); ++k) g.push_back(static_cast<T>(random.normal(k)));
      std::vector<T> moments(4 * kExactSpans, T{0.5});
      spline_moments(f.curve, s.data(), g.data(), moments.data(), s.size());
      std::vector<double> wanted(moments.size(), 0.5), sizes(moments.size(), 0.5);
      std::vector<double> terms(kExactSpans, 2);
      for (std::size_t k = 0; k < s.size(); ++k) {
        const auto [span, u, outside, value, slope, unused] = evaluate(f.curve, double{s[k]});
        const double o = linear ? outside : 0;
        // d/du of each power, times the effect of the tail.
        const double powers[4] = {u * u * u + 3 * o * u * u, u * u + 2 * o * u, u + o, 1};
        for (std::size_t p = 0; p < 4; ++p) {
          wanted[4 * span + p] += double{g[k]} * powers[p];
          sizes[4 * span + p] += std::fabs(double{g[k]} * powers[p]);
        }
        ++terms[span];
      }
      for (std::size_t m = 0; m < moments.size(); ++m) {
        ASSERT_NEAR(double{moments[m]}, wanted[m], (terms[m / 4] + 6) * epsilon * sizes[m]) << m;
      }
    }
  });
}

// The value is the sum of moments (for gradient 1) times coefficients, so both kernels must agree.
TYPED_TEST(SplineKernel, MomentsTimesCoefficientsAreTheValue) {
  using T = TypeParam;
  for_each_instruction_set([] {
    const double epsilon = std::numeric_limits<T>::epsilon();
    for (bool linear : {true, false}) {
      const Fixture<T> f(18, static_cast<T>(-1.8), static_cast<T>(0.2), linear, 8);
      for (int k = -300; k <= 300; ++k) {
        const T s = static_cast<T>(k) / 100, one = 1;
        T value;
        spline_forward<T>(f.curve, &s, &value, nullptr, 1);
        std::vector<T> moments(f.coefficients.size());
        spline_moments(f.curve, &s, &one, moments.data(), 1);
        double sum = 0, sizes = 0;
        for (std::size_t m = 0; m < moments.size(); ++m) {
          sum += double{moments[m]} * double{f.coefficients[m]};
          sizes += std::fabs(double{moments[m]} * double{f.coefficients[m]});
        }
        sizes += std::fabs(double{value});
        ASSERT_NEAR(double{value}, sum, 16 * epsilon * (sizes + 1)) << s;
      }
    }
  });
}

TYPED_TEST(SplineKernel, MomentsOfNonFiniteInputsStayWithinTheirSpan) {
  using T = TypeParam;
  for_each_instruction_set([] {
    const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    for (bool linear : {true, false}) {
      const Fixture<T> f(5, T{-1}, T{0.5}, linear);
      for (T s : {-inf, inf, nan}) {
        const T g = 2;
        std::vector<T> moments(4 * 5, T{1});
        spline_moments(f.curve, &s, &g, moments.data(), 1);
        const std::size_t touched = s > 0 ? 4 : 0;
        for (std::size_t m = 0; m < moments.size(); ++m) {
          if (m / 4 != touched) {
            ASSERT_EQ(moments[m], T{1}) << s << " " << m;
          }
        }
        EXPECT_EQ(moments[4 * touched + 3], T{3});
        if (linear) {
          EXPECT_FALSE(std::isfinite(moments[4 * touched + 2]));
        } else if (s == inf) {
          EXPECT_EQ(moments[4 * touched], T{3});
        }
      }
    }
  });
}

// With few spans there are several copies of the moments, with many spans one.
TYPED_TEST(SplineKernel, BackwardIsThatOfThePlainVersionForEveryNumberOfSpans) {
  using T = TypeParam;
  for_each_instruction_set([] {
    for (const std::size_t spans : {1u, 18u, 64u, 65u, 300u}) {
      const Fixture<T> f(spans, T{-2}, static_cast<T>(4.0 / static_cast<double>(spans)), true, 11);
      const Random random(12, Purpose::weights);
      std::vector<T> s, slope, g;
      for (std::uint64_t k = 0; k < 523; ++k) {
        s.push_back(static_cast<T>(1.5 * random.normal(3 * k)));
        slope.push_back(static_cast<T>(random.normal(3 * k + 1)));
        g.push_back(static_cast<T>(random.normal(3 * k + 2)));
      }
      std::vector<T> wanted_g = g, sums(moments_size(spans)), wanted(moments_size(spans));
      std::vector<T> place = s, notes(s.size()), value(s.size()), unused(s.size());
      // Each version with the notes of the other.
      scalar_spline_kernels<T>().forward_noted(f.curve, place.data(), value.data(), unused.data(),
                                               notes.data(), s.size());
      spline_kernels<T>().backward(f.curve, place.data(), notes.data(), slope.data(), g.data(),
                                   sums.data(), s.size());
      place = s;
      spline_kernels<T>().forward_noted(f.curve, place.data(), value.data(), unused.data(),
                                        notes.data(), s.size());
      scalar_spline_kernels<T>().backward(f.curve, place.data(), notes.data(), slope.data(),
                                          wanted_g.data(), wanted.data(), s.size());
      ASSERT_EQ(g, wanted_g);
      for (std::size_t m = 0; m < 4 * spans; ++m) {
        double sum = 0, wanted_sum = 0;
        for (std::size_t c = m; c < sums.size(); c += 4 * spans) {
          sum += double{sums[c]};
          wanted_sum += double{wanted[c]};
        }
        const double rounding = 500 * double{std::numeric_limits<T>::epsilon()};
        ASSERT_NEAR(sum, wanted_sum, rounding * (10 + std::fabs(wanted_sum))) << spans;
      }
    }
  });
}

}  // namespace
}  // namespace knotwork
