// SPDX-License-Identifier: MIT
#include "cli/program/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace knotwork::cli {
namespace {

// The last one comes when the terminal goes away.
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

// Threads ask while the handler writes.
std::atomic<int> caught = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a handler must not wait");

void remember(int signal) {
  caught = signal;
  for (const int other : kSignals) std::signal(other, SIG_DFL);
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
  for (const int signal : kSignals) watch(signal);
}

InterruptGuard::~InterruptGuard() {
  for (const int signal : kSignals) unwatch(signal);
}

int InterruptGuard::signal() {
  return caught;
}

}  // namespace knotwork::cli
