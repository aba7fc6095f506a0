// SPDX-License-Identifier: MIT
#include "base/fail.hpp"

namespace knotwork {

void fail_with(ErrorKind kind, fmt::string_view text, fmt::format_args args) {
  throw Error(kind, fmt::vformat(text, args));
}

}  // namespace knotwork
