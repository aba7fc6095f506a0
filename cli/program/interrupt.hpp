// SPDX-License-Identifier: MIT
// Ctrl-C, SIGTERM and SIGHUP: the first asks for a clean end, a second one ends at once.
#pragma once

namespace knotwork::cli {

class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // The signal that came, or 0. The exit code is 128 plus it.
  static int signal();
};

}  // namespace knotwork::cli
