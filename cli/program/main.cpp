// SPDX-License-Identifier: MIT
#include <csignal>
#include <exception>

#include "cli/output/error_text.hpp"
#include "cli/output/output.hpp"
#include "cli/output/program_monitor.hpp"
#include "cli/program/exit_code.hpp"
#include "cli/program/interrupt.hpp"
#include "cli/program/program.hpp"
#include "cli/program/rank_session.hpp"
#include "files/watched_calls.hpp"

#include <knotwork/error.hpp>

int main(int argc, char** argv) {
  using namespace knotwork;
  const auto complain = [](const std::string& sentence) {
    cli::program_monitor()->hide_progress();
    if (cli::program_monitor()->has_lost_its_reader()) return;
    cli::print_remarks({sentence});
  };
  // Otherwise a pipe that nobody reads any more would end the program before its model is saved.
  std::signal(SIGPIPE, SIG_IGN);
  // Otherwise a file at its size limit would end the program; it is treated like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const cli::RankSession session(cli::start_ranks());
    const cli::InterruptGuard guard;
    // A signal ends all waiting for pipes and terminals.
    const files::WatchedFiles watched(cli::program_monitor().get(), files::Hearing::waiting);
    return cli::run_together(
        cli::ranks(), [&] { return cli::run_program(argc, argv); }, complain);
  } catch (const std::exception& error) {
    complain(cli::error_text(as_error(error)));
    return cli::exit_code(as_error(error).kind());
  }
}
