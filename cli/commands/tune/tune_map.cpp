// SPDX-License-Identifier: MIT
#include "cli/commands/tune/tune_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "base/fail.hpp"

namespace knotwork::cli {
namespace {

// If a setting was tried with several budgets, the score with the largest budget counts.
std::vector<TrialRecord> at_largest_budget(const std::vector<TrialRecord>& trials) {
  std::map<Setting, TrialRecord> latest;
  for (const TrialRecord& trial : trials) {
    if (!trial.complete) continue;
    const auto [place, is_new] = latest.emplace(trial.setting, trial);
    if (!is_new && place->second.budget < trial.budget) place->second = trial;
  }
  std::vector<TrialRecord> all;
  for (const auto& [setting, trial] : latest) all.push_back(trial);
  return all;
}

bool same_budget(const std::vector<TrialRecord>& trials) {
  return std::all_of(trials.begin(), trials.end(), [&](const TrialRecord& trial) {
    return trial.budget == trials.front().budget;
  });
}

bool on_grid(const Dimension& dimension, std::size_t d, const std::vector<TrialRecord>& trials) {
  const std::set<std::string> values(dimension.values.begin(), dimension.values.end());
  return std::all_of(trials.begin(), trials.end(), [&](const TrialRecord& trial) {
    return values.contains(trial.setting[d].second);
  });
}

// The grid values, or the values that were drawn from the range.
std::vector<std::string> axis_values(const Dimension& dimension, std::size_t d,
                                     const std::vector<TrialRecord>& trials) {
  if (on_grid(dimension, d, trials)) return dimension.values;
  constexpr double kLast = std::numeric_limits<double>::infinity();  // sorts texts last
  std::set<std::pair<double, std::string>> values;
  for (const TrialRecord& trial : trials) {
    const std::string& value = trial.setting[d].second;
    const double number = number_of(value);
    values.emplace(std::isnan(number) ? kLast : number, value);
  }
  std::vector<std::string> sorted;
  for (const auto& [number, value] : values) sorted.push_back(value);
  return sorted;
}

std::vector<std::string> names_of(const Dimension& dimension,
                                  const std::vector<std::string>& values) {
  std::vector<std::string> names;
  for (const std::string& value : values) names.push_back(value_name(dimension, value));
  return names;
}

std::map<std::string, std::size_t> places_of(const std::vector<std::string>& values) {
  std::map<std::string, std::size_t> places;
  for (const std::string& value : values) places.emplace(value, places.size());
  return places;
}

// With one option the map has a single row.
HeatMap make_map(const StoredSearch& search, const std::vector<TrialRecord>& trials) {
  const Dimension& first = search.space[0];
  const std::vector<std::string> columns = axis_values(first, 0, trials);
  std::vector<std::string> rows = {""};
  HeatMap map;
  map.x_label = first.option;
  map.x_names = names_of(first, columns);
  map.y_names = rows;
  if (search.space.size() == 2) {
    const Dimension& second = search.space[1];
    rows = axis_values(second, 1, trials);
    map.y_label = second.option;
    map.y_names = names_of(second, rows);
  }
  map.score_label = fmt::format("{}, mean of {} folds", search.score, search.folds);
  if (!same_budget(trials)) map.title = "each setting at its largest budget";
  // A few settings are often so bad that all others would have the same shade.
  map.shading = Shading::rank;
  map.scores.assign(columns.size() * rows.size(), std::numeric_limits<double>::quiet_NaN());
  const std::map<std::string, std::size_t> x = places_of(columns), y = places_of(rows);
  for (const TrialRecord& trial : trials) {
    const std::size_t row = search.space.size() == 2 ? y.at(trial.setting[1].second) : 0;
    map.scores[row * columns.size() + x.at(trial.setting[0].second)] = trial.mean;
  }
  return map;
}

LineFigure make_lines(const StoredSearch& search, const std::vector<TrialRecord>& trials) {
  LineFigure figure;
  figure.x_label = search.space[0].option;
  figure.y_label = fmt::format("{} in {} folds", search.score, search.folds);
  figure.series = {{"mean", {}}, {"mean + deviation", {}}, {"mean - deviation", {}}};
  std::vector<TrialRecord> sorted = trials;
  std::sort(sorted.begin(), sorted.end(), [](const TrialRecord& a, const TrialRecord& b) {
    return number_of(a.setting[0].second) < number_of(b.setting[0].second);
  });
  for (const TrialRecord& trial : sorted) {
    const double x = number_of(trial.setting[0].second);
    figure.series[0].points.push_back({x, trial.mean});
    figure.series[1].points.push_back({x, trial.mean + trial.deviation});
    figure.series[2].points.push_back({x, trial.mean - trial.deviation});
  }
  constexpr double kWide = 100;
  const double low = figure.series[0].points.front().x, high = figure.series[0].points.back().x;
  figure.log_x = low > 0 && high / low >= kWide;
  return figure;
}

}  // namespace

std::string value_name(const Dimension& dimension, const std::string& value) {
  const auto is_power = [](const std::string& text) {
    int exponent = 0;
    return std::frexp(number_of(text), &exponent) == 0.5;
  };
  const bool powers = dimension.range && !dimension.range->whole && is_power(value) &&
                      std::all_of(dimension.values.begin(), dimension.values.end(), is_power);
  return powers ? power_name(number_of(value)) : value;
}

std::vector<std::string> map_text(const StoredSearch& search,
                                  const std::vector<TrialRecord>& trials, std::size_t width) {
  if (search.space.size() != 2) return {};
  const std::vector<TrialRecord> known = at_largest_budget(trials);
  if (known.empty() || !same_budget(trials)) return {};
  for (std::size_t d = 0; d < 2; ++d) {
    const Dimension& dimension = search.space[d];
    if (dimension.values.size() < 2 || !on_grid(dimension, d, known)) return {};
  }
  constexpr std::size_t kNames = 14;  // the widest name of a row, with the border
  if (search.space[0].values.size() + kNames > width) return {};
  return heat_map_text(make_map(search, known), {.width = width});
}

std::string map_figure(const StoredSearch& search, const std::vector<TrialRecord>& trials) {
  if (search.space.size() > 2) {
    fail(ErrorKind::bad_option, of_option("svg"),
         "--svg can draw one or two varied options, but this study has {}; --json contains all "
         "scores.",
         search.space.size());
  }
  const std::vector<TrialRecord> known = at_largest_budget(trials);
  if (known.empty()) {
    fail(ErrorKind::bad_option, of_option("svg"),
         "--svg has nothing to draw, because no trial is complete yet; continue the search first.");
  }
  const bool numbers = std::none_of(known.begin(), known.end(), [](const TrialRecord& trial) {
    return std::isnan(number_of(trial.setting[0].second));
  });
  if (search.space.size() == 1 && numbers) return line_figure(make_lines(search, known));
  return heat_map_figure(make_map(search, known));
}

}  // namespace knotwork::cli
