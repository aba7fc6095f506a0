// SPDX-License-Identifier: MIT
// Tests of the strategies alone, with known score functions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <knotwork/error.hpp>

#include "search/strategies/draws.hpp"
#include "search/strategies/numbers.hpp"
#include "search/strategies/strategy.hpp"

namespace knotwork::searching {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ScoreFunction = std::function<double(const Setting&, double budget)>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

SearchOptions options_for(const std::string& strategy, const std::vector<std::string>& space) {
  SearchOptions options;
  options.strategy = strategy;
  for (const std::string& dimension : space) options.space.push_back(parse_dimension(dimension));
  return options;
}

std::vector<Wave> waves_of(const SearchOptions& options, const ScoreFunction& score) {
  check(options);
  const auto strategy = make_strategy(options);
  std::vector<Wave> waves;
  std::vector<double> means;
  while (true) {
    Wave wave = strategy->next(means);
    if (wave.candidates.empty()) return waves;
    means.clear();
    for (const Candidate& candidate : wave.candidates) {
      means.push_back(score(candidate.setting, wave.budget));
    }
    waves.push_back(std::move(wave));
  }
}

double number(const Setting& setting, std::size_t dimension) {
  return read_number(setting[dimension].second)->value;
}

// The best setting of all waves, and the number of trials.
struct Found {
  Setting best;
  std::size_t tried = 0;
};
Found found_by(const SearchOptions& options, const ScoreFunction& score) {
  Found found;
  double least = kInfinity;
  std::set<Setting> seen;
  for (const Wave& wave : waves_of(options, score)) {
    for (const Candidate& candidate : wave.candidates) {
      ++found.tried;
      EXPECT_TRUE(seen.insert(candidate.setting).second) << "the same setting twice";
      const double value = score(candidate.setting, 1);
      if (value < least) {
        least = value;
        found.best = candidate.setting;
      }
    }
  }
  return found;
}

TEST(Strategies, ThereAreFour) {
  EXPECT_THAT(search_strategies().names(), ElementsAre("grid", "refine", "random", "halving"));
}

TEST(GridStrategy, TriesEveryCombinationInOrder) {
  const auto waves = waves_of(options_for("grid", {"a=1|2", "b=x|y|z"}),
                              [](const Setting&, double) { return 0.0; });
  ASSERT_EQ(waves.size(), 1u);
  EXPECT_EQ(waves[0].budget, 1);
  std::vector<std::string> tried;
  for (std::size_t k = 0; k < waves[0].candidates.size(); ++k) {
    const Candidate& candidate = waves[0].candidates[k];
    EXPECT_EQ(candidate.order, k);
    EXPECT_EQ(candidate.setting[0].first, "a");
    EXPECT_EQ(candidate.setting[1].first, "b");
    tried.push_back(candidate.setting[0].second + candidate.setting[1].second);
  }
  EXPECT_THAT(tried, ElementsAre("1x", "1y", "1z", "2x", "2y", "2z"));
}

TEST(GridStrategy, RefusesAGridWithoutEnd) {
  try {
    make_grid(options_for("grid", {"a=0..1:10000", "b=0..1:101"}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("more than 1000000 settings; give fewer values"));
  }
}

// A bowl over the exponents of two ranges, tilted so that its axes are not the coordinate axes.
ScoreFunction bowl(double a, double b) {
  return [a, b](const Setting& setting, double) {
    const double x = std::log2(number(setting, 0)) - a;
    const double y = std::log2(number(setting, 1)) - b;
    return x * x + y * y + 0.8 * x * y;
  };
}

const std::vector<std::string> kTwoRanges = {"lambda-w=2^-20..2^5", "lambda-q=2^-20..2^5"};

TEST(RefineStrategy, BeginsWithEveryFifthPower) {
  const auto waves = waves_of(options_for("refine", kTwoRanges), bowl(-7, -3));
  ASSERT_GT(waves.size(), 1u);
  ASSERT_EQ(waves[0].candidates.size(), 36u);
  EXPECT_EQ(number(waves[0].candidates[0].setting, 0), 0x1p-20);
  EXPECT_EQ(number(waves[0].candidates[1].setting, 1), 0x1p-15);
  EXPECT_EQ(number(waves[0].candidates[35].setting, 1), 32);
  EXPECT_EQ(waves[0].candidates[1].order, 5u);  // in the order of the whole grid
}

RC_GTEST_PROP(RefineStrategy, FindsTheLowestPointOfABowlWithFewTrials, ()) {
  const int a = *rc::gen::inRange(-20, 6);
  const int b = *rc::gen::inRange(-20, 6);
  const Found found = found_by(options_for("refine", kTwoRanges), bowl(a, b));
  RC_ASSERT(number(found.best, 0) == std::ldexp(1, a));
  RC_ASSERT(number(found.best, 1) == std::ldexp(1, b));
  RC_ASSERT(found.tried < 100u);  // of 676
}

RC_GTEST_PROP(RefineStrategy, EndsAtAPointWithoutABetterNeighbor, ()) {
  const int points = *rc::gen::inRange(2, 40);
  std::map<double, double> scores;
  for (int k = 0; k < points; ++k) scores[k] = *rc::gen::inRange(0, 1000);
  const auto score = [&](const Setting& setting, double) { return scores.at(number(setting, 0)); };
  const Found found = found_by(
      options_for("refine", {"x=0.." + std::to_string(points - 1) + ":" + std::to_string(points)}),
      score);
  const auto best = scores.find(number(found.best, 0));
  if (best != scores.begin()) RC_ASSERT(std::prev(best)->second >= best->second);
  if (std::next(best) != scores.end()) RC_ASSERT(std::next(best)->second >= best->second);
}

TEST(RefineStrategy, RefinesEachCombinationOfListsByItself) {
  // The best power depends on the value of the list, and b wins only after refinement.
  const auto score = [](const Setting& setting, double) {
    const double exponent = std::log2(number(setting, 1));
    return setting[0].second == "a" ? 1 + std::abs(exponent) : 4 * std::abs(exponent - 2);
  };
  const Found found = found_by(options_for("refine", {"kind=a|b", "x=2^-20..2^5"}), score);
  EXPECT_EQ(found.best, (Setting{{"kind", "b"}, {"x", "4"}}));
  EXPECT_LT(found.tried, 40u);
}

TEST(RefineStrategy, SmallRangesAreComplete) {
  const Found found =
      found_by(options_for("refine", {"x=0..5:6"}),
               [](const Setting& setting, double) { return number(setting, 0) == 3 ? 0.0 : 1.0; });
  EXPECT_EQ(found.tried, 6u);
  EXPECT_EQ(number(found.best, 0), 3);
}

TEST(RefineStrategy, StopsWhereEverythingFailed) {
  const Found found = found_by(options_for("refine", {"x=2^0..2^25"}),
                               [](const Setting&, double) { return kInfinity; });
  EXPECT_EQ(found.tried, 6u);
}

TEST(RefineStrategy, RefusesASpaceWithoutEnd) {
  std::vector<std::string> space;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    space.push_back(name + std::string("=0..1:26"));
  }
  try {
    make_refine(options_for("refine", space));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("more than 1000000 settings; search fewer options"));
  }
}

