// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/output.hpp"

namespace knotwork::cli {
namespace {

int run(const CLI::App& program, const std::string& command) {
  std::vector<std::string> names;
  for (const CLI::App* app : program.get_subcommands({})) names.push_back(app->get_name());
  check_value("command", command, names);
  print_result(program.get_subcommand(command)->help(program.get_name()));
  return kDone;
}

}  // namespace

Command add_help(CLI::App& program) {
  CLI::App* app = program.add_subcommand("help", "Explain the program or one of its commands");
  auto command = std::make_shared<std::string>();
  app->add_option("command", *command, "what to explain (default: the program)")
      ->type_name("COMMAND");
  app->footer("Examples:\n  knotwork help train");
  return {app, [&program, command] {
            if (!command->empty()) return run(program, *command);
            // The parser would explain the command that was asked for, which is this one.
            print_result(program.get_formatter()->make_help(&program, program.get_name(),
                                                            CLI::AppFormatMode::Normal));
            return static_cast<int>(kDone);
          }};
}

}  // namespace knotwork::cli
