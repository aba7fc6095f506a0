// SPDX-License-Identifier: MIT
// What the shells offer for the options and arguments of the commands, read from the parser.
#pragma once

#include <string>
#include <vector>

#include "cli/options/parser.hpp"

namespace knotwork::cli {

struct OfferedValue {
  std::string type = {};                // the name of the value in help, "FILE"
  std::vector<std::string> words = {};  // known values
  bool is_file = false;                 // files are possible too
  bool is_column = false;               // a column of the table on the command line
};

struct OfferedOption {
  std::string name;  // with dashes
  std::string help;  // one line
  bool is_flag = false;
  bool is_repeatable = false;
  OfferedValue value = {};
};

struct OfferedCommand {
  std::string name;
  std::string help;
  std::vector<OfferedOption> options;
  std::vector<OfferedValue> arguments;
};

std::vector<OfferedCommand> offered_commands(const App& program);

// The scripts.
std::string bash_script(const std::vector<OfferedCommand>& commands);
std::string zsh_script(const std::vector<OfferedCommand>& commands);
std::string fish_script(const std::vector<OfferedCommand>& commands);

// The names of the columns of the first word that is a table; nothing if there is none.
std::vector<std::string> columns_of_first_table(const std::vector<std::string>& words);

}  // namespace knotwork::cli
