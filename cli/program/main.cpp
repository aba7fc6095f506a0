// SPDX-License-Identifier: MIT
#include <csignal>
#include <exception>

#include "cli/output/output.hpp"
#include "cli/program/exit_code.hpp"
#include "cli/program/program.hpp"
#include "cli/program/rank_session.hpp"

#include <knotwork/error.hpp>

int main(int argc, char** argv) {
  using namespace knotwork;
  const auto complain = [](const std::string& sentence) { cli::print_remarks({sentence}); };
  // A pipe that nobody reads any more must not end the program before its model is saved.
  std::signal(SIGPIPE, SIG_IGN);
  // Nor must a file that may not grow any more: it is a full disk like any other.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const cli::RankSession session(cli::start_ranks());
    return cli::run_together(
        cli::ranks(), [&] { return cli::run_program(argc, argv); }, complain);
  } catch (const std::exception& error) {
    complain(as_error(error).what());
    return cli::exit_code(as_error(error).kind());
  }
}
