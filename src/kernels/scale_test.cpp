// SPDX-License-Identifier: MIT
#include "kernels/scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/test_instruction_sets.hpp"

#include <knotwork/random.hpp>

namespace knotwork {
namespace {

template <class T>
class ScaleKernel : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(ScaleKernel, Precisions);

template <class T>
std::vector<T> numbers(std::size_t n) {
  const Random random(3, Purpose::weights);
  std::vector<T> all;
  for (std::size_t k = 0; k < n; ++k) all.push_back(static_cast<T>(1e3 * random.normal(k)));
  const T odd[] = {std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
                   std::numeric_limits<T>::max(), std::numeric_limits<T>::denorm_min(), -T{0}};
  for (std::size_t k = 0; k < std::size(odd) && 7 * k + 2 < n; ++k) all[7 * k + 2] = odd[k];
  return all;
}

TYPED_TEST(ScaleKernel, IsTheFormulaToTheLastBitForEveryLengthAndPlace) {
  using T = TypeParam;
  for_each_instruction_set([] {
    const std::pair<double, double> scalings[] = {{12.7, 0.37}, {0, 1}, {0, 1e30}, {-1e3, 1e-40}};
    for (const auto& [offset, scale] : scalings)
      for (std::size_t first : {0u, 1u, 3u}) {
        for (std::size_t n = 0; n <= 70; ++n) {
          const std::vector<T> from = numbers<T>(first + n + 1);
          std::vector<T> applied = from;
          scale_kernels<T>().apply(offset, scale, applied.data() + first, n);
          for (std::size_t k = 0; k < from.size(); ++k) {
            const double x = static_cast<double>(from[k]);
            const bool within = k >= first && k < first + n;
            const T there = within ? static_cast<T>((x - offset) * scale) : from[k];
            ASSERT_EQ(std::memcmp(&applied[k], &there, sizeof(T)), 0)
                << first << " " << n << " " << k;
          }
        }
      }
  });
}

TYPED_TEST(ScaleKernel, NotANumberStaysOne) {
  using T = TypeParam;
  for_each_instruction_set([] {
    std::vector<T> x(40, T{1});
    x[5] = x[39] = std::numeric_limits<T>::quiet_NaN();
    scale_kernels<T>().apply(1, 2, x.data(), x.size());
    for (std::size_t k = 0; k < x.size(); ++k) EXPECT_EQ(std::isnan(x[k]), k == 5 || k == 39);
  });
}

}  // namespace
}  // namespace knotwork
