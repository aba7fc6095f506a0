// SPDX-License-Identifier: MIT
// Throwing an Error with a formatted sentence.
#pragma once

#include <fmt/core.h>

#include <knotwork/api.hpp>
#include <knotwork/error.hpp>

namespace knotwork {

// What fail() calls. The sentence is put together here, once for the library and not for each list
// of argument types.
[[noreturn]] KNOTWORK_API void fail_with(ErrorKind kind, fmt::string_view text,
                                         fmt::format_args args);

template <class... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> text, Args&&... args) {
  fail_with(kind, text, fmt::make_format_args(args...));
}

}  // namespace knotwork
