// SPDX-License-Identifier: MIT
#include "kernels/product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <vector>

#include "base/aligned.hpp"
#include "kernels/test_instruction_sets.hpp"

#include <knotwork/random.hpp>

namespace knotwork {
namespace {

using Reference = long double;

template <class T>
AlignedVector<T> random_numbers(std::size_t count, std::uint64_t seed) {
  const Random random(seed, Purpose::weights);
  AlignedVector<T> values(count);
  for (std::size_t k = 0; k < count; ++k) values[k] = static_cast<T>(random.normal(k));
  return values;
}

// The largest error of n roundings to nearest in a sum of terms of these sizes.
template <class T>
double rounding(std::size_t n, Reference sizes) {
  return static_cast<double>(n + 2) * std::numeric_limits<T>::epsilon() *
         static_cast<double>(sizes);
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Inputs, outputs, samples, and the distance of neurons beyond the samples.
using Shape = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;
const std::vector<Shape> kShapes = {
    {1, 1, 16, 0},   {3, 1, 16, 16}, {1, 5, 32, 0},   {7, 3, 48, 16},  {8, 5, 512, 0},
    {33, 17, 64, 5}, {65, 2, 16, 1}, {40, 31, 80, 3}, {31, 40, 80, 0}, {600, 30, 32, 0}};

template <class T>
class Product : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Product, Precisions);

TYPED_TEST(Product, ForwardIsBiasPlusWeightsTimesInputs) {
  using T = TypeParam;
  for_each_instruction_set([] {
    for (const auto& [inputs, outputs, n, gap] : kShapes) {
      const std::size_t stride = n + gap;
      const auto weights = random_numbers<T>(inputs * outputs, 1);
      const auto bias = random_numbers<T>(outputs, 2), x = random_numbers<T>(inputs * stride, 3);
      const T untouched = T{-77};
      AlignedVector<T> s(outputs * stride, untouched);
      product_kernels<T>().forward(weights.data(), bias.data(), {x.data(), stride},
                                   {s.data(), stride}, inputs, outputs, n);
      for (std::size_t o = 0; o < outputs; ++o) {
        for (std::size_t k = 0; k < stride; ++k) {
          if (k >= n) {
            ASSERT_EQ(s[o * stride + k], untouched) << "wrote between the rows";
            continue;
          }
          Reference sum = bias[o], sizes = std::fabs(bias[o]);
          for (std::size_t i = 0; i < inputs; ++i) {
            const Reference term = Reference{weights[o * inputs + i]} * x[i * stride + k];
            sum += term;
            sizes += std::fabs(term);
          }
          ASSERT_NEAR(static_cast<double>(s[o * stride + k]), static_cast<double>(sum),
                      rounding<T>(inputs, sizes))
              << inputs << "x" << outputs << " sample " << k;
        }
      }
    }
  });
}

TYPED_TEST(Product, BackwardToInputsIsTheTransposedProduct) {
  using T = TypeParam;
  for_each_instruction_set([] {
    for (const auto& [inputs, outputs, n, gap] : kShapes) {
      const std::size_t stride = n + gap;
      const auto transposed = random_numbers<T>(inputs * outputs, 4);
      const auto g = random_numbers<T>(outputs * stride, 5);
      AlignedVector<T> gx(inputs * stride, T{-77});
      product_kernels<T>().backward_inputs(transposed.data(), {g.data(), stride}, {},
                                           {gx.data(), stride}, inputs, outputs, n);
      const auto factor = random_numbers<T>(inputs * stride, 40);
      AlignedVector<T> scaled(inputs * stride, T{-77});
      product_kernels<T>().backward_inputs(transposed.data(), {g.data(), stride},
                                           {factor.data(), stride}, {scaled.data(), stride}, inputs,
                                           outputs, n);
      for (std::size_t i = 0; i < inputs; ++i) {
        for (std::size_t k = 0; k < n; ++k) {
          Reference sum = 0, sizes = 0;
          for (std::size_t o = 0; o < outputs; ++o) {
            const Reference term = Reference{transposed[i * outputs + o]} * g[o * stride + k];
            sum += term;
            sizes += std::fabs(term);
          }
          ASSERT_NEAR(static_cast<double>(gx[i * stride + k]), static_cast<double>(sum),
                      rounding<T>(outputs, sizes));
          ASSERT_EQ(scaled[i * stride + k], gx[i * stride + k] * factor[i * stride + k]);
        }
        for (std::size_t k = n; k < stride; ++k) ASSERT_EQ(gx[i * stride + k], T{-77});
      }
    }
  });
}

TYPED_TEST(Product, BackwardToWeightsAddsTheSumsOverTheSamples) {
  using T = TypeParam;
  for_each_instruction_set([] {
    for (const auto& [inputs, outputs, n, gap] : kShapes) {
      const std::size_t stride = n + gap;
      const auto g = random_numbers<T>(outputs * stride, 6),
                 x = random_numbers<T>(inputs * stride, 7);
      AlignedVector<T> d_weights(inputs * outputs, T{3}), d_bias(outputs, T{5});
      product_kernels<T>().backward_weights({g.data(), stride}, {x.data(), stride},
                                            d_weights.data(), d_bias.data(), inputs, outputs, n);
      for (std::size_t o = 0; o < outputs; ++o) {
        Reference bias = 5, bias_sizes = 5;
        for (std::size_t k = 0; k < n; ++k) {
          bias += g[o * stride + k];
          bias_sizes += std::fabs(g[o * stride + k]);
        }
        ASSERT_NEAR(static_cast<double>(d_bias[o]), static_cast<double>(bias),
                    rounding<T>(n, bias_sizes));
        for (std::size_t i = 0; i < inputs; ++i) {
          Reference sum = 3, sizes = 3;
          for (std::size_t k = 0; k < n; ++k) {
            const Reference term = Reference{g[o * stride + k]} * x[i * stride + k];
            sum += term;
            sizes += std::fabs(term);
          }
          ASSERT_NEAR(static_cast<double>(d_weights[o * inputs + i]), static_cast<double>(sum),
                      rounding<T>(n, sizes));
        }
      }
    }
  });
}

TYPED_TEST(Product, MultiplyIsElementwiseForEveryLength) {
  using T = TypeParam;
  for_each_instruction_set([] {
    for (std::size_t n = 0; n <= 40; ++n) {
      const auto x = random_numbers<T>(n, 8), before = random_numbers<T>(n + 1, 9);
      auto y = before;
      product_kernels<T>().multiply(y.data(), x.data(), n);
      for (std::size_t k = 0; k < n; ++k) ASSERT_TRUE(same_bits(y[k], before[k] * x[k]));
      ASSERT_EQ(y[n], before[n]);
    }
  });
}

// The same sample, at every position of blocks of several lengths, among other samples.
TYPED_TEST(Product, ASampleDoesNotDependOnWhereItStands) {
  using T = TypeParam;
  for_each_instruction_set([] {
    constexpr std::size_t kInputs = 13, kOutputs = 6;
    const auto weights = random_numbers<T>(kInputs * kOutputs, 10);
    const auto bias = random_numbers<T>(kOutputs, 11);
    const auto sample = random_numbers<T>(kInputs, 12), gradient = random_numbers<T>(kOutputs, 13);
    std::vector<T> first_s, first_gx;
    for (std::size_t n : {16u, 32u, 48u, 112u}) {
      for (std::size_t place = 0; place < n; ++place) {
        auto x = random_numbers<T>(kInputs * n, 14 + place),
             g = random_numbers<T>(kOutputs * n, 15);
        for (std::size_t i = 0; i < kInputs; ++i) x[i * n + place] = sample[i];
        for (std::size_t o = 0; o < kOutputs; ++o) g[o * n + place] = gradient[o];
        AlignedVector<T> s(kOutputs * n), gx(kInputs * n);
        product_kernels<T>().forward(weights.data(), bias.data(), {x.data(), n}, {s.data(), n},
                                     kInputs, kOutputs, n);
        product_kernels<T>().backward_inputs(weights.data(), {g.data(), n}, {}, {gx.data(), n},
                                             kInputs, kOutputs, n);
        std::vector<T> s_here, gx_here;
        for (std::size_t o = 0; o < kOutputs; ++o) s_here.push_back(s[o * n + place]);
        for (std::size_t i = 0; i < kInputs; ++i) gx_here.push_back(gx[i * n + place]);
        if (first_s.empty()) first_s = s_here, first_gx = gx_here;
        ASSERT_EQ(s_here, first_s) << "of " << n << " at " << place;
        ASSERT_EQ(gx_here, first_gx) << "of " << n << " at " << place;
      }
    }
  });
}

TYPED_TEST(Product, NonFiniteSamplesStayAmongThemselves) {
  using T = TypeParam;
  for_each_instruction_set([] {
    constexpr std::size_t kInputs = 4, kOutputs = 3, kSamples = 32;
    const auto weights = random_numbers<T>(kInputs * kOutputs, 20);
    const auto bias = random_numbers<T>(kOutputs, 21);
    auto x = random_numbers<T>(kInputs * kSamples, 22);
    AlignedVector<T> clean(kOutputs * kSamples), s(kOutputs * kSamples);
    product_kernels<T>().forward(weights.data(), bias.data(), {x.data(), kSamples},
                                 {clean.data(), kSamples}, kInputs, kOutputs, kSamples);
    const T inf = std::numeric_limits<T>::infinity();
    x[1 * kSamples + 5] = std::numeric_limits<T>::quiet_NaN();
    x[2 * kSamples + 17] = inf;
    product_kernels<T>().forward(weights.data(), bias.data(), {x.data(), kSamples},
                                 {s.data(), kSamples}, kInputs, kOutputs, kSamples);
    for (std::size_t o = 0; o < kOutputs; ++o) {
      for (std::size_t k = 0; k < kSamples; ++k) {
        const T value = s[o * kSamples + k];
        if (k == 5) {
          EXPECT_TRUE(std::isnan(value));
        } else if (k == 17) {
          EXPECT_EQ(value, std::copysign(inf, weights[o * kInputs + 2]));
        } else {
          EXPECT_TRUE(same_bits(value, clean[o * kSamples + k]));
        }
      }
    }
  });
}

// Padding has a zero gradient: it must not change any bit of the sums.
TYPED_TEST(Product, SamplesWithoutGradientAddNothingToTheWeights) {
  using T = TypeParam;
  for_each_instruction_set([] {
    constexpr std::size_t kSamples = 16;
    auto g = random_numbers<T>(kSamples, 30), x = random_numbers<T>(kSamples, 31);
    for (std::size_t k = 11; k < kSamples; ++k) g[k] = 0;
    T d_weight = 0, d_bias = 0, other_weight = 0, other_bias = 0;
    product_kernels<T>().backward_weights({g.data(), kSamples}, {x.data(), kSamples}, &d_weight,
                                          &d_bias, 1, 1, kSamples);
    for (std::size_t k = 11; k < kSamples; ++k) x[k] = T{1e6};
    product_kernels<T>().backward_weights({g.data(), kSamples}, {x.data(), kSamples}, &other_weight,
                                          &other_bias, 1, 1, kSamples);
    EXPECT_TRUE(same_bits(d_weight, other_weight));
    EXPECT_TRUE(same_bits(d_bias, other_bias));
  });
}

}  // namespace
}  // namespace knotwork
