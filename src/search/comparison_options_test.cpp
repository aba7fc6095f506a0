// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <knotwork/comparison.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace knotwork::searching {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Names = std::vector<std::string>;

TrainOptions with_activation(const std::string& name) {
  TrainOptions options = comparison_options();
  options.activation = name;
  return options;
}

TEST(OwnPenalties, AreOneForTheWeightsAndOneForLearnedActivations) {
  EXPECT_THAT(own_penalties(with_activation("tanh")), ElementsAre("lambda-w"));
  EXPECT_THAT(own_penalties(with_activation("spline")),
              ElementsAre("lambda-w", "lambda-curvature"));
  EXPECT_THAT(own_penalties(with_activation("apl")), ElementsAre("lambda-w", "lambda-q"));
}

TEST(OwnPenalties, AreThoseThatAPresetUses) {
  EXPECT_THAT(own_penalties(paper_options()), ElementsAre("lambda-w", "lambda-q"));
  EXPECT_THAT(own_penalties(historical_options()), IsEmpty());  // historical: no penalty
  TrainOptions without = comparison_options();
  without.lambda_w = 0;
  EXPECT_THAT(own_penalties(without), ElementsAre("lambda-curvature"));
}

TEST(OwnPenalties, LeaveAloneWhatIsGiven) {
  EXPECT_THAT(own_penalties(with_activation("tanh"), Names{"lambda-w"}), IsEmpty());
  EXPECT_THAT(own_penalties(with_activation("spline"), Names{"lambda-curvature"}),
              ElementsAre("lambda-w"));
  EXPECT_THAT(own_penalties(with_activation("apl"), Names{"lambda-q"}), ElementsAre("lambda-w"));
  // The curvature penalty is for splines only.
  EXPECT_THAT(own_penalties(with_activation("apl"), Names{"lambda-curvature"}),
              ElementsAre("lambda-w", "lambda-q"));
}

TEST(OwnPenalties, KnowWarmPaths) {
  TrainOptions options = with_activation("tanh");
  options.warm_path = {0.01, 0.1};
  EXPECT_THAT(own_penalties(options), IsEmpty());
}

TEST(DrawPenalties, HitEveryPartOfEveryRangeOnce) {
  ComparisonOptions options;
  options.budget = 8;
  for (const std::size_t round : {0, 1, 7}) {
    const std::vector<Setting> settings = draw_penalties(options, round);
    ASSERT_EQ(settings.size(), 8u);
    for (std::size_t p = 0; p < penalty_options().size(); ++p) {
      std::set<int> parts;
      for (const Setting& setting : settings) {
        EXPECT_EQ(setting[p].first, penalty_options()[p]);
        const double value = std::stod(setting[p].second);
        EXPECT_GE(value, kPenaltyRange.low);
        EXPECT_LE(value, kPenaltyRange.high);
        const double share =
            std::log(value / kPenaltyRange.low) / std::log(kPenaltyRange.high / kPenaltyRange.low);
        parts.insert(static_cast<int>(8 * share));
      }
      EXPECT_EQ(parts.size(), 8u);
    }
  }
}

TEST(DrawPenalties, DependOnSeedAndRoundAlone) {
  ComparisonOptions options, threads, seeded;
  threads.threads = 7;
  seeded.seed = 1;
  EXPECT_EQ(draw_penalties(options, 3), draw_penalties(threads, 3));
  EXPECT_NE(draw_penalties(options, 3), draw_penalties(options, 4));
  EXPECT_NE(draw_penalties(options, 3), draw_penalties(seeded, 3));
}

TEST(ComparisonOptions, AreChecked) {
  const auto refusal = [](auto change) -> std::string {
    ComparisonOptions options;
    change(options);
    try {
      check(options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal([](auto&) {}), "");
  EXPECT_EQ(refusal([](auto& o) { o.budget = 0; }), "");
  EXPECT_THAT(refusal([](auto& o) { o.folds = 1; }), HasSubstr("folds must be from 2"));
  EXPECT_THAT(refusal([](auto& o) { o.repeats = 0; }), HasSubstr("repeats must be from 1"));
  EXPECT_THAT(refusal([](auto& o) { o.budget = 1; }), HasSubstr("leaves no choice"));
  EXPECT_THAT(refusal([](auto& o) { o.inner_folds = 1; }), HasSubstr("inner-folds must be"));
}

}  // namespace
}  // namespace knotwork::searching