std::vector<Setting> draws_of(SearchOptions options, std::size_t trials, std::uint64_t seed) {
  options.trials = trials;
  options.seed = seed;
  std::vector<Setting> settings;
  for (Candidate& candidate : draw_settings(options)) {
    EXPECT_EQ(candidate.order, settings.size());
    settings.push_back(std::move(candidate.setting));
  }
  return settings;
}

TEST(RandomStrategy, DrawsAreAFunctionOfTheSeedAndMoreBeginWithFewer) {
  const SearchOptions options = options_for("random", {"x=1e-6..1", "y=0..1", "kind=a|b|c"});
  const auto some = draws_of(options, 20, 1);
  auto more = draws_of(options, 50, 1);
  EXPECT_EQ(more.size(), 50u);
  more.resize(20);
  EXPECT_EQ(some, more);
  EXPECT_NE(some, draws_of(options, 20, 2));
}

TEST(RandomStrategy, DrawsAreSpreadAsTheRangeSays) {
  const auto settings = draws_of(options_for("random", {"x=1e-6..1", "y=-2..2", "k=a|b"}), 2000, 3);
  double below = 0, negative = 0, a = 0;
  for (const Setting& setting : settings) {
    below += number(setting, 0) < 1e-3 ? 1 : 0;
    negative += number(setting, 1) < 0 ? 1 : 0;
    a += setting[2].second == "a" ? 1 : 0;
    EXPECT_GE(number(setting, 0), 1e-6);
    EXPECT_LE(number(setting, 0), 1);
    EXPECT_EQ(rounded(number(setting, 0), 3), number(setting, 0));
  }
  EXPECT_NEAR(below, 1000, 100);
  EXPECT_NEAR(negative, 1000, 100);
  EXPECT_NEAR(a, 1000, 100);
}

TEST(RandomStrategy, WholeNumbersIncludeBothEnds) {
  SearchOptions options;
  options.space = {parse_dimension("batch=1..6", [](std::string_view) { return true; })};
  std::set<std::string> seen;
  for (const Setting& setting : draws_of(options, 50, 1)) seen.insert(setting[0].second);
  EXPECT_THAT(seen, ElementsAre("1", "2", "3", "4", "5", "6"));
}

TEST(RandomStrategy, SmallSpacesOfListsAreTakenWhole) {
  const auto settings = draws_of(options_for("random", {"a=1|2", "b=x|y|z"}), 6, 1);
  EXPECT_EQ(settings.size(), 6u);
  EXPECT_EQ(settings[1], (Setting{{"a", "1"}, {"b", "y"}}));
  EXPECT_EQ(draws_of(options_for("random", {"a=1|2", "b=x|y|z"}), 5, 1).size(), 5u);
}

