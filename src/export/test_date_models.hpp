// SPDX-License-Identifier: MIT
// This header makes models that read dates and texts with values.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "export/test_model_parts.hpp"

namespace knotwork::testing_export {

inline InputColumn date(std::string column, DatePart part, double fill = kNaN,
                        Scaling scaling = {}) {
  InputColumn input{.column = std::move(column), .kind = InputKind::date, .part = part};
  input.fill = fill;
  input.low = date_part(part, -5e8);
  input.high = date_part(part, 2e9);
  input.scaling = std::move(scaling);
  return input;
}

using Levels = std::shared_ptr<const std::vector<std::string>>;

inline Levels levels_of(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return std::make_shared<const std::vector<std::string>>(std::move(texts));
}
// The mean of a target, or the frequency if there is no target.
inline InputColumn text_value(std::string column, const Levels& levels, std::string target,
                              ScalingKind scaling = ScalingKind::standard) {
  InputColumn input{.column = std::move(column),
                    .kind = target.empty() ? InputKind::frequency : InputKind::target_mean,
                    .category = std::move(target),
                    .fill = 11.5,
                    .low = -3,
                    .high = 15,
                    .scaling = scaling_of(scaling),
                    .levels = levels,
                    .unseen = scaling == ScalingKind::standard ? 12.25 : 0.5};
  for (std::size_t k = 0; k < levels->size(); ++k) {
    input.values.push_back(std::sin(static_cast<double>(k)) * 3 + input.unseen);
  }
  return input;
}

inline Levels tricky_levels() {
  return levels_of({"Z", "a", "a b", "ab", "\"quoted\"", "back\\slash", "question ?\?/", "*/", "\t",
                    "\xC3\xA9", "\xC3\xA9t\xC3\xA9", "7", "\x7F"});
}

// Moments at which a calendar may go wrong: around 1970, leap days, centuries, ends of years.
inline Rows difficult_moments(std::size_t columns, std::size_t place) {
  Rows rows;
  for (const double seconds :
       {0.0, -1.0, 1.0, -86400.0, -86401.0, 86399.0, 951782400.0, 951868800.0, 1709208000.0,
        -2203891200.0, -2203977600.0, 4107542400.0, 978307199.0, 978307200.0, -62135596800.0,
        253402300799.0, -62167219200.0, -62167219201.0, -9.5e11, 9.5e11, -2e12, 2e12}) {
    rows.emplace_back(columns, 0.5)[place] = seconds;
  }
  return rows;
}

inline std::vector<Case> date_and_level_cases() {
  const auto tanh = activation("tanh");
  const Scaling days{
      .kind = ScalingKind::standard, .offset = 11000, .scale = 1e-4, .quantiles = {}};
  Scaling years{.kind = ScalingKind::quantile, .offset = 0, .scale = 1, .quantiles = {}};
  for (int year = 1900; year <= 2080; year += 9) years.quantiles.push_back(year);
  const std::vector<InputColumn> parts = {date("sold", DatePart::elapsed, 9000.5, days),
                                          date("sold", DatePart::year, 1994, years),
                                          date("sold", DatePart::month_sin, 0),
                                          date("sold", DatePart::month_cos, 0),
                                          date("sold", DatePart::weekday_sin, 0),
                                          date("sold", DatePart::weekday_cos, 0),
                                          date("sold", DatePart::hour_sin, 0),
                                          date("sold", DatePart::hour_cos, 0),
                                          {.column = "sold", .kind = InputKind::missing}};
  const auto network = [&](std::size_t inputs) {
    return std::vector<Layer>{dense(inputs, 5, tanh), dense(5, 1, activation("spline"))};
  };
  std::vector<Case> cases;
  cases.push_back({"dates", model_of(network(9), parts, {plain_target("y")}),
                   difficult_moments(1, 0)});
  // Another order of the inputs, and columns in between.
  const Levels texts = tricky_levels(), with_empty = levels_of({"", "b", "c"});
  const std::vector<InputColumn> mixed = {
      text_value("model", texts, "y"),
      date("seen", DatePart::hour_cos),
      text_value("model", texts, "z", ScalingKind::uniform),
      category("colour", "z"),
      category("colour", "a"),
      number("size", ScalingKind::quantile, 0.25),
      parts[3],
      text_value("model", texts, "", ScalingKind::none),
      date("seen", DatePart::elapsed, kNaN, days),
      text_value("place", with_empty, "", ScalingKind::quantile),
      parts[8],
      parts[1]};
  cases.push_back({"dates_and_many_texts",
                   model_of(network(mixed.size()), mixed, {plain_target("y")}, 2)});
  Scaling times{.kind = ScalingKind::uniform, .offset = 0, .scale = 1, .quantiles = {}};
  for (int k = 0; k < 50; ++k) times.quantiles.push_back(19000 + k * (0.001 + 1e-5 * k));
  cases.push_back({"times_that_float_does_not_tell_apart",
                   model_of({dense(1, 3, tanh), dense(3, 1, tanh)},
                            {date("at", DatePart::elapsed, kNaN, times)}, {plain_target("y")})});
  for (int k = 0; k < 60; ++k) {
    cases.back().rows.push_back({std::floor(19000 * 86400.0 + k * (100.0 + k))});
  }
  return cases;
}

inline bool reads_dates(const Model& model) {
  const ExportColumns columns = export_columns(model);
  return std::any_of(columns.columns.begin(), columns.columns.end(),
                     [](const ExportColumn& column) { return column.date; });
}

}  // namespace knotwork::testing_export
