// SPDX-License-Identifier: MIT
// Runs a typed test suite in float and in double for every instruction set of this processor.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include <knotwork/instruction_set.hpp>

namespace knotwork {

inline constexpr const char* kKnownSets[] = {"avx3_dl", "avx3", "avx2", "sse4", "ssse3", "scalar"};

template <class T, std::size_t kIndex>
struct KernelCase {
  using Number = T;
  static constexpr const char* kSet = kKnownSets[kIndex];
};

using KernelCases =
    testing::Types<KernelCase<float, 0>, KernelCase<double, 0>, KernelCase<float, 1>,
                   KernelCase<double, 1>, KernelCase<float, 2>, KernelCase<double, 2>,
                   KernelCase<float, 3>, KernelCase<double, 3>, KernelCase<float, 4>,
                   KernelCase<double, 4>, KernelCase<float, 5>, KernelCase<double, 5>>;

struct KernelCaseNames {
  template <class Case>
  static std::string GetName(int) {
    return std::string(Case::kSet) + (sizeof(typename Case::Number) == 4 ? "_float" : "_double");
  }
};

template <class Case>
class KernelTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto sets = instruction_sets();
    if (std::find(sets.begin(), sets.end(), Case::kSet) == sets.end()) {
      GTEST_SKIP() << "This processor has no " << Case::kSet << ".";
    }
    pin_instruction_set(Case::kSet);
  }
  void TearDown() override { pin_instruction_set(instruction_sets().front()); }
};

}  // namespace knotwork
