// SPDX-License-Identifier: MIT
// Requests in files: every option of a command by its long name, in TOML.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/parser.hpp"

namespace knotwork::cli {

// Gives the options of the file to the command as if they stood on the command line, unless they
// stand there. Names may stand in a table called like the command; tables of other commands of the
// program are passed over. Arrays repeat an option that may be repeated and are otherwise joined by
// commas. Call it after parsing. Returns where each option that was taken stands.
using ConfigPlaces = std::map<std::string, std::string>;  // option -> "run.toml, line 3"
ConfigPlaces apply_config(const App& command, const std::string& path);

// Runs what reads the options, and puts the place before a complaint about one from a
// configuration.
void with_places(const ConfigPlaces& places, const std::function<void()>& read);

// Throws bad_option when the option names a file and its value is empty.
void refuse_empty_names(const Option& option);

// A file that apply_config() reads back: an option may have several values.
using ConfigEntries = std::vector<std::pair<std::string, std::vector<std::string>>>;
void write_config(const std::string& path, const std::string& comment,
                  const ConfigEntries& entries);

// Option -> values, of the options that were given to the command and that a configuration can
// hold. Options that only say what to print are left out.
ConfigEntries given_entries(const App& command);

}  // namespace knotwork::cli
