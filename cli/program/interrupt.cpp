// SPDX-License-Identifier: MIT
#include "cli/program/interrupt.hpp"

#include <signal.h>

#include <atomic>
#include <csignal>

namespace knotwork::cli {
namespace {

// SIGHUP arrives when the terminal is closed.
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

// Threads read this while the handler writes it.
std::atomic<int> caught = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a handler must not wait");

void remember(int signal) {
  caught = signal;
  for (const int other : kSignals) std::signal(other, SIG_DFL);
}

// The program may have been started to ignore a signal (nohup, a background job of a script); such
// a signal stays ignored.
void watch(int signal) {
  struct sigaction before, wanted = {};
  if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) return;
  wanted.sa_handler = remember;  // no SA_RESTART, so that waiting calls end
  ::sigemptyset(&wanted.sa_mask);
  ::sigaction(signal, &wanted, nullptr);
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
