// SPDX-License-Identifier: MIT
// Options as text: one pair of functions for each type. Reading throws bad_option with the option's
// name; writing gives text that reads back as the same value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <knotwork/options.hpp>

namespace knotwork {

void read_option(std::string_view name, std::string_view text, std::string& value);
void read_option(std::string_view name, std::string_view text, double& value);
void read_option(std::string_view name, std::string_view text, std::size_t& value);
void read_option(std::string_view name, std::string_view text, bool& value);
void read_option(std::string_view name, std::string_view text, std::vector<double>& value);
void read_option(std::string_view name, std::string_view text, std::vector<std::size_t>& value);
void read_option(std::string_view name, std::string_view text, std::vector<std::string>& value);
void read_option(std::string_view name, std::string_view text, PenaltyCourse& value);
void read_option(std::string_view name, std::string_view text, std::vector<PenaltyCourse>& value);
void read_option(std::string_view name, std::string_view text, Tails& value);
void read_option(std::string_view name, std::string_view text, FitRange& value);
void read_option(std::string_view name, std::string_view text, ScalingKind& value);
void read_option(std::string_view name, std::string_view text, RateSchedule& value);
void read_option(std::string_view name, std::string_view text, Sharing& value);
void read_option(std::string_view name, std::string_view text, std::optional<Precision>& value);

std::string write_option(const std::string& value);
std::string write_option(double value);
std::string write_option(std::size_t value);
std::string write_option(bool value);
std::string write_option(const std::vector<double>& value);
std::string write_option(const std::vector<std::size_t>& value);
std::string write_option(const std::vector<std::string>& value);
std::string write_option(const std::vector<PenaltyCourse>& value);
std::string write_option(Tails value);
std::string write_option(FitRange value);
std::string write_option(ScalingKind value);
std::string write_option(RateSchedule value);
std::string write_option(Sharing value);
std::string write_option(const std::optional<Precision>& value);

}  // namespace knotwork
