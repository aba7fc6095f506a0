// SPDX-License-Identifier: MIT
// The one exception type of the library, of whatever was thrown.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <new>

#include <knotwork/error.hpp>

namespace knotwork {

inline Error as_error(const std::exception& error) {
  if (const auto* known = dynamic_cast<const Error*>(&error)) return *known;
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return {ErrorKind::failed_run, "There is not enough memory for this."};
  }
  return {ErrorKind::failed_run,
          fmt::format("Something unexpected went wrong: {}.", error.what())};
}

}  // namespace knotwork
