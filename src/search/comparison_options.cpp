// SPDX-License-Identifier: MIT
// The options of a comparison, and the penalties drawn in its rounds.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <knotwork/comparison.hpp>
#include <knotwork/random.hpp>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "search/strategies/numbers.hpp"

namespace knotwork {

using namespace searching;
namespace {

constexpr int kDigits = 3;
constexpr std::size_t kMostRounds = 100'000;  // and most settings

// The penalties drawn in every round; their number and order determine the draws.
constexpr double TrainOptions::*kDrawn[] = {&TrainOptions::lambda_w, &TrainOptions::lambda_q,
                                            &TrainOptions::lambda_slope,
                                            &TrainOptions::lambda_curvature};

bool has_effect(double TrainOptions::*member, const TrainOptions& options) {
  return option_field(member).unused_because(options).empty();
}

// For one penalty in one round: which part of its range each setting takes.
std::vector<std::size_t> shuffled_parts(const Random& random, std::uint64_t first,
                                        std::size_t count) {
  std::vector<std::size_t> parts(count);
  std::iota(parts.begin(), parts.end(), std::size_t{0});
  std::sort(parts.begin(), parts.end(), [&](std::size_t a, std::size_t b) {
    const std::uint64_t key_a = random.bits(first + a), key_b = random.bits(first + b);
    return key_a != key_b ? key_a < key_b : a < b;
  });
  return parts;
}

}  // namespace

const std::vector<std::string>& penalty_options() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto member : kDrawn) all.push_back(option_field(member).name);
    return all;
  }();
  return names;
}

std::vector<std::string> own_penalties(const TrainOptions& options,
                                       std::span<const std::string> given) {
  const bool splines = has_effect(&TrainOptions::lambda_curvature, options);
  std::vector<std::string> own;
  for (const auto member : kDrawn) {
    const std::string& option = option_field(member).name;
    if (contains(given, option) || !has_effect(member, options)) continue;
    const bool damps = member == &TrainOptions::lambda_q && !splines;
    if (options.*member != 0 || damps) own.push_back(option);
  }
  return own;
}

TrainOptions comparison_options() {
  TrainOptions options;
  options.output_activation = "identity";
  options.free_bias = true;
  options.optimizer = "lbfgs";
  options.iterations = 300;
  return options;
}

void check(const ComparisonOptions& options) {
  check_between("folds", options.folds, 2, kMostRounds);
  check_between("repeats", options.repeats, 1, kMostRounds / options.folds);
  if (options.budget == 1) {
    fail(ErrorKind::bad_option,
         "A budget of 1 leaves no choice; it must be at least 2, or 0 to train with the options as "
         "they are.");
  }
  check_between("budget", options.budget, 0, kMostRounds);
  check_between("inner-folds", options.inner_folds, 2, kMostRounds);
}

std::vector<Setting> draw_penalties(const ComparisonOptions& options, std::size_t round) {
  const Random random(options.seed, Purpose::search_draws);
  const std::vector<std::string>& penalties = penalty_options();
  std::vector<Setting> settings(options.budget);
  for (std::size_t p = 0; p < penalties.size(); ++p) {
    // Two numbers for each setting: the order of the parts, and the place within one.
    const std::uint64_t first =
        2 * options.budget * (static_cast<std::uint64_t>(round) * penalties.size() + p);
    const std::vector<std::size_t> parts = shuffled_parts(random, first, options.budget);
    for (std::size_t k = 0; k < options.budget; ++k) {
      const double share =
          (static_cast<double>(parts[k]) + random.uniform(first + options.budget + k)) /
          static_cast<double>(options.budget);
      const double value =
          std::exp(std::lerp(std::log(kPenaltyRange.low), std::log(kPenaltyRange.high), share));
      settings[k].emplace_back(penalties[p], write_number(rounded(value, kDigits)));
    }
  }
  return settings;
}

}  // namespace knotwork
