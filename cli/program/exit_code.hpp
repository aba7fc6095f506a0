// SPDX-License-Identifier: MIT
// The exit codes of the program. After a signal the exit code is 128 plus the signal's number.
#pragma once

#include <knotwork/error.hpp>

namespace knotwork::cli {

enum ExitCode { kDone = 0, kFailed = 1, kWrongRequest = 2 };

inline int exit_code(ErrorKind kind) {
  // A stop without a known signal counts as a failure.
  return kind == ErrorKind::failed_run || kind == ErrorKind::stopped ? kFailed : kWrongRequest;
}

}  // namespace knotwork::cli
