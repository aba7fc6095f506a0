// SPDX-License-Identifier: MIT
// Successive halving (Jamieson and Talwalkar, "Non-stochastic best arm identification and
// hyperparameter optimization", 2016), one rung at a time: all settings get a small budget, the
// best 1/eta of them get eta times as much, and so on until the last rung has the full budget. 32
// settings with eta 3: 32 with budget 1/27, 10 with 1/9, 3 with 1/3, 1 with 1.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/strategies/draws.hpp"

namespace knotwork::searching {
namespace {

class Halving final : public Strategy {
 public:
  explicit Halving(const SearchOptions& options)
      : eta_(options.eta), rung_{.candidates = draw_settings(options)} {
    keep_ = rung_.candidates.size();
    for (std::size_t left = keep_; left >= eta_; left /= eta_) reduction_ *= eta_;
  }

  Wave next(const std::vector<double>& means) override {
    if (!means.empty()) {
      if (reduction_ == 1) return {};
      promote(means);
      reduction_ /= eta_;
    }
    rung_.budget = 1 / static_cast<double>(reduction_);
    return rung_;
  }

 private:
  // Failed settings are never promoted, even if that leaves fewer than there is room for.
  void promote(const std::vector<double>& means) {
    std::vector<std::size_t> ranking(means.size());
    std::iota(ranking.begin(), ranking.end(), std::size_t{0});
    std::stable_sort(ranking.begin(), ranking.end(),
                     [&](std::size_t a, std::size_t b) { return means[a] < means[b]; });
    keep_ /= eta_;
    ranking.resize(std::min(keep_, ranking.size()));
    std::erase_if(ranking, [&](std::size_t k) { return std::isinf(means[k]); });
    std::sort(ranking.begin(), ranking.end());
    std::vector<Candidate> best;
    for (const std::size_t k : ranking) best.push_back(std::move(rung_.candidates[k]));
    rung_.candidates = std::move(best);
  }

  std::size_t eta_;
  Wave rung_;
  std::size_t keep_ = 0;       // settings with room on the current rung
  std::size_t reduction_ = 1;  // the current budget is the full one divided by this
};

}  // namespace

std::unique_ptr<Strategy> make_halving(const SearchOptions& options) {
  return std::make_unique<Halving>(options);
}

}  // namespace knotwork::searching
