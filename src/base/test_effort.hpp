// SPDX-License-Identifier: MIT
// cases_to_run() says how much of a long test runs. Long tests have the label `long`. With
// KNOTWORK_LONG_TESTS set, as `scripts/test --long` does, they run in full; otherwise a share of
// the cases runs, enough to detect a failure. Under a sanitizer each case takes ten times as long,
// so a tenth of them runs.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace knotwork {

inline bool runs_long_tests() {
  return std::getenv("KNOTWORK_LONG_TESTS") != nullptr;
}

// `all` cases, or a share of them.
inline std::size_t cases_to_run(std::size_t all) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return all / 10;
#else
  return runs_long_tests() ? all : all / 3;
#endif
}

}  // namespace knotwork
