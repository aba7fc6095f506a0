// SPDX-License-Identifier: MIT
#include "cli/program/explain.hpp"

#include <fmt/format.h>

#include <vector>

#include <knotwork/names.hpp>

namespace knotwork::cli {

std::string explain_unknown_option(const std::string& word, const App& app,
                                   const std::string& list) {
  std::vector<std::string> names;
  for (const Option& option : app.get_options()) {
    for (const std::string& name : option.get_long_names()) names.push_back("--" + name);
  }
  const std::string option = word.substr(0, word.find('='));
  if (closest_name(option, names).empty()) {
    return fmt::format("There is no option called '{}'; {} lists the options.", option, list);
  }
  return unknown_name_message("option", option, names);
}

std::string explain_mismatch(const ParseResult& result, const App& app) {
  if (result.end != ParseEnd::mismatch) return "";
  for (const Option& option : app.get_options()) {
    const std::string name = option.get_name();
    if (result.text.find(name + ":") == std::string::npos) continue;
    return option.count() > 1
               ? fmt::format("{} is given {} times; give it once.", name, option.count())
               : fmt::format("{} needs a value ({}).", name, option.get_type_name());
  }
  return "";
}

}  // namespace knotwork::cli
