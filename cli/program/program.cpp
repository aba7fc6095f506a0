// SPDX-License-Identifier: MIT
#include "cli/program/program.hpp"

#include <fmt/format.h>

#include "base/fail.hpp"
#include "cli/options/config.hpp"
#include "cli/output/output.hpp"
#include "cli/output/program_monitor.hpp"
#include "cli/program/commands.hpp"
#include "cli/program/explain.hpp"
#include "cli/program/rank_session.hpp"

#include <knotwork/names.hpp>
#include <knotwork/version.hpp>

namespace knotwork::cli {
namespace {

// Explains in one sentence what was wrong with the command line.
std::string explain(const ParseResult& result, const Parser& parser,
                    const std::vector<Command>& commands) {
  const App program = parser.app();
  App app = program;
  for (const Command& command : commands) {
    if (command.app.parsed()) app = command.app;
  }
  // An unknown word is reported first, because it often makes something else seem to be missing.
  const std::vector<std::string> extras = parser.remaining();
  const std::string of_command = app == program ? "" : app.get_name() + " ";
  if (!extras.empty()) {
    const std::string& word = extras.front();
    if (word.starts_with("-")) {
      return explain_unknown_option(word, app, fmt::format("knotwork {}--help", of_command));
    }
    if (app == program) {
      std::vector<std::string> names;
      for (const Command& command : commands) names.push_back(command.app.get_name());
      return unknown_name_message("command", word, names);
    }
    return fmt::format("'{}' is one argument too many for {}; knotwork {} --help shows the use.",
                       word, app.get_name(), app.get_name());
  }
  if (app == program && result.end == ParseEnd::missing) {
    return "A command is needed; knotwork --help lists the commands.";
  }
  const std::string see = fmt::format("knotwork {} --help shows the use.", app.get_name());
  if (result.end == ParseEnd::missing) {
    for (const Option& option : app.get_options()) {
      if (option.is_required() && option.count() == 0) {
        return fmt::format("{} needs {}; {}", app.get_name(), option.get_type_name(), see);
      }
    }
  }
  if (const std::string mismatch = explain_mismatch(result, app); !mismatch.empty()) {
    return mismatch;
  }
  std::string what = result.text;
  while (!what.empty() && (what.back() == '\n' || what.back() == '.')) what.pop_back();
  return fmt::format("{}; knotwork {}--help shows the use.", what, of_command);
}

// The work of a command as the subject of a sentence.
std::string work_of(const Command& command) {
  constexpr std::pair<std::string_view, std::string_view> kWork[] = {
      {"train", "Training"},          {"tune", "The search"},
      {"compare", "The comparison"},  {"predict", "The prediction"},
      {"evaluate", "The evaluation"}, {"report", "The report"},
      {"export", "The export"},       {"convert", "The conversion"},
      {"inspect", "The inspection"},  {"datasets", "The data set"},
      {"reproduce", "The reproduction"}};
  for (const auto& [name, work] : kWork) {
    if (command.app.get_name() == name) return std::string(work);
  }
  return "The work";
}

// If only the first rank works, the other ranks wait for it at the end of the program.
int run(const Command& command) {
  if (!command.shares_work && !ranks().is_first()) return kDone;
  program_monitor()->begin(work_of(command));
  try {
    return command.run();
  } catch (const SharedError& error) {
    if (error.kind() != ErrorKind::stopped) throw;
    throw SharedError(ErrorKind::stopped, program_monitor()->describe_interruption());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::stopped) throw;
    fail(ErrorKind::stopped, "{}", program_monitor()->describe_interruption());
  }
}

}  // namespace

int run_program(int argc, char** argv) {
  Parser parser("knotwork",
                "Knotwork trains neural networks whose neurons learn their own activation "
                "functions.");
  parser.add_version("knotwork " KNOTWORK_VERSION_STRING);
  parser.require_command();
  App program = parser.app();
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
  const ParseResult result = parser.parse(argc, argv);
  if (result.end == ParseEnd::answered) {
    print_lines(lines_of_own_text(result.text));
    return kDone;
  }
  if (result.end != ParseEnd::done) {
    print_remarks({explain(result, parser, commands)});
    return kWrongRequest;
  }
  for (const Command& command : commands) {
    if (!command.app.parsed()) continue;
    for (const Option& option : command.app.get_options()) refuse_empty_names(option);
    return run(command);
  }
  return kWrongRequest;
}

}  // namespace knotwork::cli
