// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <knotwork/search.hpp>

#include "base/fail.hpp"
#include "search/strategies/numbers.hpp"
#include "table/csv/cell_value.hpp"

namespace knotwork {

using namespace searching;
namespace {

constexpr std::size_t kDefaultPoints = 5;
constexpr std::size_t kMaxPoints = 10000;
constexpr int kGridDigits = 6;

using csv::shown;

// The parts of a dimension's text, as messages quote them.
struct Source {
  std::string text;
  std::string option;
};

std::vector<std::string_view> split_at_bars(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t bar = text.find('|');
    parts.push_back(text.substr(0, bar));
    if (bar == std::string_view::npos) return parts;
    text.remove_prefix(bar + 1);
  }
}

std::vector<std::string> list_values(const Source& source, std::string_view list) {
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const std::string_view item : split_at_bars(list)) {
    if (item.empty()) {
      fail(ErrorKind::bad_option, "'{}' has an empty value; write values as in {}=1|2|3.",
           source.text, source.option);
    }
    if (item.find("..") != std::string_view::npos) {
      fail(ErrorKind::bad_option,
           "'{}' has the range {} in a list; write either one range or single values.", source.text,
           shown(item));
    }
    const std::optional<Number> number = read_number(item);
    // Only powers are rewritten: options cannot read powers, but can read everything else.
    values.push_back(number && number->power ? write_number(number->value) : std::string(item));
    // Otherwise 0.1 and 1e-1 would be one trial under two names.
    if (!seen.insert(number ? write_number(number->value) : std::string(item)).second) {
      fail(ErrorKind::bad_option, "'{}' has the value {} twice; every value is tried once.",
           source.text, shown(item));
    }
  }
  return values;
}

Number range_end(const Source& source, std::string_view text) {
  const std::optional<Number> number = read_number(text);
  if (!number) {
    fail(ErrorKind::bad_option,
         "'{}' has the end '{}', which is not a finite number; write a range as in {}=0.001..1, "
         "{}=2^-10..2^3 or, with 7 points, {}=0..3:7.",
         source.text, shown(text), source.option, source.option, source.option);
  }
  return *number;
}

std::size_t point_count(const Source& source, std::string_view text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 2 || count > kMaxPoints) {
    fail(ErrorKind::bad_option,
         "'{}' has '{}' after the colon; the number of points must be a whole number from 2 to {}.",
         source.text, shown(text), kMaxPoints);
  }
  return count;
}

// Points evenly spaced from low to high, in the logarithm if the range is logarithmic. If both ends
// are powers of one base, the exponents are spaced evenly, so that whole exponents give exact
// powers.
std::vector<std::string> range_points(const Number& low, const Number& high, const Range& range,
                                      std::size_t count) {
  const bool powers = low.power && high.power && low.power->base == high.power->base;
  std::vector<std::string> points;
  for (std::size_t k = 0; k < count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count - 1);
    double value = 0;
    if (k == 0) {
      value = low.value;
    } else if (k + 1 == count) {
      value = high.value;
    } else if (powers) {
      const double span = high.power->exponent - low.power->exponent;
      const double exponent =
          low.power->exponent + span * static_cast<double>(k) / static_cast<double>(count - 1);
      value = std::pow(low.power->base, exponent);
      if (exponent != std::round(exponent)) value = rounded(value, kGridDigits);
    } else if (range.logarithmic) {
      value = std::exp(std::lerp(std::log(low.value), std::log(high.value), share));
      value = rounded(value, kGridDigits);
    } else {
      value = rounded(std::lerp(low.value, high.value, share), kGridDigits);
    }
    std::string point = write_number(range.whole ? std::round(value) : value);
    if (points.empty() || points.back() != point) points.push_back(std::move(point));
  }
  return points;
}

std::vector<std::string> whole_numbers(const Number& low, const Number& high) {
  std::vector<std::string> points;
  const double steps = high.value - low.value;
  for (double k = 0; k <= steps; ++k) points.push_back(write_number(low.value + k));
  return points;
}

std::size_t default_count(const Source& source, const Number& low, const Number& high) {
  if (!low.power || !high.power || low.power->base != high.power->base) return kDefaultPoints;
  // With a base below 1 the exponents descend.
  const double count = std::abs(high.power->exponent - low.power->exponent) + 1;
  if (count > static_cast<double>(kMaxPoints)) {
    fail(ErrorKind::bad_option, "'{}' has {} powers, but a range has at most {} points.",
         source.text, count, kMaxPoints);
  }
  return static_cast<std::size_t>(count);
}

void set_range(const Source& source, std::string_view text, bool whole, Dimension& dimension) {
  const std::size_t dots = text.find("..");
  const std::size_t colon = std::min(text.find(':'), text.size());
  if (colon < dots) range_end(source, text.substr(0, dots));
  const Number low = range_end(source, text.substr(0, dots));
  const Number high = range_end(source, text.substr(dots + 2, colon - dots - 2));
  if (!(low.value < high.value)) {
    fail(ErrorKind::bad_option,
         "'{}' does not ascend; write the smaller end of a range first, and a single value as "
         "{}={}.",
         source.text, source.option, write_number(low.value));
  }
  for (const Number& end : {low, high}) {
    if (!whole) continue;
    if (end.value != std::round(end.value) || std::abs(end.value) > kLargestWhole) {
      fail(ErrorKind::bad_option, "'{}' has the end {}, but {} takes whole numbers only.",
           source.text, write_number(end.value), source.option);
    }
  }
  dimension.range = Range{low.value, high.value, low.value > 0, whole};
  const std::size_t count = colon < text.size() ? point_count(source, text.substr(colon + 1))
                                                : default_count(source, low, high);
  const bool all_fit = whole && high.value - low.value < static_cast<double>(count);
  dimension.values =
      all_fit ? whole_numbers(low, high) : range_points(low, high, *dimension.range, count);
}

}  // namespace

Dimension parse_dimension(std::string_view text,
                          const std::function<bool(std::string_view option)>& is_whole) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    fail(
        ErrorKind::bad_option,
        "'{}' gives no values to search; write values as in {}=1|2|3 or a range as in {}=0.001..1.",
        shown(text), shown(text), shown(text));
  }
  const Source source{shown(text), shown(text.substr(0, equals))};
  if (equals == 0) {
    fail(ErrorKind::bad_option,
         "'{}' is not an option with values; write the option, '=' and values, as in "
         "lambda-w=0.001..1.",
         source.text);
  }
  Dimension dimension;
  dimension.option = text.substr(0, equals);
  const std::string_view values = text.substr(equals + 1);
  if (values.find("..") != std::string_view::npos && values.find('|') == std::string_view::npos) {
    set_range(source, values, is_whole && is_whole(dimension.option), dimension);
  } else {
    dimension.values = list_values(source, values);
  }
  return dimension;
}

}  // namespace knotwork
