// SPDX-License-Identifier: MIT
// Tests penalties, constraints and schedules on the command line.
#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class ConstraintsOption : public CliTest {
 protected:
  static Words train(const Words& more) {
    Words all = {"train", "builtin:friedman1", "--hidden", "4",      "--optimizer",
                 "adam",  "--iterations",      "10",       "--rate", "0.02"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(ConstraintsOption, BoundedSlopesComeWithABoundOnTheNetwork) {
  const Json trained = document(train({"--max-slope", "0.5"}));
  ASSERT_TRUE(trained.contains("lipschitz_bound"));
  const double bound = trained["lipschitz_bound"];
  EXPECT_GT(bound, 0.05);
  EXPECT_LT(bound, 50);
  const Json seen = document({"inspect", "model.safetensors"});
  EXPECT_EQ(seen["lipschitz_bound"], bound);
  EXPECT_THAT(knotwork({"inspect", "model.safetensors"}).out,
              HasSubstr("no spline is steeper than 0.5; scaled outputs change by at most"));
  EXPECT_THAT(knotwork(train({"--max-slope", "0.5"})).out,
              HasSubstr("bounds     no spline is steeper than 0.5"));
  EXPECT_FALSE(document(train({})).contains("lipschitz_bound"));
}

TEST_F(ConstraintsOption, AMonotoneModelSaysHowItWasChecked) {
  const Json trained = document(train({"--basis", "b-spline", "--monotone-in=-x3,x4"}));
  EXPECT_THAT(trained["remarks"].get<Words>(),
              Contains(HasSubstr("Monotone in 'x4', never falling: checked on 200 rows")));
  EXPECT_THAT(trained["remarks"].get<Words>(),
              Contains(HasSubstr("Monotone in 'x3', never rising")));
  // A training that starts from the model keeps the constraint.
  const Json again = document({"train", "builtin:friedman1", "--start-from", "model.safetensors",
                               "--optimizer", "adam", "--iterations", "2"});
  EXPECT_THAT(again["remarks"].get<Words>(), Contains(HasSubstr("Monotone in 'x4'")));
  EXPECT_THAT(refusal({"train", "builtin:friedman1", "--start-from", "model.safetensors"}),
              HasSubstr("use --optimizer adam"));
}

TEST_F(ConstraintsOption, PenaltiesStandInTheObjective) {
  const Json trained =
      document(train({"--lambda-w1", "0.01", "--penalty-schedule", "lambda-kinks=0.1..0.01"}));
  EXPECT_GT(trained["objective_parts"]["absolute-weights"], 0);
  EXPECT_GT(trained["objective_parts"]["kinks"], 0);
}

TEST_F(ConstraintsOption, WhatNeedsAdamSaysSoWhateverIsChosen) {
  as_people_do_ = true;
  for (const Words& option :
       {Words{"--lambda-w1", "0.1"}, Words{"--lambda-kinks", "0.1"}, Words{"--monotone"},
        Words{"--max-slope", "1"}, Words{"--monotone-in", "x1"},
        Words{"--penalty-schedule", "lambda-w=1..0.1"}}) {
    Words request = {"train", "builtin:friedman1"};
    request.insert(request.end(), option.begin(), option.end());
    const std::string name = option[0].substr(2);
    EXPECT_THAT(refusal(request), AllOf(HasSubstr(name), HasSubstr("use --optimizer adam")));
  }
}

TEST_F(ConstraintsOption, NamesAreSuggested) {
  EXPECT_THAT(refusal(train({"--penalty-schedule", "lambda-curvatur=1..0.1"})),
              HasSubstr("'lambda-curvature'"));
  EXPECT_THAT(refusal(train({"--basis", "linear", "--monotone-in", "x44"})), HasSubstr("'x4'"));
}

}  // namespace
}  // namespace knotwork::testing
