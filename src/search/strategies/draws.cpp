// SPDX-License-Identifier: MIT
#include "search/strategies/draws.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <knotwork/random.hpp>

#include "search/strategies/grid.hpp"
#include "search/strategies/numbers.hpp"

namespace knotwork::searching {
namespace {

constexpr int kDrawDigits = 3;
constexpr std::size_t kDrawsForEachTrial = 100;

std::string draw_number(const Range& range, double share) {
  // Each whole number has the interval up to the next one, so that first and last are as likely as
  // the others.
  const double end = range.whole ? range.high + 1 : range.high;
  const double value = range.logarithmic
                           ? std::exp(std::lerp(std::log(range.low), std::log(end), share))
                           : std::lerp(range.low, end, share);
  const double tidy = range.whole ? std::floor(value) : rounded(value, kDrawDigits);
  return write_number(std::clamp(tidy, range.low, range.high));
}

Setting draw(const std::vector<Dimension>& space, const Random& random, std::uint64_t index) {
  Setting setting;
  for (std::size_t d = 0; d < space.size(); ++d) {
    const std::uint64_t at = index * space.size() + d;
    const Dimension& dimension = space[d];
    setting.emplace_back(dimension.option,
                         dimension.range
                             ? draw_number(*dimension.range, random.uniform(at))
                             : dimension.values[random.below(dimension.values.size(), at)]);
  }
  return setting;
}

class RandomDraws final : public Strategy {
 public:
  explicit RandomDraws(const SearchOptions& options) : options_(options) {}

  Wave next(const std::vector<double>& means) override {
    Wave wave;
    if (means.empty()) wave.candidates = draw_settings(options_);
    return wave;
  }

 private:
  SearchOptions options_;
};

}  // namespace

std::vector<Candidate> draw_settings(const SearchOptions& options) {
  const std::vector<Dimension>& space = options.space;
  std::vector<Candidate> candidates;
  const bool lists_only = std::none_of(space.begin(), space.end(),
                                       [](const Dimension& dimension) { return dimension.range; });
  if (lists_only && grid_size(space, options.trials) <= options.trials) {
    for (const GridPoint& point : grid_points(space)) {
      candidates.push_back({setting_at(space, point), candidates.size()});
    }
    return candidates;
  }
  const Random random(options.seed, Purpose::search_draws);
  std::set<Setting> seen;
  const std::size_t max_draws = options.trials * kDrawsForEachTrial;
  for (std::size_t k = 0; k < max_draws && candidates.size() < options.trials; ++k) {
    Setting setting = draw(space, random, k);
    if (!seen.insert(setting).second) continue;
    candidates.push_back({std::move(setting), candidates.size()});
  }
  return candidates;
}

std::unique_ptr<Strategy> make_random(const SearchOptions& options) {
  return std::make_unique<RandomDraws>(options);
}

}  // namespace knotwork::searching
