// SPDX-License-Identifier: MIT
// The columns of a model say what each input of its networks is and what each target means.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>
#include <knotwork/scaling.hpp>

namespace knotwork {

enum class InputKind { numeric, category, missing, date, target_mean, frequency };
template <>
struct EnumNames<InputKind> {
  static constexpr EnumFamily family{"kind of input", ErrorKind::bad_model};
  static constexpr EnumName<InputKind> all[] = {
      {InputKind::numeric, "numeric"},
      {InputKind::category, "category"},
      {InputKind::missing, "missing"},
      {InputKind::date, "date"},
      {InputKind::target_mean, "target_mean"},
      {InputKind::frequency, "frequency"},
  };
};

// What an input sees of a date. Cyclic parts are pairs of a sine and a cosine, so that December is
// next to January; the hour includes minutes and seconds.
enum class DatePart {
  elapsed,  // days since 1970-01-01 UTC, with fractions
  year,
  month_sin,
  month_cos,
  weekday_sin,
  weekday_cos,
  hour_sin,
  hour_cos
};
template <>
struct EnumNames<DatePart> {
  static constexpr EnumFamily family{"part of a date", ErrorKind::bad_model};
  static constexpr EnumName<DatePart> all[] = {
      {DatePart::elapsed, "elapsed"},
      {DatePart::year, "year"},
      {DatePart::month_sin, "month_sin"},
      {DatePart::month_cos, "month_cos"},
      {DatePart::weekday_sin, "weekday_sin"},
      {DatePart::weekday_cos, "weekday_cos"},
      {DatePart::hour_sin, "hour_sin"},
      {DatePart::hour_cos, "hour_cos"},
  };
};
// A part of the date that is this number of seconds after 1970-01-01 UTC.
KNOTWORK_API double date_part(DatePart part, double seconds);
// "2020-01-31", and "2020-01-31 16:13" for a time that is not midnight.
KNOTWORK_API std::string short_date(double seconds);
[[deprecated("is from_string<InputKind>() now")]] inline InputKind input_kind_from_name(
    std::string_view name) {
  return from_string<InputKind>(name);
}

// One input of a network.
struct KNOTWORK_API InputColumn {
  std::string column = {};
  InputKind kind = InputKind::numeric;
  // category: the text. target_mean: the class or the target that the mean is of.
  std::string category = {};
  DatePart part = DatePart::elapsed;  // of a date
  // The value of a missing cell, for all kinds but category and missing. NaN: missing cells are
  // refused.
  double fill = std::numeric_limits<double>::quiet_NaN();
  // Smallest and largest value in training. Unknown if low > high.
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  Scaling scaling = {};
  // target_mean, frequency: the texts of the column in training, sorted by bytes, with a value for
  // each of them, and the value of any other text. The inputs of a column share the texts.
  std::shared_ptr<const std::vector<std::string>> levels = {};
  std::vector<double> values = {};
  double unseen = 0;

  bool has_levels() const {
    return kind == InputKind::target_mean || kind == InputKind::frequency;
  }
  bool reads_text() const { return kind == InputKind::category || has_levels(); }
  // True for inputs with a range, which are scaled as requested; other inputs stay as they are.
  bool is_scaled() const {
    return kind == InputKind::numeric || has_levels() ||
           (kind == InputKind::date && (part == DatePart::elapsed || part == DatePart::year));
  }
  // False for an input with levels unless the texts are different and sorted, and all of them, a
  // missing cell and any other text have a value.
  bool is_complete() const;
  // The value of a text, for inputs with levels.
  double level_value(std::string_view text) const;
  // "age", "city = Rome", "age missing", "sold: weekday_sin", "model: mean of price"
  std::string name() const;
};

// What is predicted: a number, several of its quantiles, or class probabilities.
struct KNOTWORK_API TargetColumn {
  std::string column;
  Scaling scaling = {};
  std::vector<double> quantiles = {};     // levels, ascending
  std::vector<std::string> classes = {};  // at least two

  // Outputs of a network. Two classes need one output: the log-odds of the second class.
  std::size_t outputs() const {
    if (classes.size() == 2) return 1;
    return predictions();
  }
  // Number of prediction columns.
  std::size_t predictions() const {
    if (!classes.empty()) return classes.size();
    return quantiles.empty() ? 1 : quantiles.size();
  }
  // True if levels ascend between 0 and 1, and classes are different, at least two, and not scaled.
  bool is_complete() const;
};

}  // namespace knotwork
