// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <string_view>

#include "cli/program/completion/shell_words.hpp"

namespace knotwork::cli {
namespace {

constexpr const char* kZshBegin =
    R"zsh(#compdef knotwork
# Completion of knotwork in zsh; made by: knotwork completion zsh
_knotwork_columns() {
  local -a arguments names
  arguments=(${(Q)${words[2,CURRENT-1]:#-*}})
  names=("${(@f)$(_call_program columns ${(q)knotwork_program} completion columns ${(q)arguments} 2>/dev/null)}")
  compadd -a -- names
}
_knotwork() {
  local state line
  local knotwork_program=$words[1]
)zsh";

// So that `source <(knotwork completion zsh)` works as well as a file in $fpath.
constexpr const char* kZshEnd = R"zsh(}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _knotwork "$@"
else
  compdef _knotwork knotwork
fi
)zsh";

// In single quotes.
std::string quoted_for_zsh(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// The part of a specification after the option's name: ":FILE:_files".
std::string action(const OfferedValue& value) {
  std::string words;
  for (const std::string& word : value.words) {
    words += (words.empty() ? "" : " ") + escaped(word, ":\\() ");
  }
  std::string how = " ";  // nothing is offered
  if (value.is_column) {
    how = "_knotwork_columns";
  } else if (value.is_file && !words.empty()) {
    how = "{_alternative " + quoted_for_zsh("words:word:(" + words + ")") + " " +
          quoted_for_zsh("files:file:_files") + "}";
  } else if (value.is_file) {
    how = "_files";
  } else if (!words.empty()) {
    how = "(" + words + ")";
  }
  return fmt::format(":{}:{}", value.type.empty() ? "value" : value.type, how);
}

std::string option_specification(const OfferedOption& option) {
  const std::string help = escaped(option.help, "[]\\:");
  if (option.is_flag) return fmt::format("{}[{}]", option.name, help);
  return fmt::format("{}{}=[{}]{}", option.is_repeatable ? "*" : "", option.name, help,
                     action(option.value));
}

std::string zsh_branch(const OfferedCommand& command) {
  std::string text = fmt::format("      {})\n        _arguments", command.name);
  for (const OfferedOption& option : command.options) {
    text += " \\\n          " + quoted_for_zsh(option_specification(option));
  }
  for (const OfferedValue& argument : command.arguments) {
    text += " \\\n          " + quoted_for_zsh(action(argument));
  }
  return text + "\n        ;;\n";
}

}  // namespace

std::string zsh_script(const std::vector<OfferedCommand>& commands) {
  std::string names, branches;
  for (const OfferedCommand& command : commands) {
    names += "      " + quoted_for_zsh(command.name + ":" + command.help) + "\n";
    branches += zsh_branch(command);
  }
  return fmt::format(
      "{}  _arguments -C '--help[show help]' '--version[show the version]' '1: :->command' "
      "'*:: :->arguments'\n"
      "  if [[ $state == command ]]; then\n"
      "    local -a commands=(\n{}    )\n"
      "    _describe command commands\n"
      "  elif [[ $state == arguments ]]; then\n"
      "    case $words[1] in\n{}    esac\n  fi\n{}",
      kZshBegin, names, branches, kZshEnd);
}

}  // namespace knotwork::cli
