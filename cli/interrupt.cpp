// SPDX-License-Identifier: MIT
#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace knotwork::cli {
namespace {

// Threads ask while the handler writes.
std::atomic<int> caught = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a handler must not wait");

void remember(int signal) {
  caught = signal;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

// Whoever started the program may have asked that it ignore a signal (nohup, a job in the
// background of a script); that stays so.
void watch(int signal) {
  if (std::signal(signal, remember) == SIG_IGN) std::signal(signal, SIG_IGN);
}

void unwatch(int signal) {
  if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  caught = 0;
  watch(SIGINT);
  watch(SIGTERM);
}

InterruptGuard::~InterruptGuard() {
  unwatch(SIGINT);
  unwatch(SIGTERM);
}

int InterruptGuard::signal() {
  return caught;
}

}  // namespace knotwork::cli
