// SPDX-License-Identifier: MIT
#include "cli/program.hpp"

#include <fmt/format.h>

#include <sstream>

#include "cli/commands.hpp"
#include "cli/config.hpp"
#include "cli/explain.hpp"
#include "cli/output.hpp"
#include "cli/rank_session.hpp"

#include <knotwork/named_table.hpp>
#include <knotwork/version.hpp>

namespace knotwork::cli {
namespace {

// What was wrong with the words of the request, in one sentence.
std::string explain(const CLI::ParseError& error, const CLI::App& program,
                    const std::vector<Command>& commands) {
  const CLI::App* app = &program;
  for (const Command& command : commands) {
    if (command.app->parsed()) app = command.app;
  }
  // A word that nothing takes comes first: it is often why something else seems to be missing.
  const std::vector<std::string> extras = program.remaining(true);
  const std::string of_command = app == &program ? "" : app->get_name() + " ";
  if (!extras.empty()) {
    const std::string& word = extras.front();
    if (word.starts_with("-")) {
      return explain_unknown_option(word, *app, fmt::format("knotwork {}--help", of_command));
    }
    if (app == &program) {
      std::vector<std::string> names;
      for (const Command& command : commands) names.push_back(command.app->get_name());
      return unknown_name_message("command", word, names);
    }
    return fmt::format("'{}' is one argument too many for {}; knotwork {} --help shows its use.",
                       word, app->get_name(), app->get_name());
  }
  if (app == &program && dynamic_cast<const CLI::RequiredError*>(&error)) {
    return "A command is needed; knotwork --help lists them.";
  }
  const std::string see = fmt::format("knotwork {} --help shows the use.", app->get_name());
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_required() && option->count() == 0) {
        return fmt::format("{} needs {}; {}", app->get_name(), option->get_type_name(), see);
      }
    }
  }
  if (const std::string mismatch = explain_mismatch(error, *app); !mismatch.empty()) {
    return mismatch;
  }
  std::string what = error.what();
  while (!what.empty() && (what.back() == '\n' || what.back() == '.')) what.pop_back();
  return fmt::format("{}; knotwork {}--help shows the use.", what, of_command);
}

// Other ranks wait at the end of the program for the one that does all the work.
int run(const Command& command) {
  return command.shares_work || ranks().is_first() ? command.run() : static_cast<int>(kDone);
}

}  // namespace

int run_program(int argc, char** argv) {
  CLI::App program(
      "Knotwork trains neural networks whose neurons learn their own activation "
      "functions.",
      "knotwork");
  program.set_version_flag("--version", "knotwork " KNOTWORK_VERSION_STRING);
  program.require_subcommand(1);
  program.failure_message([](const CLI::App*, const CLI::Error&) { return std::string(); });
  program.footer(
      "Examples:\n"
      "  knotwork train table.csv --target price --out price.safetensors\n"
      "  knotwork predict price.safetensors new.csv --out predictions.csv\n"
      "  knotwork evaluate price.safetensors test.csv --json\n"
      "  knotwork help train");
  const std::vector<Command> commands = {
      add_train(program),    add_tune(program),     add_compare(program),   add_predict(program),
      add_evaluate(program), add_inspect(program),  add_report(program),    add_export(program),
      add_convert(program),  add_datasets(program), add_reproduce(program), add_completion(program),
      add_help(program)};
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      std::ostringstream text;
      program.exit(error, text);  // --help and --version
      print_result(text.str());
      return kDone;
    }
    print_remarks({explain(error, program, commands)});
    return kWrongRequest;
  }
  for (const Command& command : commands) {
    if (!command.app->parsed()) continue;
    for (const CLI::Option* option : command.app->get_options()) refuse_empty_names(*option);
    return run(command);
  }
  return kWrongRequest;
}

}  // namespace knotwork::cli
