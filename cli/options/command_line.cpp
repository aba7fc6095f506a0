// SPDX-License-Identifier: MIT
#include "cli/options/command_line.hpp"

#include <map>

namespace knotwork::cli {
namespace {

// A word, quoted for a shell's command line.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=+,@%^";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string command_line(const App& command) {
  std::string text = "knotwork " + command.get_name();
  std::map<Option, std::size_t> seen;
  for (const Option& option : command.parse_order()) {
    const std::size_t occurrence = seen[option]++;
    if (!option.is_positional()) text += " --" + option.get_single_name();
    const bool is_switch = option.is_flag();
    const std::string& value = option.results().at(occurrence);
    if (is_switch && value == "true") continue;
    text += (is_switch ? "=" : " ") + quoted(value);
  }
  return text;
}

}  // namespace knotwork::cli
