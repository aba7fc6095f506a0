// SPDX-License-Identifier: MIT
#pragma once

#include <time.h>

namespace knotwork {

/// Seconds of a processor that the calling thread has used so far. Unlike the time on a clock they
/// do not grow while other programs keep the cores busy.
inline double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace knotwork
