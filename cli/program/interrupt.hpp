// SPDX-License-Identifier: MIT
// Handling of Ctrl-C, SIGTERM and SIGHUP: the first signal asks for a clean end, a second one ends
// the program at once. A signal interrupts system calls that wait (EINTR).
#pragma once

namespace knotwork::cli {

class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // The signal that arrived, or 0. The exit code is 128 plus this number.
  static int signal();
};

}  // namespace knotwork::cli
