// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "cli/program/completion/shell_words.hpp"

namespace knotwork::cli {
namespace {

constexpr const char* kFishBegin =
    R"fish(# Completion of knotwork in fish; made by: knotwork completion fish
function __knotwork_columns
    set -l words (commandline -opc)
    set -l arguments (string match --invert -- '-*' $words[3..-1])
    $words[1] completion columns $arguments 2>/dev/null
end
complete -c knotwork -f
complete -c knotwork -n __fish_use_subcommand -l help -d 'show help'
complete -c knotwork -n __fish_use_subcommand -l version -d 'show the version'
)fish";

// In single quotes.
std::string quoted_for_fish(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// What may be written in the place of a value.
std::string offer(const OfferedValue& value) {
  std::string text;
  if (value.is_file) text += " -F";
  if (value.is_column) return text + " -a '(__knotwork_columns)'";
  if (!value.words.empty()) {
    text += " -a " + quoted_for_fish(fmt::format("{}", fmt::join(value.words, " ")));
  }
  return text;
}

std::string lines_of_command(const OfferedCommand& command) {
  std::string text = fmt::format("complete -c knotwork -n __fish_use_subcommand -a {} -d {}\n",
                                 command.name, quoted_for_fish(command.help));
  const std::string begin =
      fmt::format("complete -c knotwork -n '__fish_seen_subcommand_from {}'", command.name);
  for (const OfferedValue& argument : command.arguments) {
    const std::string words = offer(argument);
    if (!words.empty()) text += begin + words + "\n";
  }
  for (const OfferedOption& option : command.options) {
    text +=
        fmt::format("{} -l {} -d {}", begin, option.name.substr(2), quoted_for_fish(option.help));
    if (!option.is_flag) text += (option.value.is_file ? " -r" : " -x") + offer(option.value);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string fish_script(const std::vector<OfferedCommand>& commands) {
  std::string text = kFishBegin;
  for (const OfferedCommand& command : commands) text += lines_of_command(command);
  return text;
}

}  // namespace knotwork::cli
