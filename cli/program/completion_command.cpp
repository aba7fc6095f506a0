// SPDX-License-Identifier: MIT
// Completion for bash, generated from the parser so that it contains every option.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "cli/options/known_values.hpp"
#include "cli/output/output.hpp"
#include "cli/program/commands.hpp"
#include "cli/tables/output_place.hpp"
#include "experiments/scenarios.hpp"
#include "files/file_io.hpp"

#include <knotwork/builtin_data.hpp>

namespace knotwork::cli {
namespace {

using Words = std::vector<std::string>;

struct CompletionRequest {
  std::string shell, out;
};

// Bash splits words at colons. The script therefore reads the word from the line, and removes the
// part up to the last colon from its answers.
constexpr const char* kScriptBegin =
    R"bash(# Completion of knotwork in bash; made by: knotwork completion bash
_knotwork() {
  local line=${COMP_LINE:0:COMP_POINT} words current previous command options= values= files=
  current=${line##*[[:space:]]}
  read -ra words <<<"${line%"$current"}"
  previous=${words[-1]}
  command=${words[1]-}
  if [[ $current == --*=* ]]; then
    previous=${current%%=*}
    current=${current#*=}
  fi
)bash";

constexpr const char* kScriptEnd = R"bash(  [[ $current == -* ]] && values=$options files=
  mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
  if [[ -n $files ]]; then
    local names
    mapfile -t names < <(compgen -f -- "$current")
    COMPREPLY+=("${names[@]}")
    compopt -o filenames 2>/dev/null
  fi
  if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
  fi
}
complete -F _knotwork knotwork
)bash";

Words builtin_words() {
  Words words;
  for (const std::string& name : builtin_sets().names()) words.push_back("builtin:" + name);
  return words;
}

// Whether the option takes a file, judged by the name of its value in help.
bool is_file(const Option& option) {
  const std::string kind = option.get_type_name();
  return kind == "FILE" || kind == "DIR" || kind == "DATA" || kind == "MODEL" || kind == "OUT";
}
Words values_of(const Option& option, const Words& commands) {
  const std::string kind = option.get_type_name();
  if (kind == "DATA") return builtin_words();
  if (kind == "COMMAND") return commands;
  if (kind == "SHELL") return kShells;
  if (kind == "SCENARIO") return experiments::scenarios().names();
  if (option.is_positional()) return kind == "NAME" ? builtin_sets().names() : Words{};
  return known_values(option.get_single_name());
}

// The branch of a command in the script: its options, the possible arguments, and the options that
// need a value.
std::string branch(const App& command, const Words& commands) {
  Words options, values;
  bool files = false;
  std::string after;
  for (const Option& option : command.get_options()) {
    if (option.is_positional()) {
      for (const std::string& value : values_of(option, commands)) values.push_back(value);
      files |= is_file(option);
      continue;
    }
    const std::string name = "--" + option.get_single_name();
    options.push_back(name);
    if (option.is_flag()) continue;
    after += fmt::format("        {}) values='{}' files={} options= ;;\n", name,
                         fmt::join(values_of(option, commands), " "), is_file(option) ? "1" : "");
  }
  return fmt::format(
      "    {})\n      options='{}' values='{}' files={}\n      case $previous in\n{}      esac\n"
      "      ;;\n",
      command.get_name(), fmt::join(options, " "), fmt::join(values, " "), files ? "1" : "", after);
}

std::string bash_script(const App& program) {
  Words commands, branches;
  for (const App& app : program.get_subcommands()) commands.push_back(app.get_name());
  for (const App& app : program.get_subcommands()) {
    branches.push_back(branch(app, commands));
  }
  return fmt::format(
      "{}  case $command in\n    '') options='--help --version' values='{}' ;;\n{}  esac\n{}",
      kScriptBegin, fmt::join(commands, " "), fmt::join(branches, ""), kScriptEnd);
}

int run(const App& program, const CompletionRequest& request) {
  check_value("shell", request.shell, kShells);
  const std::string script = bash_script(program);
  if (is_standard_output(request.out)) {
    print_data(script);
  } else {
    files::check_writable(request.out);
    check_place_of_text("--out", request.out);
    write_text(request.out, script);
  }
  return kDone;
}

}  // namespace

Command add_completion(App program) {
  App app = program.add_subcommand("completion", "Print a script for command-line completion");
  auto request = std::make_shared<CompletionRequest>();
  app.add_option("shell", request->shell, "shell: bash").required().type_name("SHELL");
  app.add_option("--out", request->out, "file for the script (default: print it)")
      .type_name("FILE");
  app.footer(
      "Examples:\n"
      "  knotwork completion bash --out ~/.local/share/bash-completion/completions/knotwork\n"
      "  source <(knotwork completion bash)");
  return {app, [program, request] { return run(program, *request); }};
}

}  // namespace knotwork::cli
