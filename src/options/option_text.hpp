// SPDX-License-Identifier: MIT
// These functions convert options to text and back, one pair for each type. Reading throws
// bad_option with the option's name; writing gives text that reads back as the same value.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.hpp"

#include <knotwork/model.hpp>
#include <knotwork/options.hpp>

namespace knotwork {

// Counts and seeds are handled separately, although on some machines they have the same type.
template <class Type>
concept WholeNumber = std::same_as<Type, std::size_t> || std::same_as<Type, std::uint64_t>;

// Throws for a number above `most`.
std::uint64_t read_whole_number(std::string_view name, std::string_view text, std::uint64_t most);

void read_option(std::string_view name, std::string_view text, std::string& value);
void read_option(std::string_view name, std::string_view text, double& value);
template <WholeNumber Whole>
void read_option(std::string_view name, std::string_view text, Whole& value) {
  value = static_cast<Whole>(read_whole_number(name, text, std::numeric_limits<Whole>::max()));
}
void read_option(std::string_view name, std::string_view text, bool& value);
void read_option(std::string_view name, std::string_view text, std::vector<double>& value);
void read_option(std::string_view name, std::string_view text, std::vector<std::size_t>& value);
void read_option(std::string_view name, std::string_view text, std::vector<std::string>& value);
void read_option(std::string_view name, std::string_view text, PenaltyCourse& value);
void read_option(std::string_view name, std::string_view text, std::vector<PenaltyCourse>& value);
void read_option(std::string_view name, std::string_view text, std::optional<Precision>& value);
template <NamedEnum Enum>
void read_option(std::string_view name, std::string_view text, Enum& value) {
  with_option(name, [&] { value = from_string<Enum>(text); });
}

std::string write_option(const std::string& value);
std::string write_option(double value);
template <WholeNumber Whole>
std::string write_option(Whole value) {
  return std::to_string(value);
}
std::string write_option(bool value);
std::string write_option(const std::vector<double>& value);
std::string write_option(const std::vector<std::size_t>& value);
std::string write_option(const std::vector<std::string>& value);
std::string write_option(const std::vector<PenaltyCourse>& value);
std::string write_option(const std::optional<Precision>& value);
template <NamedEnum Enum>
std::string write_option(Enum value) {
  return std::string(to_string(value));
}

inline std::vector<std::pair<std::string, std::string>> option_texts(const TrainOptions& options) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const TrainOptionField& field : train_option_fields()) {
    texts.emplace_back(field.name, field.get(options));
  }
  return texts;
}

// Records one option again.
inline void record_option(Summary& summary, const TrainOptionField& field,
                          const TrainOptions& options) {
  for (auto& [name, text] : summary.options) {
    if (name == field.name) text = field.get(options);
  }
}

}  // namespace knotwork
