// SPDX-License-Identifier: MIT
// Throwing an Error with a formatted sentence.
#pragma once

#include <fmt/format.h>

#include <utility>

#include <knotwork/error.hpp>

namespace knotwork {

template <class... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(kind, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace knotwork
