// SPDX-License-Identifier: MIT
#include "base/fail.hpp"

#include <utility>

namespace knotwork {

void fail_with(ErrorKind kind, fmt::string_view text, fmt::format_args args) {
  throw Error(kind, fmt::vformat(text, args));
}

void fail_with(ErrorKind kind, Where where, Hint hint, fmt::string_view text,
               fmt::format_args args) {
  throw Error(kind, std::move(where), std::move(hint), fmt::vformat(text, args));
}

}  // namespace knotwork
