// SPDX-License-Identifier: MIT
// Configuration files in TOML: every option of a command by its long name.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/parser.hpp"

namespace knotwork::cli {

// Sets the options in the file as if they were on the command line; options that are on the command
// line override the file. Options may be at the top level or in a table with the command's name;
// tables of other commands are ignored. Arrays repeat an option that may be repeated, and are
// otherwise joined by commas. Call this after parsing. Returns the place of each option that was
// used.
struct ConfigPlace {
  std::string file;
  std::size_t line = 0;
};
using ConfigPlaces = std::map<std::string, ConfigPlace>;  // option -> its place
ConfigPlaces apply_config(const App& command, const std::string& path);

// Runs `read`, which reads the options. An Error about an option from a configuration gets its file
// and line.
void with_places(const ConfigPlaces& places, const std::function<void()>& read);

// Throws bad_option if the option names a file and its value is empty.
void refuse_empty_names(const Option& option);

// Entries of a file that apply_config() can read: an option may have several values.
using ConfigEntries = std::vector<std::pair<std::string, std::vector<std::string>>>;
void write_config(const std::string& path, const std::string& comment,
                  const ConfigEntries& entries);

// Option -> values, for the given options that a configuration can contain. Options that only
// control what is printed are left out.
ConfigEntries given_entries(const App& command);

}  // namespace knotwork::cli
