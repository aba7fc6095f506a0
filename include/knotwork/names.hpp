// SPDX-License-Identifier: MIT
// This header maps between names that users write and what they name: values of enumerations, and
// entries of the tables of activations, losses, regularizers, optimizers and transforms.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/error.hpp>

namespace knotwork {

// --- Enumerations -------------------------------------------------------------------------------
//
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

template <class Enum>
struct EnumName {
  Enum value;
  std::string_view name;
};

// The name of the enumeration in messages, and the kind of error for an unknown word.
struct EnumFamily {
  std::string_view name;
  ErrorKind error = ErrorKind::bad_option;
};

template <class Enum>
struct EnumNames;

// Defined here and not beside ErrorKind, because error.hpp is included by this header.
template <>
struct EnumNames<ErrorKind> {
  static constexpr EnumFamily family{"kind of error"};
  static constexpr EnumName<ErrorKind> all[] = {
      {ErrorKind::bad_option, "bad_option"}, {ErrorKind::bad_data, "bad_data"},
      {ErrorKind::bad_file, "bad_file"},     {ErrorKind::bad_model, "bad_model"},
      {ErrorKind::failed_run, "failed_run"},
      {ErrorKind::stopped, "stopped"},
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

// Throws bad_option for a number that is not a value of the enumeration.
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

// --- Tables -------------------------------------------------------------------------------------
//
// One plain table per family: activations, losses, regularizers, optimizers, transforms.
//
// Everything that lists or looks up names reads such a table. A program extends a *copy* of a table
// and passes it on; there is no global registry and nothing registers itself.

// The name in `known` closest to `wanted` in edit distance, or "" when none is close.
KNOTWORK_API std::string closest_name(std::string_view wanted,
                                      const std::vector<std::string>& known);
// "There is no activation called 'tanhh'; did you mean 'tanh'?", or a list of the known names.
KNOTWORK_API std::string unknown_name_message(std::string_view family, std::string_view wanted,
                                              const std::vector<std::string>& known);

// Entry needs a member `name` that converts to std::string_view.
template <class Entry>
class NamedTable {
 public:
  NamedTable(std::string family, std::vector<Entry> entries)
      : family_(std::move(family)), entries_(std::move(entries)) {}

  const std::vector<Entry>& entries() const { return entries_; }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Entry& entry : entries_) all.emplace_back(entry.name);
    return all;
  }

  const Entry* find(std::string_view name) const {
    auto it = std::find_if(entries_.begin(), entries_.end(),
                           [&](const Entry& entry) { return entry.name == name; });
    return it == entries_.end() ? nullptr : &*it;
  }

  const Entry& at(std::string_view name) const {
    if (const Entry* entry = find(name)) return *entry;
    throw Error(ErrorKind::bad_option, unknown_name_message(family_, name, names()));
  }

  void add(Entry entry) {
    if (find(entry.name)) {
      throw Error(ErrorKind::bad_option, "There is already one " + family_ + " called '" +
                                             std::string(entry.name) +
                                             "'; a new one needs a name of its own.");
    }
    entries_.push_back(std::move(entry));
  }

 private:
  std::string family_;
  std::vector<Entry> entries_;
};

}  // namespace knotwork
