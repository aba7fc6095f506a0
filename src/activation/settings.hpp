// SPDX-License-Identifier: MIT
// SettingsReader reads an activation's settings by name and refuses unknown names and wrong types.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/activation.hpp>

namespace knotwork {

class SettingsReader {
 public:
  SettingsReader(std::string_view activation, const Settings& settings)
      : activation_(activation), settings_(settings) {}

  double number(std::string_view name, double otherwise);
  double positive(std::string_view name, double otherwise);
  double at_least_zero(std::string_view name, double otherwise);
  std::size_t whole_number(std::string_view name, std::size_t otherwise, std::size_t least,
                           std::size_t most);
  std::string text(std::string_view name, std::string_view otherwise);
  // Throws if a setting was given that no call has read.
  void finish() const;

 private:
  const Settings::mapped_type* find(std::string_view name);

  std::string activation_;
  const Settings& settings_;
  std::vector<std::string> known_;
};

inline constexpr std::size_t kMinKnots = 4;
// A limit, because the memory for the knots that a model file requests (8 bytes each) is allocated
// before it is known whether the file contains their numbers.
inline constexpr std::size_t kMaxKnots = 100'000;

}  // namespace knotwork
