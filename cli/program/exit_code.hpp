// SPDX-License-Identifier: MIT
// What the program tells its caller. A signal that was heeded is 128 plus its number.
#pragma once

#include <knotwork/error.hpp>

namespace knotwork::cli {

enum ExitCode { kDone = 0, kFailed = 1, kWrongRequest = 2 };

inline int exit_code(ErrorKind kind) {
  return kind == ErrorKind::failed_run ? kFailed : kWrongRequest;
}

}  // namespace knotwork::cli
