// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/program/completion/shell_words.hpp"

namespace knotwork::cli {
namespace {

// Bash splits words at colons. The script therefore reads the word from the line, and removes the
// part up to the last colon from its answers.
constexpr const char* kBashBegin =
    R"bash(# Completion of knotwork in bash; made by: knotwork completion bash
_knotwork() {
  local line=${COMP_LINE:0:COMP_POINT} words current previous command options= values= files= columns=
  current=${line##*[[:space:]]}
  read -ra words <<<"${line%"$current"}"
  previous=${words[-1]}
  command=${words[1]-}
  if [[ $current == --*=* ]]; then
    previous=${current%%=*}
    current=${current#*=}
  fi
)bash";

constexpr const char* kBashEnd = R"bash(  [[ $current == -* ]] && values=$options files= columns=
  mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
  if [[ -n $files ]]; then
    local names
    mapfile -t names < <(compgen -f -- "$current")
    COMPREPLY+=("${names[@]}")
    compopt -o filenames 2>/dev/null
  fi
  if [[ -n $columns ]]; then
    local name arguments=()
    for name in "${words[@]:2}"; do
      [[ $name == -* ]] || arguments+=("$name")
    done
    while IFS= read -r name; do
      [[ $name == "$current"* ]] && COMPREPLY+=("$(printf %q "$name")")
    done < <("${words[0]}" completion columns "${arguments[@]}" 2>/dev/null)
  fi
  if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
  fi
}
complete -F _knotwork knotwork
)bash";

// The branch of a command in the script: its options, the possible arguments, and the options that
// need a value.
std::string bash_branch(const OfferedCommand& command) {
  std::vector<std::string> options, values;
  bool files = false;
  for (const OfferedValue& argument : command.arguments) {
    values.insert(values.end(), argument.words.begin(), argument.words.end());
    files |= argument.is_file;
  }
  std::string after;
  for (const OfferedOption& option : command.options) {
    options.push_back(option.name);
    if (option.is_flag) continue;
    after += fmt::format("        {}) values='{}' files={} columns={} options= ;;\n", option.name,
                         fmt::join(option.value.words, " "), option.value.is_file ? "1" : "",
                         option.value.is_column ? "1" : "");
  }
  return fmt::format(
      "    {})\n      options='{}' values='{}' files={}\n      case $previous in\n{}      esac\n"
      "      ;;\n",
      command.name, fmt::join(options, " "), fmt::join(values, " "), files ? "1" : "", after);
}

}  // namespace

std::string bash_script(const std::vector<OfferedCommand>& commands) {
  std::vector<std::string> names, branches;
  for (const OfferedCommand& command : commands) {
    names.push_back(command.name);
    branches.push_back(bash_branch(command));
  }
  return fmt::format(
      "{}  case $command in\n    '') options='--help --version' values='{}' ;;\n{}  esac\n{}",
      kBashBegin, fmt::join(names, " "), fmt::join(branches, ""), kBashEnd);
}

}  // namespace knotwork::cli
