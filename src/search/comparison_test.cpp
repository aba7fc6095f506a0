// SPDX-License-Identifier: MIT
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>

#include <knotwork/builtin_data.hpp>
#include <knotwork/comparison.hpp>
#include <knotwork/training.hpp>

#include "parallel/test_monitors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace knotwork::searching {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A few rows of a built-in set, and small networks with short training.
class CompareTest : public ::testing::Test {
 protected:
  explicit CompareTest(const std::string& set = "sinc", std::size_t rows = 60)
      : prepared_(make_builtin(set, rows, 1), {}, 0) {
    options_.folds = 3;
    options_.budget = 2;
    options_.inner_folds = 2;
    options_.threads = 1;
  }

  static Variant variant(const std::string& name, const std::string& activation,
                         std::size_t iterations = 20) {
    TrainOptions options = comparison_options();
    options.hidden = {4};
    options.activation = activation;
    options.iterations = iterations;
    return {name, options, own_penalties(options)};
  }
  ComparisonResult compared(const std::vector<Variant>& variants) const {
    return compare(prepared_.data(), prepared_.partition().train, variants, options_);
  }
  std::string refusal(const std::vector<Variant>& variants) const {
    try {
      compared(variants);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  PreparedData prepared_;
  ComparisonOptions options_;
  const std::vector<Variant> two_ = {variant("curves", "spline"), variant("plain", "tanh")};
};

class CompareClassesTest : public CompareTest {
 protected:
  CompareClassesTest() : CompareTest("spirals", 90) {}
};

std::vector<double> scores_of(const VariantResult& variant) {
  std::vector<double> scores;
  for (const RoundResult& round : variant.rounds) scores.push_back(round.score);
  return scores;
}

TEST_F(CompareTest, ScoresEveryVariantInEveryRound) {
  options_.repeats = 2;
  const ComparisonResult result = compared(two_);
  EXPECT_FALSE(result.classes);
  EXPECT_EQ(result.rows, 60u);
  EXPECT_EQ(result.trainings, 2u * 6 * (2 * 2 + 1));
  ASSERT_EQ(result.variants.size(), 2u);
  for (const VariantResult& variant : result.variants) {
    ASSERT_EQ(variant.rounds.size(), 6u);
    const MeanDeviation expected = mean_deviation(scores_of(variant));
    EXPECT_EQ(variant.score.mean, expected.mean);
    EXPECT_EQ(variant.score.deviation, expected.deviation);
    EXPECT_GT(variant.score.mean, 0);
    EXPECT_LT(variant.score.mean, 1.5);
    EXPECT_GT(variant.seconds.mean, 0);
    EXPECT_GT(variant.tuning_seconds, 0);
    EXPECT_FALSE(variant.accuracy);
  }
  // 1-4-1 with 21 control points for each hidden neuron, or none.
  EXPECT_EQ(result.variants[0].parameters, 13u + 4 * 21);
  EXPECT_EQ(result.variants[1].parameters, 13u);
  // The second repeat has other folds.
  EXPECT_NE(result.variants[1].rounds[0].score, result.variants[1].rounds[3].score);
}

TEST_F(CompareTest, ChoosesTheOwnPenaltiesFromTheSettingsOfTheRound) {
  const ComparisonResult result = compared(two_);
  for (std::size_t r = 0; r < 3; ++r) {
    const std::vector<Setting> drawn = draw_penalties(options_, r);
    const Setting& curves = result.variants[0].rounds[r].chosen;
    ASSERT_EQ(curves.size(), 2u);
    EXPECT_TRUE((curves == Setting{drawn[0][0], drawn[0][3]}) ||
                (curves == Setting{drawn[1][0], drawn[1][3]}));
    const Setting& plain = result.variants[1].rounds[r].chosen;
    ASSERT_EQ(plain.size(), 1u);
    EXPECT_TRUE(plain[0] == drawn[0][0] || plain[0] == drawn[1][0]);
  }
}

TEST_F(CompareTest, WithoutABudgetTrainsWithTheOptionsAsTheyAre) {
  options_.budget = 0;
  const ComparisonResult result = compared(two_);
  EXPECT_EQ(result.trainings, 6u);
  for (const VariantResult& variant : result.variants) {
    for (const RoundResult& round : variant.rounds) EXPECT_THAT(round.chosen, IsEmpty());
    EXPECT_LT(variant.tuning_seconds, 1e-3);
  }
}

TEST_F(CompareTest, HasTheSameBitsForAnyNumberOfThreads) {
  const ComparisonResult one = compared(two_);
  options_.threads = 3;
  const ComparisonResult three = compared(two_);
  for (std::size_t v = 0; v < 2; ++v) {
    EXPECT_EQ(scores_of(one.variants[v]), scores_of(three.variants[v]));
  }
  EXPECT_EQ(one.variants[1].against_first->p, three.variants[1].against_first->p);
}

TEST_F(CompareTest, TestsAgainstTheFirst) {
  const ComparisonResult result = compared({two_[0], two_[1], variant("short", "tanh", 1)});
  EXPECT_FALSE(result.variants[0].against_first);
  EXPECT_FALSE(result.variants[0].adjusted_p);
  for (std::size_t v = 1; v < 3; ++v) {
    std::vector<double> differences = scores_of(result.variants[v]);
    for (std::size_t r = 0; r < 3; ++r) differences[r] -= result.variants[0].rounds[r].score;
    const PairedTest expected = corrected_t_test(differences, 0.5);  // 20 rows of 60
    ASSERT_TRUE(result.variants[v].against_first);
    EXPECT_EQ(result.variants[v].against_first->t, expected.t);
    EXPECT_EQ(result.variants[v].against_first->p, expected.p);
    EXPECT_GE(*result.variants[v].adjusted_p, expected.p);
  }
}

TEST_F(CompareTest, EqualVariantsShareTheirRankAndDoNotDiffer) {
  const ComparisonResult result = compared({two_[0], variant("again", "spline")});
  EXPECT_EQ(result.variants[0].rank, 1u);
  EXPECT_EQ(result.variants[1].rank, 1u);
  EXPECT_EQ(result.variants[1].against_first->p, 1);
}

TEST_F(CompareTest, RanksByTheMean) {
  const ComparisonResult result = compared({variant("short", "tanh", 1), two_[0]});
  EXPECT_EQ(result.variants[0].rank, 2u);
  EXPECT_EQ(result.variants[1].rank, 1u);
  EXPECT_LT(result.variants[1].against_first->difference, 0);
}

TEST_F(CompareClassesTest, ScoresClassesByLogLossAndAccuracy) {
  const ComparisonResult result = compared(two_);
  EXPECT_TRUE(result.classes);
  EXPECT_EQ(result.score_name, "log loss");
  for (const VariantResult& variant : result.variants) {
    ASSERT_TRUE(variant.accuracy);
    EXPECT_GT(variant.accuracy->mean, 0.3);
    EXPECT_LE(variant.accuracy->mean, 1);
    EXPECT_TRUE(std::isfinite(variant.score.mean));
  }
}

TEST_F(CompareTest, AFailedRoundIsInfinitelyBadAndNotTested) {
  Variant wild = variant("wild", "relu");
  wild.options.lambda_w = 1e308;  // the objective overflows at the start
  wild.tuned.clear();
  const ComparisonResult result = compared({two_[1], wild});
  const VariantResult& failed = result.variants[1];
  EXPECT_TRUE(std::isinf(failed.score.mean));
  EXPECT_EQ(failed.rank, 2u);
  EXPECT_FALSE(failed.against_first);
  EXPECT_THAT(failed.rounds[0].failure, HasSubstr("At the start the objective"));
  EXPECT_TRUE(std::isfinite(result.variants[0].score.mean));
  // No test is possible against a variant that failed.
  const ComparisonResult other = compared({wild, two_[1]});
  EXPECT_EQ(other.variants[1].rank, 1u);
  EXPECT_FALSE(other.variants[1].against_first);
}

TEST_F(CompareTest, TellsHowFarItIsAndCanBeEnded) {
  std::vector<std::size_t> done;
  std::size_t planned = 0;
  const auto monitor = parallel::watch([&](const Progress& now) {
    EXPECT_EQ(now.phase, Phase::comparing);
    if (done.empty() || done.back() != now.done) done.push_back(now.done);
    planned = now.planned;
    return true;
  });
  const auto rows = prepared_.partition().train;
  const ComparisonResult whole = compare(prepared_.data(), rows, two_, options_, monitor);
  EXPECT_EQ(planned, whole.trainings);
  EXPECT_EQ(done.back(), planned);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));

