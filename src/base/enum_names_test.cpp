// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include <knotwork/columns.hpp>
#include <knotwork/figures.hpp>
#include <knotwork/file_kind.hpp>
#include <knotwork/knots.hpp>
#include <knotwork/names.hpp>
#include <knotwork/random.hpp>
#include <knotwork/scaling.hpp>
#include <knotwork/task.hpp>
#include <knotwork/training.hpp>

namespace knotwork {
namespace {

using testing::HasSubstr;

template <class Enum>
class EveryEnum : public testing::Test {};
using All = testing::Types<ChosenBy, ColumnRole, CurveState, ErrorKind, FileKind, FitRange,
                           GuideLine, InputKind, LayerKind, LossKind, OptionEffect, OptionGroup,
                           ParameterGroup, Precision, Purpose, RateSchedule, Roughness, ScalingKind,
                           Shading, Sharing, StopReason, Tails, TaskKind, Phase, WeightStart>;
TYPED_TEST_SUITE(EveryEnum, All);

TYPED_TEST(EveryEnum, ValuesAndWordsAreToldApart) {
  std::set<std::string> words;
  std::set<TypeParam> values;
  for (const std::string& word : names<TypeParam>()) {
    const TypeParam value = from_string<TypeParam>(word);
    EXPECT_EQ(to_string(value), word);
    words.insert(word);
    values.insert(value);
  }
  EXPECT_EQ(words.size(), std::size(EnumNames<TypeParam>::all));
  EXPECT_EQ(values.size(), words.size());
}

TYPED_TEST(EveryEnum, NoValueIsWithoutAWord) {
  // Values are consecutive, so the number after the last one is not a value.
  using Number = std::underlying_type_t<TypeParam>;
  const auto first = static_cast<Number>(EnumNames<TypeParam>::all[0].value);
  Number next = first;
  for (const auto& entry : EnumNames<TypeParam>::all) {
    EXPECT_EQ(static_cast<Number>(entry.value), next++) << entry.name;
  }
  EXPECT_THROW(to_string(static_cast<TypeParam>(next)), Error);
}

TEST(EnumNames, UnknownWordsAreRefusedWithTheClosestOne) {
  try {
    from_string<Tails>("liner");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_THAT(error.what(), HasSubstr("'linear'"));
  }
  try {
    from_string<InputKind>("numerc");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_model);
  }
}

// The words of model files and results, which must not change.
TEST(EnumNames, WordsOfFiles) {
  EXPECT_THAT(names<Precision>(), testing::ElementsAre("float", "double"));
  EXPECT_EQ(to_string(StopReason::relative_decrease), "relative_decrease");
  EXPECT_EQ(to_string(RateSchedule::one_cycle), "one-cycle");
  EXPECT_EQ(to_string(LayerKind::bank), "bank");
}

}  // namespace
}  // namespace knotwork
