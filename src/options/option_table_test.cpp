// SPDX-License-Identifier: MIT
// Tests what the rows of the option table say about their options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "training/run/test_trainings.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/options.hpp>
#include <knotwork/regularizer.hpp>
#include <knotwork/training.hpp>

namespace knotwork {
namespace {

using testing::Contains;

bool is_refused(const TrainOptionField& field, const std::string& text) {
  try {
    TrainOptions options;
    field.set(options, text);
    field.check(options);
    return false;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option) << field.name;
    return true;
  }
}

TEST(OptionTable, WhatIsANameHasItsValuesAndNoOthers) {
  const std::set<std::string> names = {"NAME", "KIND", "WHO"};
  // The objects made from these options check them, together with other options.
  const std::set<std::string> checked_together = {"basis", "init"};
  std::size_t lists = 0;
  for (const TrainOptionField& field : train_option_fields()) {
    EXPECT_EQ(!field.values.empty(), names.contains(field.value)) << field.name;
    if (field.values.empty()) continue;
    ++lists;
    EXPECT_THAT(field.values, Contains(field.get({}))) << field.name;
    for (const std::string& value : field.values) {
      TrainOptions options;
      field.set(options, value);
      EXPECT_EQ(field.get(options), value) << field.name;
      EXPECT_FALSE(is_refused(field, value)) << field.name << " " << value;
    }
    if (checked_together.contains(field.name)) {
      TrainOptions options;
      field.set(options, "nonesuch");
      EXPECT_THROW(check(options), Error) << field.name;
    } else {
      EXPECT_TRUE(is_refused(field, "nonesuch")) << field.name;
    }
  }
  EXPECT_GE(lists, 13u);
}

TEST(OptionTable, AttributesGoTogether) {
  std::map<OptionGroup, int> groups;
  for (const TrainOptionField& field : train_option_fields()) {
    SCOPED_TRACE(field.name);
    ++groups[field.group];
    EXPECT_FALSE(field.help.empty());
    EXPECT_NO_THROW(field.check({}));
    EXPECT_TRUE(!field.describes_model || field.group == OptionGroup::network);
    EXPECT_TRUE(!field.carried_over || field.group == OptionGroup::objective);
    EXPECT_TRUE(!field.needs_proximal_steps || field.group == OptionGroup::objective);
    EXPECT_EQ(field.regularizer.empty(), !field.lambda);
    if (field.effect != OptionEffect::bits) {
      EXPECT_FALSE(field.fixes_design);
      EXPECT_FALSE(field.describes_model || field.carried_over);
      EXPECT_EQ(field.chosen_by, ChosenBy::nobody);
    }
  }
  EXPECT_EQ(groups.size(), 5u);
}

// An option does not change what its effect excludes.
TEST(OptionTable, EffectsAreWhatTheyAreSaidToBe) {
  const Table table = make_builtin("sinc", 120);
  TableTask task;
  task.test_fraction = 0.25;
  TrainOptions options;
  options.hidden = {3};
  options.iterations = 8;
  const Model usual = train(table, task, options);
  const std::map<std::string, std::string> others = {
      {"threads", "3"},
      {"time-limit", "1000"},
      {"snapshots", "4"},
      {"private", "true"},
      {"refit", "true"}};
  std::size_t tried = 0;
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.effect == OptionEffect::bits) continue;
    SCOPED_TRACE(field.name);
    ASSERT_TRUE(others.contains(field.name));
    ++tried;
    TrainOptions changed = options;
    field.set(changed, others.at(field.name));
    const Model model = train(table, task, changed);
    const bool same_bits = model.parameters_sha256() == usual.parameters_sha256();
    EXPECT_EQ(same_bits, field.effect != OptionEffect::final_model);
    const bool same_record =
        model.training.snapshots.size() == usual.training.snapshots.size() &&
        model.training.is_private == usual.training.is_private;
    EXPECT_EQ(same_record, field.effect != OptionEffect::record_only);
    EXPECT_EQ(model.training.test->rmse, usual.training.test->rmse);
  }
  EXPECT_EQ(tried, others.size());
  EXPECT_EQ(option_field(&TrainOptions::time_limit).effect, OptionEffect::clock);
}

TEST(OptionTable, EveryRegularizerHasTheOptionThatIsItsWeight) {
  const std::map<std::string, std::string> known = {
      {"weights", "lambda-w"},           {"damping", "lambda-q"},
      {"slope", "lambda-slope"},         {"curvature", "lambda-curvature"},
      {"bank-curvature", "lambda-bank"}, {"absolute-weights", "lambda-w1"},
      {"kinks", "lambda-kinks"}};
  for (const RegularizerEntry& entry : builtin_regularizers().entries()) {
    const TrainOptionField& field = lambda_field(entry.name);
    EXPECT_EQ(field.name, known.at(entry.name));
    TrainOptions options;
    field.set(options, "0.375");
    EXPECT_EQ(field.lambda(options), 0.375) << entry.name;
  }
  EXPECT_THROW(lambda_field("nonesuch"), Error);
  EXPECT_THROW(lambda_field(""), Error);
}

TEST(OptionTable, IsLookedUpByMember) {
  EXPECT_EQ(option_field(&TrainOptions::threads).name, "threads");
  EXPECT_EQ(option_field(&TrainOptions::lambda_w).name, "lambda-w");
  EXPECT_EQ(option_field(&TrainOptions::sharing).name, "share");
  EXPECT_EQ(option_field(&SplineOptions::knots).name, "knots");
  EXPECT_EQ(option_field(&SplineOptions::init_noise).name, "init-noise");
  EXPECT_THROW(option_field(&TrainOptions::input_low), Error);
  EXPECT_THROW(option_field(&SplineOptions::noise_share), Error);
  std::set<const void*> places;
  const TrainOptions options;
  for (const TrainOptionField& field : train_option_fields()) {
    EXPECT_TRUE(places.insert(field.place(options)).second) << field.name;
  }
}

}  // namespace
}  // namespace knotwork
