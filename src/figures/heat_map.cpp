// SPDX-License-Identifier: MIT
#include "figures/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/fail.hpp"

namespace knotwork {

std::string power_name(double value) {
  int exponent = 0;
  if (std::frexp(value, &exponent) == 0.5) return fmt::format("2^{}", exponent - 1);
  return fmt::format("{:.4g}", value);
}

std::optional<std::size_t> best_cell(const HeatMap& map) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < map.scores.size(); ++i) {
    if (!std::isfinite(map.scores[i])) continue;
    const double sign = map.lower_is_better ? 1 : -1;
    if (!best || sign * map.scores[i] < sign * map.scores[*best]) best = i;
  }
  return best;
}

}  // namespace knotwork

namespace knotwork::figures {
namespace {

constexpr int kMostDigits = 9;

std::string name_with(int digits, double score) {
  if (score == 0) return "0";
  // An integer with up to six digits is easier to read in full than with an exponent.
  const double size = std::abs(score);
  const int whole = size >= 1 && size < 1e6 ? static_cast<int>(std::log10(size)) + 1 : 0;
  return whole >= digits ? fmt::format("{:.0f}", score) : fmt::format("{:#.{}g}", score, digits);
}

}  // namespace

void check_heat_map(const HeatMap& map) {
  if (map.x_names.empty() || map.y_names.empty()) {
    fail(ErrorKind::bad_data, "A heat map needs at least one column and one row.");
  }
  if (map.scores.size() != map.x_names.size() * map.y_names.size()) {
    fail(ErrorKind::bad_data,
         "A heat map of {} columns and {} rows has {} scores; it needs one for each cell, {}.",
         map.x_names.size(), map.y_names.size(), map.scores.size(),
         map.x_names.size() * map.y_names.size());
  }
}

ShadeScale::ShadeScale(const HeatMap& map) : shading_(map.shading) {
  std::set<double> different;
  for (const double score : map.scores) {
    if (std::isfinite(score)) different.insert(score);
  }
  scores_.assign(different.begin(), different.end());
  if (map.lower_is_better) std::reverse(scores_.begin(), scores_.end());
  if (empty()) return;

  std::set<double> steps;
  for (const double at : {0.0, 0.25, 0.5, 0.75, 1.0}) steps.insert(score_at(at));
  for (; digits_ < kMostDigits; ++digits_) {
    std::set<std::string> names;
    for (const double score : steps) names.insert(name(score));
    if (names.size() == steps.size()) break;
  }
}

double ShadeScale::share(double score) const {
  if (scores_.size() == 1) return 1;
  if (shading_ == Shading::value) {
    // The difference of two large scores may overflow, but the difference of their halves does not.
    const double part = std::isfinite(best() - worst()) ? 1 : 0.5;
    return (part * score - part * worst()) / (part * best() - part * worst());
  }
  const auto it = std::find(scores_.begin(), scores_.end(), score);
  return static_cast<double>(it - scores_.begin()) / static_cast<double>(scores_.size() - 1);
}

double ShadeScale::score_at(double share) const {
  if (scores_.size() == 1) return best();
  if (shading_ == Shading::value) return (1 - share) * worst() + share * best();
  const double last = static_cast<double>(scores_.size() - 1);
  return scores_[static_cast<std::size_t>(std::lround(share * last))];
}

std::string ShadeScale::name(double score) const {
  return name_with(digits_, score);
}

std::string shade_color(double share) {
  using Color = std::array<double, 3>;
  // Evenly spaced in CIE lightness, from 96 to 20.
  constexpr std::array<Color, 7> stops = {{{251, 243, 220},
                                           {185, 218, 147},
                                           {54, 195, 134},
                                           {10, 156, 149},
                                           {3, 118, 137},
                                           {4, 82, 117},
                                           {24, 47, 91}}};
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double rest = place - static_cast<double>(first);
  const auto part = [&](std::size_t i) {
    return std::lround((1 - rest) * stops[first][i] + rest * stops[first + 1][i]);
  };
  return fmt::format("#{:02x}{:02x}{:02x}", part(0), part(1), part(2));
}

std::string best_text(const HeatMap& map, const ShadeScale& scale) {
  const std::size_t cell = best_cell(map).value();
  const auto or_else = [](const std::string& label, const char* other) {
    return label.empty() ? std::string(other) : label;
  };
  return fmt::format("{} at {} = {}, {} = {}", scale.name(map.scores[cell]),
                     or_else(map.x_label, "x"), map.x_names[cell % map.x_names.size()],
                     or_else(map.y_label, "y"), map.y_names[cell / map.x_names.size()]);
}

}  // namespace knotwork::figures