TEST(HalvingStrategy, ClimbsRungsWithTheBestThird) {
  const auto score = [](const Setting& setting, double) { return number(setting, 0); };
  SearchOptions options = options_for("halving", {"x=0..1"});
  const auto waves = waves_of(options, score);
  ASSERT_EQ(waves.size(), 4u);
  const std::vector<std::size_t> sizes = {32, 10, 3, 1};
  const std::vector<double> budgets = {1.0 / 27, 1.0 / 9, 1.0 / 3, 1};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(waves[k].candidates.size(), sizes[k]);
    EXPECT_EQ(waves[k].budget, budgets[k]);
    if (k == 0) continue;
    // Every setting on a rung was better than all settings that stayed below.
    std::multiset<double> below, on;
    for (const Candidate& c : waves[k - 1].candidates) below.insert(number(c.setting, 0));
    for (const Candidate& c : waves[k].candidates) on.insert(number(c.setting, 0));
    EXPECT_TRUE(std::equal(on.begin(), on.end(), below.begin()));
  }
}

TEST(HalvingStrategy, OneSettingGetsTheFullBudgetAtOnce) {
  SearchOptions options = options_for("halving", {"x=0..1"});
  for (const std::size_t trials : {1u, 2u}) {
    options.trials = trials;
    const auto waves = waves_of(options, [](const Setting&, double) { return 0.0; });
    ASSERT_EQ(waves.size(), 1u);
    EXPECT_EQ(waves[0].budget, 1);
  }
}

TEST(HalvingStrategy, FailedSettingsDoNotGoOn) {
  SearchOptions options = options_for("halving", {"x=a|b|c|d|e|f|g|h|i"});
  options.trials = 9;
  const auto waves = waves_of(options, [](const Setting& setting, double) {
    return setting[0].second < "c" ? 1.0 : kInfinity;
  });
  ASSERT_EQ(waves.size(), 3u);
  EXPECT_EQ(waves[1].candidates.size(), 2u);
  EXPECT_EQ(waves[2].candidates.size(), 1u);
  const auto none = waves_of(options, [](const Setting&, double) { return kInfinity; });
  EXPECT_EQ(none.size(), 1u);
}

TEST(SearchOptionsCheck, SaysWhatIsWrong) {
  const auto refusal = [](const auto& change) {
    SearchOptions options = options_for("grid", {"a=1|2"});
    change(options);
    try {
      check(options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option);
      return std::string(error.what());
    }
    return std::string("nothing was wrong");
  };
  EXPECT_EQ(refusal([](SearchOptions&) {}), "nothing was wrong");
  EXPECT_THAT(refusal([](SearchOptions& o) { o.strategy = "rfine"; }),
              HasSubstr("no search strategy called 'rfine'; did you mean 'refine'?"));
  EXPECT_THAT(refusal([](SearchOptions& o) { o.space.clear(); }), HasSubstr("nothing to search"));
  EXPECT_THAT(refusal([](SearchOptions& o) { o.space[0].values.clear(); }),
              HasSubstr("The option a has no values"));
  EXPECT_THAT(refusal([](SearchOptions& o) { o.space.push_back(o.space[0]); }),
              HasSubstr("The option a is searched twice; give all its values at once"));
  EXPECT_THAT(refusal([](SearchOptions& o) { o.folds = 0; }),
              HasSubstr("folds must be from 1 to 1000000, not 0"));
  EXPECT_THAT(refusal([](SearchOptions& o) { o.trials = 0; }), HasSubstr("trials must be from 1"));
  EXPECT_THAT(refusal([](SearchOptions& o) { o.eta = 1; }), HasSubstr("eta must be from 2"));
  EXPECT_THAT(refusal([](SearchOptions& o) { o.threads = 5000; }), HasSubstr("threads must be"));
}

TEST(Grid, IsCountedAndListedWithTheLastDimensionFastest) {
  const SearchOptions options = options_for("grid", {"hidden=2|3", "lambda-w=1|10^-3"});
  EXPECT_EQ(grid_size(options.space, 10), 4u);
  EXPECT_EQ(grid_size(options.space, 3), 4u);
  EXPECT_EQ(grid_size(options.space, 2), 3u);
  const std::vector<Setting> settings = grid_settings(options.space);
  ASSERT_EQ(settings.size(), 4u);
  EXPECT_THAT(settings[1], ElementsAre(std::pair("hidden", "2"), std::pair("lambda-w", "0.001")));
  EXPECT_EQ(number_of("10^-3"), 1e-3);
  EXPECT_TRUE(std::isnan(number_of("tanh")));
}

TEST(Grid, ThatIsTooLargeIsRefusedByTheCheck) {
  std::vector<std::string> space;
  for (const char* option : {"a", "b", "c", "d"}) space.push_back(std::string(option) + "=1..9:99");
  EXPECT_THROW(check(options_for("grid", space)), Error);
  EXPECT_NO_THROW(check(options_for("random", space)));
}

}  // namespace
}  // namespace knotwork::searching
