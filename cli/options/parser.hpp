// SPDX-License-Identifier: MIT
// A command-line parser: commands, their options, and the values given. CLI11 does the work; only
// parser.cpp includes it, because it takes long to compile.
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

// Option and App point to objects that a Parser owns: they are copied like pointers, and are valid
// as long as the Parser lives. Variables given to options, and variables that the options'
// functions refer to, must live as long as the Parser; the functions themselves are copied.

// --name, or a positional argument.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option required();
  Option type_name(const std::string& name);  // name of its value in help
  Option group(const std::string& heading);   // its group in help
  // Whether an option with several values also takes the words that follow.
  Option allow_extra_args(bool allow);
  Option delimiter(char between);  // between several values in one word

  std::string get_description() const;
  std::string get_name() const;                // "--name", or the name of an argument
  const std::string& get_single_name() const;  // of an option, without dashes
  const std::vector<std::string>& get_long_names() const;
  std::string get_type_name() const;
  const std::string& get_group() const;
  bool is_positional() const;  // an argument
  bool is_required() const;
  bool is_flag() const;  // has no value
  bool is_repeatable() const;

  std::size_t count() const;  // number of given values
  const std::vector<std::string>& results() const;
  // Adds values after parsing, as if they were on the command line.
  void add_results(const std::vector<std::string>& values);

  friend auto operator<=>(const Option&, const Option&) = default;  // identity

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
  // `read` gets the number of occurrences, or -1 for --name=false.
  Option add_flag_function(const std::string& name, const std::function<void(std::int64_t)>& read,
                           const std::string& help);
  void footer(const std::string& text);

  const std::string& get_name() const;
  std::string get_description() const;
  std::optional<App> get_parent() const;
  std::vector<App> get_subcommands() const;
  std::vector<Option> get_options() const;
  Option get_option(const std::string& name) const;
  std::string help() const;  // of this command, whichever was given

  bool parsed() const;  // whether this command was given
  std::size_t count(const std::string& option) const;
  std::vector<Option> parse_order() const;  // an option appears once for each of its values

  friend bool operator==(const App&, const App&) = default;  // identity

 private:
  CLI::App* app_;
};

enum class ParseEnd {
  done,
  answered,  // --help or --version; `text` is to be printed
  missing,   // something required is missing
  mismatch,  // an option has too few values, or too many
  wrong      // another error, which `text` describes
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
  void allow_extras();  // unknown words are no error

  // Also throws the exceptions of the options' functions.
  ParseResult parse(int argc, const char* const* argv);
  ParseResult parse(const std::string& words);
  // The words that no option or argument took.
  std::vector<std::string> remaining() const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace knotwork::cli
