// SPDX-License-Identifier: MIT
// Reading a command line: commands, their options, and what was given. CLI11 does the work, and is
// included by parser.cpp alone, for it takes long to compile.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace knotwork::cli {

// Option and App only point at what a Parser owns: they are copied like pointers, and are valid as
// long as the Parser lives. Variables that options are given, and what their functions refer to,
// must live as long; the functions themselves are copied.

// --name, or an argument that has a place instead of a name.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option required();
  Option type_name(const std::string& name);  // what help calls its value
  Option group(const std::string& heading);   // of help
  // Whether it takes the words that follow, too, if it can have several values.
  Option allow_extra_args(bool allow);
  Option delimiter(char between);  // of several values in one word

  std::string get_name() const;                // "--name", or the name of an argument
  const std::string& get_single_name() const;  // without dashes
  const std::vector<std::string>& get_long_names() const;
  std::string get_type_name() const;
  const std::string& get_group() const;
  bool is_positional() const;  // an argument
  bool is_required() const;
  bool is_flag() const;  // has no value
  bool is_repeatable() const;

  std::size_t count() const;  // values that were given
  const std::vector<std::string>& results() const;
  // After parsing: as if the values stood on the command line.
  void add_results(const std::vector<std::string>& values);

  friend auto operator<=>(const Option&, const Option&) = default;  // whether they are the same

 private:
  CLI::Option* option_;
};

// A program or one of its commands.
class App {
 public:
  explicit App(CLI::App& app) : app_(&app) {}

  App add_subcommand(const std::string& name, const std::string& help);
  Option add_option(const std::string& name, std::string& value, const std::string& help);
  Option add_option(const std::string& name, std::optional<std::string>& value,
                    const std::string& help);
  Option add_option(const std::string& name, std::vector<std::string>& values,
                    const std::string& help);
  Option add_option_function(const std::string& name,
                             const std::function<void(const std::string&)>& read,
                             const std::string& help);
  Option add_flag(const std::string& name, bool& value, const std::string& help);
  // With how often it is given, or -1 for --name=false.
  Option add_flag_function(const std::string& name, const std::function<void(std::int64_t)>& read,
                           const std::string& help);
  void footer(const std::string& text);

  const std::string& get_name() const;
  std::optional<App> get_parent() const;
  std::vector<App> get_subcommands() const;
  std::vector<Option> get_options() const;
  Option get_option(const std::string& name) const;
  std::string help() const;  // of this one, whichever command was given

  bool parsed() const;  // whether it is the command that was given
  std::size_t count(const std::string& option) const;
  std::vector<Option> parse_order() const;  // an option once for each of its values

  friend bool operator==(const App&, const App&) = default;  // whether they are the same

 private:
  CLI::App* app_;
};

enum class ParseEnd {
  done,
  answered,  // --help or --version: the text is what to print
  missing,   // something required is
  mismatch,  // an option has too few values, or too many
  wrong      // something else is; the text says what
};
struct ParseResult {
  ParseEnd end = ParseEnd::done;
  std::string text = {};
};

// Owns the options of a command line and reads it.
class Parser {
 public:
  explicit Parser(const std::string& name = "", const std::string& description = "");
  ~Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  App app() const { return App(*app_); }
  void add_version(const std::string& text);  // --version
  void require_command();
  void remove_help();  // --help
  void remove_option(const std::string& name);
  void allow_extras();  // words that nothing takes are no mistake

  // Throws what the functions of options throw.
  ParseResult parse(int argc, const char* const* argv);
  ParseResult parse(const std::string& words);
  // Words that nothing took.
  std::vector<std::string> remaining() const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace knotwork::cli
