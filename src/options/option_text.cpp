// SPDX-License-Identifier: MIT
#include "options/option_text.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

#include "base/fail.hpp"
#include "table/csv/cell_value.hpp"

namespace knotwork {
namespace {

template <class Value>
void read_list(std::string_view name, std::string_view text, std::vector<Value>& list) {
  std::vector<Value> values;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    read_option(name, text.substr(0, comma), values.emplace_back());
    if (comma + 1 == text.size()) {
      fail(ErrorKind::bad_option, of_option(name),
           "{} ends with a comma; another value or none must follow.", name);
    }
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  list = std::move(values);
}

}  // namespace

void read_option(std::string_view, std::string_view text, std::string& value) {
  value = text;
}

void read_option(std::string_view name, std::string_view text, double& value) {
  double number = 0;
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    fail(ErrorKind::bad_option, of_option(name), "{} must be a number, not '{}'.", name,
         csv::shown(text));
  }
  value = number;
}

std::uint64_t read_whole_number(std::string_view name, std::string_view text, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number > most) {
    fail(ErrorKind::bad_option, of_option(name),
         "{} must be a whole number of at least 0, not '{}'.", name, csv::shown(text));
  }
  return number;
}

void read_option(std::string_view name, std::string_view text, bool& value) {
  if (text != "true" && text != "false") {
    fail(ErrorKind::bad_option, of_option(name), "{} must be true or false, not '{}'.", name,
         csv::shown(text));
  }
  value = text == "true";
}

void read_option(std::string_view name, std::string_view text, std::vector<double>& value) {
  read_list(name, text, value);
}

void read_option(std::string_view name, std::string_view text, std::vector<std::size_t>& value) {
  read_list(name, text, value);
  // "0" is the readable way to request no hidden layer.
  if (value.size() == 1 && value[0] == 0) value.clear();
}

void read_option(std::string_view name, std::string_view text, std::vector<std::string>& value) {
  read_list(name, text, value);
}

void read_option(std::string_view name, std::string_view text, PenaltyCourse& value) {
  const std::size_t equals = text.find('=');
  const std::size_t dots = text.find("..", equals == std::string_view::npos ? 0 : equals);
  if (equals == std::string_view::npos || dots == std::string_view::npos) {
    fail(ErrorKind::bad_option, of_option(name), "{} must be like lambda-w=0.1..0.001, not '{}'.",
         name, csv::shown(text));
  }
  value.option = text.substr(0, equals);
  read_option(name, text.substr(equals + 1, dots - equals - 1), value.first);
  read_option(name, text.substr(dots + 2), value.last);
}

void read_option(std::string_view name, std::string_view text, std::vector<PenaltyCourse>& value) {
  read_list(name, text, value);
}

void read_option(std::string_view name, std::string_view text, std::optional<Precision>& value) {
  value.reset();
  if (text == "auto") return;
  std::vector<std::string> names = {"auto"};
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    if (to_string(precision) == text) value = precision;
    names.emplace_back(to_string(precision));
  }
  if (!value) {
    fail(ErrorKind::bad_option, of_option(name), "{}", unknown_name_message(name, text, names));
  }
}

std::string write_option(const std::string& value) {
  return value;
}
std::string write_option(double value) {
  return fmt::format("{}", value);
}
std::string write_option(bool value) {
  return value ? "true" : "false";
}
std::string write_option(const std::vector<double>& value) {
  return fmt::format("{}", fmt::join(value, ","));
}
std::string write_option(const std::vector<std::size_t>& value) {
  return value.empty() ? "0" : fmt::format("{}", fmt::join(value, ","));
}
std::string write_option(const std::vector<std::string>& value) {
  return fmt::format("{}", fmt::join(value, ","));
}
std::string write_option(const std::vector<PenaltyCourse>& value) {
  std::vector<std::string> all;
  for (const PenaltyCourse& course : value) {
    all.push_back(fmt::format("{}={}..{}", course.option, course.first, course.last));
  }
  return write_option(all);
}
std::string write_option(const std::optional<Precision>& value) {
  return value ? std::string(to_string(*value)) : "auto";
}

}  // namespace knotwork
