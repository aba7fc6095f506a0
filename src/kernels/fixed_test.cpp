// SPDX-License-Identifier: MIT
#include "kernels/fixed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/test_instruction_sets.hpp"

#include <knotwork/error.hpp>

namespace knotwork {
namespace {

#define KNOTWORK_FORMULA(formula, ...) Formula::formula,
constexpr Formula kFormulas[] = {KNOTWORK_FORMULAS(KNOTWORK_FORMULA)};
#undef KNOTWORK_FORMULA

template <class T>
std::vector<T> inputs() {
  std::vector<T> all;
  for (int k = -3000; k <= 3000; ++k) all.push_back(static_cast<T>(k) / 97);
  for (const double small : {1e-3, 1e-6, 1e-12, 1e-30}) {
    all.push_back(static_cast<T>(small));
    all.push_back(static_cast<T>(-small));
  }
  for (const double large : {88.0, 104.5, 710.0, 745.5, 1e4, 1e10, 1e30}) {
    all.push_back(static_cast<T>(large));
    all.push_back(static_cast<T>(-large));
  }
  return all;
}

template <class T>
class FixedKernel : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(FixedKernel, Precisions);

// Both precisions are compared with the plain version in double.
TYPED_TEST(FixedKernel, AgreesWithTheFormulaWithinAFewRoundings) {
  using T = TypeParam;
  for_each_instruction_set([] {
    const double epsilon = std::numeric_limits<T>::epsilon();
    const auto s = inputs<T>();
    const std::vector<double> wide(s.begin(), s.end());
    for (const Formula formula : kFormulas) {
      std::vector<T> value(s.size()), slope(s.size());
      fixed_kernels<T>().forward(formula, s.data(), value.data(), slope.data(), s.size());
      std::vector<double> wanted(s.size()), wanted_slope(s.size());
      scalar_fixed_kernels<double>().forward(formula, wide.data(), wanted.data(),
                                             wanted_slope.data(), s.size());
      for (std::size_t k = 0; k < s.size(); ++k) {
        // Numbers below the normal range may be flushed to 0 or lose digits.
        const double tiny = std::numeric_limits<T>::min();
        // The tail of a normal distribution magnifies the rounding of its argument.
        const bool normal = formula == Formula::gelu || formula == Formula::gaussian;
        const double tail = normal ? 1 + wide[k] * wide[k] : 1;
        ASSERT_NEAR(double{value[k]}, wanted[k], 5 * tail * epsilon * std::fabs(wanted[k]) + tiny)
            << static_cast<int>(formula) << " at " << s[k];
        // A complement to 1 cancels near the ends of tanh and elu; the other formulas keep their
        // digits.
        const bool cancels = formula == Formula::tanh || formula == Formula::elu ||
                             formula == Formula::silu || normal;
        const double size = cancels ? 1 : std::fabs(wanted_slope[k]);
        ASSERT_NEAR(double{slope[k]}, wanted_slope[k], 8 * epsilon * size + tiny)
            << static_cast<int>(formula) << " at " << s[k];
      }
    }
  });
}

TYPED_TEST(FixedKernel, TanhAndItsSlopeStayWithinTheirBounds) {
  using T = TypeParam;
  for_each_instruction_set([] {
    std::vector<T> s, value, slope;
    for (int k = 0; k < 200000; ++k) s.push_back(static_cast<T>(k) / 15000);
    value.resize(s.size());
    slope.resize(s.size());
    fixed_kernels<T>().forward(Formula::tanh, s.data(), value.data(), slope.data(), s.size());
    for (std::size_t k = 0; k < s.size(); ++k) {
      ASSERT_LE(value[k], T{1}) << s[k];
      ASSERT_GE(slope[k], T{0}) << s[k];
    }
  });
}

TYPED_TEST(FixedKernel, NonFiniteInputsAreThoseOfTheFormula) {
  using T = TypeParam;
  for_each_instruction_set([] {
    const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    for (const Formula formula : kFormulas) {
      for (const T s :
           {-inf, inf, nan, -std::numeric_limits<T>::max(), std::numeric_limits<T>::max()}) {
        T value, slope, wanted, wanted_slope;
        fixed_kernels<T>().forward(formula, &s, &value, &slope, 1);
        scalar_fixed_kernels<T>().forward(formula, &s, &wanted, &wanted_slope, 1);
        if (std::isnan(s)) {
          EXPECT_TRUE(std::isnan(value) && std::isnan(slope)) << static_cast<int>(formula);
        } else {
          EXPECT_EQ(value, wanted) << static_cast<int>(formula) << " at " << s;
          EXPECT_EQ(slope, wanted_slope) << static_cast<int>(formula) << " at " << s;
        }
      }
    }
  });
}

TYPED_TEST(FixedKernel, ASampleDoesNotDependOnWhereItStandsOrHowManyThereAre) {
  using T = TypeParam;
  for_each_instruction_set([] {
    std::vector<T> s;
    for (std::size_t k = 0; k < 67; ++k) s.push_back(inputs<T>()[90 * k]);
    s[20] = std::numeric_limits<T>::quiet_NaN();
    for (const Formula formula : kFormulas) {
      std::vector<T> alone(s.size()), alone_slope(s.size());
      for (std::size_t k = 0; k < s.size(); ++k) {
        fixed_kernels<T>().forward(formula, &s[k], &alone[k], &alone_slope[k], 1);
      }
      for (std::size_t first = 0; first < 18; ++first) {
        for (std::size_t n : {1u, 3u, 15u, 16u, 17u, 33u, 47u}) {
          std::vector<T> value(n), slope(n), only_value(n);
          fixed_kernels<T>().forward(formula, &s[first], value.data(), slope.data(), n);
          fixed_kernels<T>().forward(formula, &s[first], only_value.data(), nullptr, n);
          const auto bytes = n * sizeof(T);
          ASSERT_EQ(std::memcmp(value.data(), &alone[first], bytes), 0) << first << " " << n;
          ASSERT_EQ(std::memcmp(slope.data(), &alone_slope[first], bytes), 0);
          ASSERT_EQ(std::memcmp(only_value.data(), &alone[first], bytes), 0);
        }
      }
    }
  });
}

TEST(InstructionSet, IsPinnedAndNamed) {
  const auto sets = instruction_sets();
  EXPECT_EQ(instruction_set(), sets.front());
  EXPECT_EQ(sets.back(), "scalar");
  for (const std::string& name : sets) {
    pin_instruction_set(name);
    EXPECT_EQ(instruction_set(), name);
    EXPECT_EQ(instruction_sets(), sets) << "what there is does not depend on what is pinned";
  }
  EXPECT_EQ(&fixed_kernels<float>(), &scalar_fixed_kernels<float>()) << "scalar was the last";
  pin_instruction_set(sets.front());
  EXPECT_EQ(&fixed_kernels<float>() == &scalar_fixed_kernels<float>(), sets.size() == 1);
}

TEST(InstructionSet, OneThatIsNotThereIsRefused) {
  try {
    pin_instruction_set("avx22");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_NE(std::string(error.what()).find("no instruction set on this processor called 'avx22'"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace knotwork
