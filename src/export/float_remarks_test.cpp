// SPDX-License-Identifier: MIT
#include <knotwork/export_model.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "export/test_exported_models.hpp"

namespace knotwork::exporting {
namespace {

using namespace testing_export;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A numeric input with values from low to high.
Model with_input(double low, double high, Scaling scaling) {
  Model model = small_model(activation("tanh"));
  model.inputs[1].low = low;
  model.inputs[1].high = high;
  model.inputs[1].scaling = std::move(scaling);
  return model;
}

Scaling standard(double offset, double deviation) {
  return {.kind = ScalingKind::standard, .offset = offset, .scale = 1 / deviation, .quantiles = {}};
}

TEST(FloatRemarks, AreNoneWhereFloatIsEnough) {
  for (const Case& one : all_cases()) EXPECT_THAT(float_remarks(one.model), IsEmpty()) << one.name;
  // Floats above 2^16 have steps of 2^-7.
  EXPECT_THAT(float_remarks(with_input(66000, 70000, standard(68000, 800))), IsEmpty());
  EXPECT_THAT(float_remarks(with_input(5e9, 5e9, standard(5e9, kInfinity))), IsEmpty());
}

TEST(FloatRemarks, NameTheColumnTheStepAndWhatHelps) {
  const Model times = with_input(1.7e9, 1.7e9 + 4e5, standard(1.7e9, 1e5));
  EXPECT_THAT(float_remarks(times),
              ElementsAre(AllOf(HasSubstr("Numbers of column 'b'"), HasSubstr("steps of 128"),
                                HasSubstr("0.00128 of"), HasSubstr("before training."))));
  EXPECT_THAT(float_remarks(times, "sleep on it"), ElementsAre(HasSubstr(", or sleep on it.")));
  EXPECT_EQ(float_remarks(with_input(66000, 70000, standard(68000, 700))).size(), 1u);
}

TEST(FloatRemarks, KnowEveryScaling) {
  const double low = 1.7e9, high = 1.7e9 + 4e5;
  EXPECT_EQ(float_remarks(with_input(low, high, {})).size(), 1u);
  Scaling quantiles{.kind = ScalingKind::quantile, .offset = 0, .scale = 1, .quantiles = {}};
  for (int k = 0; k <= 8; ++k) quantiles.quantiles.push_back(low + k * 5e4);
  EXPECT_EQ(float_remarks(with_input(low, high, quantiles)).size(), 1u);
  // A single distant number does not increase the spread of the others.
  quantiles.quantiles.front() = 0;
  EXPECT_EQ(float_remarks(with_input(0, high, quantiles)).size(), 1u);
  EXPECT_THAT(float_remarks(with_input(-1, 1, quantiles)), IsEmpty());
  // The range is unknown.
  EXPECT_THAT(float_remarks(with_input(kInfinity, -kInfinity, standard(low, 1))), IsEmpty());
}

TEST(FloatRemarks, AreNotAboutDatesAndTexts) {
  Model model = date_and_level_cases().at(0).model;
  for (InputColumn& input : model.inputs) {
    input.low = 1e9;
    input.high = 1e9 + 1;
  }
  EXPECT_THAT(float_remarks(model), IsEmpty());
}

TEST(FloatRemarks, AreAboutTargetsToo) {
  Model model = small_model(activation("tanh"));
  model.targets[0].scaling = standard(-1e8, 300);
  EXPECT_THAT(float_remarks(model),
              ElementsAre(AllOf(HasSubstr("Predictions of target 'y'"), HasSubstr("steps of 8"))));
  model.targets[0].scaling = standard(-1e8, 1e6);
  EXPECT_THAT(float_remarks(model), IsEmpty());
}

}  // namespace
}  // namespace knotwork::exporting
