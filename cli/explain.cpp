// SPDX-License-Identifier: MIT
#include "cli/explain.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include <knotwork/named_table.hpp>

namespace knotwork::cli {

std::string explain_unknown_option(const std::string& word, const CLI::App& app,
                                   const std::string& list) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::string option = word.substr(0, word.find('='));
  if (closest_name(option, names).empty()) {
    return fmt::format("There is no option called '{}'; {} lists them.", option, list);
  }
  return unknown_name_message("option", option, names);
}

std::string explain_mismatch(const CLI::ParseError& error, const CLI::App& app) {
  if (!dynamic_cast<const CLI::ArgumentMismatch*>(&error)) return "";
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (std::string_view(error.what()).find(name + ":") == std::string_view::npos) continue;
    return option->count() > 1
               ? fmt::format("{} is given {} times; once is enough.", name, option->count())
               : fmt::format("{} needs a value ({}).", name, option->get_type_name());
  }
  return "";
}

}  // namespace knotwork::cli
