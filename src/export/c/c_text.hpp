// SPDX-License-Identifier: MIT
// These functions write pieces of C as text: numbers, names, comments and arrays.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel/watched_work.hpp"

#include <knotwork/network.hpp>

namespace knotwork::exporting {

inline std::string_view c_type(Precision precision) {
  return precision == Precision::float32 ? "float" : "double";
}

// The shortest digits that read back as this number, 0.5f or 0.5. Throws bad_model for a number
// that is too large for float.
std::string c_number(double value, Precision precision);

std::string c_name_part(std::string_view activation);  // leaky_relu for leaky-relu

// The text without anything that ends a comment or causes compiler warnings in one.
std::string c_comment_text(std::string_view text);
// The words of a comment in lines that begin with `first` and then with `next`.
std::string c_comment_lines(std::string_view text, std::string_view first, std::string_view next);

// Numbers one after the other, in lines of at most 100 characters. If there is a second dimension,
// each group of that many numbers is in braces. Each number is a step of `work`.
std::string c_array(std::string_view declaration, std::span<const double> values,
                    Precision precision, parallel::WatchedWork& work,
                    std::size_t second_dimension = 0);

template <class... Args>
void append(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

}  // namespace knotwork::exporting