  try {
    compare(prepared_.data(), rows, two_, options_,
            parallel::watch([](const Progress& now) { return now.done < 4; }));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::stopped);
    EXPECT_STREQ(error.what(), "The comparison was stopped after 4 of 30 trainings.");
  }
}

// After the first training, the next one is asked to stop in its first iteration.
TEST_F(CompareTest, AStopIsHeardWithinAnIteration) {
  class Stopper final : public Monitor {
   public:
    void see(const Progress& now) override { begun_ = now.done > 0; }
    bool stop_requested() const override { return begun_ && ++asked_ > 3; }
    std::size_t asked() const { return asked_; }

   private:
    std::atomic<bool> begun_ = false;
    mutable std::atomic<std::size_t> asked_ = 0;
  };
  const auto stopper = std::make_shared<Stopper>();
  EXPECT_THROW(compare(prepared_.data(), prepared_.partition().train, two_, options_, stopper),
               Error);
  EXPECT_EQ(stopper->asked(), 4u) << "it was asked once more, and was not asked again";
}

TEST_F(CompareTest, RefusesWhatCannotBeCompared) {
  EXPECT_THAT(refusal({two_[0]}), HasSubstr("at least two variants to compare, not 1"));
  EXPECT_THAT(refusal({two_[0], two_[0]}), HasSubstr("Two variants have the name 'curves'"));
  Variant misspelt = variant("other", "tanh");
  misspelt.tuned = {"lambda-v"};
  EXPECT_THAT(refusal({two_[0], misspelt}), HasSubstr("did you mean 'lambda-w'?"));
  options_.folds = 61;
  EXPECT_THAT(refusal(two_), HasSubstr("60"));
  options_.folds = 60;  // a single row cannot be scored
  EXPECT_THAT(refusal(two_), HasSubstr("use fewer than 60 folds"));
  options_.folds = 2;
  options_.inner_folds = 31;
  EXPECT_THAT(refusal(two_), HasSubstr("Penalties cannot be chosen inside the training rows"));
}

}  // namespace
}  // namespace knotwork::searching
