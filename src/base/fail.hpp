// SPDX-License-Identifier: MIT
// fail() throws an Error with a formatted sentence, and with fields where they are given:
//
//   fail(ErrorKind::bad_option, "There are {} rows.", rows);
//   fail(ErrorKind::bad_option, of_option("hidden"), "hidden must be at least 1, not {}.", hidden);
//   fail(ErrorKind::bad_file, in_file(path), "is a folder, not a file.");
//   fail(ErrorKind::bad_data, in_file(path), Hint{.action = "name a CSV file"}, "is a folder.");
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>

#include <knotwork/api.hpp>
#include <knotwork/error.hpp>

namespace knotwork {

// Called by fail(). The sentence is formatted here, so that this code exists once in the library
// and not for each list of argument types.
[[noreturn]] KNOTWORK_API void fail_with(ErrorKind kind, fmt::string_view text,
                                         fmt::format_args args);
[[noreturn]] KNOTWORK_API void fail_with(ErrorKind kind, Where where, Hint hint,
                                         fmt::string_view text, fmt::format_args args);

template <class... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> text, Args&&... args) {
  fail_with(kind, text, fmt::make_format_args(args...));
}
template <class... Args>
[[noreturn]] void fail(ErrorKind kind, Where where, fmt::format_string<Args...> text,
                       Args&&... args) {
  fail_with(kind, std::move(where), {}, text, fmt::make_format_args(args...));
}
template <class... Args>
[[noreturn]] void fail(ErrorKind kind, Where where, Hint hint, fmt::format_string<Args...> text,
                       Args&&... args) {
  fail_with(kind, std::move(where), std::move(hint), text, fmt::make_format_args(args...));
}

inline Where of_option(std::string_view option, std::string_view other_option = {}) {
  return {.option = std::string(option), .other_option = std::string(other_option)};
}
// The message begins with the name of the file; the sentence is its predicate.
inline Where in_file(std::string_view file) {
  return {.file = std::string(file)};
}
// For a sentence that names the file itself.
inline Where about_file(std::string_view file) {
  return {.file = std::string(file), .is_in_sentence = true};
}

// The same error at another place, which only a caller further out knows.
inline Error moved_to(const Error& error, Where where) {
  return {error.kind(), std::move(where), error.hint(), error.sentence()};
}
// The same error, reported for a part of a whole: "Rank 2".
inline Error of_part(const Error& error, std::string part) {
  Where where = error.where();
  where.part = where.part.empty() ? std::move(part) : std::move(part) + ": " + where.part;
  return moved_to(error, std::move(where));
}

// Runs `work`, which reads or checks an option. An Error that names no option gets the name of this
// one.
template <class Work>
auto with_option(std::string_view option, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (!error.option().empty()) throw;
    Where where = error.where();
    where.option = option;
    throw moved_to(error, std::move(where));
  }
}

}  // namespace knotwork
