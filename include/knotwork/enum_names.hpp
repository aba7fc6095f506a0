// SPDX-License-Identifier: MIT
// Enumerations and the words for their values, one table beside each enumeration:
//
//   enum class Tails { linear, constant };
//   template <>
//   struct EnumNames<Tails> {
//     static constexpr EnumFamily family{"kind of tails"};
//     static constexpr EnumName<Tails> all[] = {{Tails::linear, "linear"},
//                                               {Tails::constant, "constant"}};
//   };
//
//   to_string(Tails::linear)      "linear"
//   from_string<Tails>("linear")  Tails::linear; for an unknown word it throws with the closest one
//   names<Tails>()                all words, in the order of the table
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/error.hpp>

namespace knotwork {

template <class Enum>
struct EnumName {
  Enum value;
  std::string_view name;
};

// What messages call the enumeration, and the kind of error that an unknown word is.
struct EnumFamily {
  std::string_view name;
  ErrorKind error = ErrorKind::bad_option;
};

template <class Enum>
struct EnumNames;

// Beside the others because its header comes before this one.
template <>
struct EnumNames<ErrorKind> {
  static constexpr EnumFamily family{"kind of error"};
  static constexpr EnumName<ErrorKind> all[] = {
      {ErrorKind::bad_option, "bad_option"},
      {ErrorKind::bad_data, "bad_data"},
      {ErrorKind::bad_file, "bad_file"},
      {ErrorKind::bad_model, "bad_model"},
      {ErrorKind::failed_run, "failed_run"},
  };
};

template <class Enum>
concept NamedEnum = requires { EnumNames<Enum>::all; };

template <NamedEnum Enum>
std::vector<std::string> names() {
  std::vector<std::string> words;
  for (const EnumName<Enum>& entry : EnumNames<Enum>::all) words.emplace_back(entry.name);
  return words;
}

[[noreturn]] KNOTWORK_API void fail_unknown_value(const EnumFamily& family, long long value,
                                                  std::size_t known);
[[noreturn]] KNOTWORK_API void fail_unknown_word(const EnumFamily& family, std::string_view word,
                                                 const std::vector<std::string>& known);

// Throws bad_option for a number that is no value of the enumeration.
template <NamedEnum Enum>
constexpr std::string_view to_string(Enum value) {
  for (const EnumName<Enum>& entry : EnumNames<Enum>::all) {
    if (entry.value == value) return entry.name;
  }
  fail_unknown_value(EnumNames<Enum>::family, static_cast<long long>(value),
                     std::size(EnumNames<Enum>::all));
}

template <NamedEnum Enum>
Enum from_string(std::string_view word) {
  for (const EnumName<Enum>& entry : EnumNames<Enum>::all) {
    if (entry.name == word) return entry.value;
  }
  fail_unknown_word(EnumNames<Enum>::family, word, names<Enum>());
}

}  // namespace knotwork
