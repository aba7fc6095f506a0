// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/options/known_values.hpp"
#include "cli/output/output.hpp"
#include "cli/program/commands.hpp"

namespace knotwork::cli {
namespace {

int run(const App& program, const std::string& command) {
  App explained = program;
  std::vector<std::string> names;
  for (const App& app : program.get_subcommands()) {
    names.push_back(app.get_name());
    if (app.get_name() == command) explained = app;
  }
  if (!command.empty()) check_value("command", command, names);
  print_lines(lines_of_own_text(explained.help()));
  return kDone;
}

}  // namespace

Command add_help(App program) {
  App app = program.add_subcommand("help", "Explain the program or one of its commands");
  auto command = std::make_shared<std::string>();
  app.add_option("command", *command, "command to explain (default: the program)")
      .type_name("COMMAND");
  app.footer("Examples:\n  knotwork help train");
  return {app, [program, command] { return run(program, *command); }};
}

}  // namespace knotwork::cli
