// SPDX-License-Identifier: MIT
#include "activation/settings.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"

namespace knotwork {

const Settings::mapped_type* SettingsReader::find(std::string_view name) {
  known_.emplace_back(name);
  const auto it = settings_.find(name);
  return it == settings_.end() ? nullptr : &it->second;
}

double SettingsReader::number(std::string_view name, double otherwise) {
  const auto* value = find(name);
  if (!value) return otherwise;
  if (const double* number = std::get_if<double>(value)) return *number;
  fail(ErrorKind::bad_option, "The setting '{}' of activation '{}' must be a number, not '{}'.",
       name, activation_, std::get<std::string>(*value));
}

double SettingsReader::positive(std::string_view name, double otherwise) {
  const double value = number(name, otherwise);
  if (value > 0 && std::isfinite(value)) return value;
  fail(ErrorKind::bad_option,
       "The setting '{}' of activation '{}' must be a positive number, not {}.", name, activation_,
       value);
}

double SettingsReader::at_least_zero(std::string_view name, double otherwise) {
  const double value = number(name, otherwise);
  if (value >= 0 && std::isfinite(value)) return value;
  fail(ErrorKind::bad_option,
       "The setting '{}' of activation '{}' must be a number of at least 0, not {}.", name,
       activation_, value);
}

std::size_t SettingsReader::whole_number(std::string_view name, std::size_t otherwise,
                                         std::size_t least, std::size_t most) {
  const double value = number(name, static_cast<double>(otherwise));
  if (value >= static_cast<double>(least) && value <= static_cast<double>(most) &&
      value == std::floor(value)) {
    return static_cast<std::size_t>(value);
  }
  fail(ErrorKind::bad_option,
       "The setting '{}' of activation '{}' must be a whole number from {} to {}, not {}.", name,
       activation_, least, most, value);
}

std::string SettingsReader::text(std::string_view name, std::string_view otherwise) {
  const auto* value = find(name);
  if (!value) return std::string(otherwise);
  if (const std::string* text = std::get_if<std::string>(value)) return *text;
  fail(ErrorKind::bad_option,
       "The setting '{}' of activation '{}' must be a name, not the number {}.", name, activation_,
       std::get<double>(*value));
}

void SettingsReader::finish() const {
  for (const auto& [name, value] : settings_) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    if (known_.empty()) {
      fail(ErrorKind::bad_option, "Activation '{}' has no settings, but '{}' was given.",
           activation_, name);
    }
    throw Error(ErrorKind::bad_option,
                unknown_name_message("setting of activation '" + activation_ + "'", name, known_));
  }
}

}  // namespace knotwork
