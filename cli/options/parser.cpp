// SPDX-License-Identifier: MIT
#include "cli/options/parser.hpp"

#include <CLI/CLI.hpp>
#include <sstream>

namespace knotwork::cli {

Option Option::required() {
  return Option(*option_->required());
}

Option Option::type_name(const std::string& name) {
  return Option(*option_->type_name(name));
}

Option Option::group(const std::string& heading) {
  return Option(*option_->group(heading));
}

Option Option::allow_extra_args(bool allow) {
  return Option(*option_->allow_extra_args(allow));
}

Option Option::delimiter(char between) {
  return Option(*option_->delimiter(between));
}

std::string Option::get_description() const {
  return option_->get_description();
}

std::string Option::get_name() const {
  return option_->get_name();
}

const std::string& Option::get_single_name() const {
  return option_->get_single_name();
}

const std::vector<std::string>& Option::get_long_names() const {
  return option_->get_lnames();
}

std::string Option::get_type_name() const {
  return option_->get_type_name();
}

const std::string& Option::get_group() const {
  return option_->get_group();
}

bool Option::is_positional() const {
  return option_->get_positional();
}

bool Option::is_required() const {
  return option_->get_required();
}

bool Option::is_flag() const {
  return option_->get_items_expected_max() == 0;
}

bool Option::is_repeatable() const {
  return option_->get_expected_max() > 1;
}

std::size_t Option::count() const {
  return option_->count();
}

const std::vector<std::string>& Option::results() const {
  return option_->results();
}

void Option::add_results(const std::vector<std::string>& values) {
  option_->add_result(values);
  option_->run_callback();
}

App App::add_subcommand(const std::string& name, const std::string& help) {
  return App(*app_->add_subcommand(name, help));
}

Option App::add_option(const std::string& name, std::string& value, const std::string& help) {
  return Option(*app_->add_option(name, value, help));
}

Option App::add_option(const std::string& name, std::optional<std::string>& value,
                       const std::string& help) {
  return Option(*app_->add_option(name, value, help));
}

Option App::add_option(const std::string& name, std::vector<std::string>& values,
                       const std::string& help) {
  return Option(*app_->add_option(name, values, help));
}

Option App::add_option_function(const std::string& name,
                                const std::function<void(const std::string&)>& read,
                                const std::string& help) {
  return Option(*app_->add_option_function<std::string>(name, read, help));
}

Option App::add_flag(const std::string& name, bool& value, const std::string& help) {
  return Option(*app_->add_flag(name, value, help));
}

Option App::add_flag_function(const std::string& name,
                              const std::function<void(std::int64_t)>& read,
                              const std::string& help) {
  return Option(*app_->add_flag_function(name, read, help));
}

void App::footer(const std::string& text) {
  app_->footer(text);
}

std::string App::get_description() const {
  return app_->get_description();
}

const std::string& App::get_name() const {
  return app_->get_name();
}

std::optional<App> App::get_parent() const {
  CLI::App* const parent = app_->get_parent();
  return parent ? std::optional(App(*parent)) : std::nullopt;
}

std::vector<App> App::get_subcommands() const {
  std::vector<App> commands;
  for (CLI::App* command : app_->get_subcommands({})) commands.emplace_back(*command);
  return commands;
}

std::vector<Option> App::get_options() const {
  std::vector<Option> options;
  for (CLI::Option* option : app_->get_options()) options.emplace_back(*option);
  return options;
}

Option App::get_option(const std::string& name) const {
  return Option(*app_->get_option(name));
}

std::string App::help() const {
  std::string path = app_->get_name();
  for (const CLI::App* above = app_->get_parent(); above; above = above->get_parent()) {
    path = above->get_name() + " " + path;
  }
  // CLI11's own help() would describe the command that was given instead.
  return app_->get_formatter()->make_help(app_, path, CLI::AppFormatMode::Normal);
}

bool App::parsed() const {
  return app_->parsed();
}

std::size_t App::count(const std::string& option) const {
  return app_->count(option);
}

std::vector<Option> App::parse_order() const {
  std::vector<Option> options;
  for (CLI::Option* option : app_->parse_order()) options.emplace_back(*option);
  return options;
}

Parser::Parser(const std::string& name, const std::string& description)
    : app_(std::make_unique<CLI::App>(description, name)) {}

Parser::~Parser() = default;

void Parser::add_version(const std::string& text) {
  app_->set_version_flag("--version", text);
}

void Parser::require_command() {
  app_->require_subcommand(1);
}

void Parser::remove_help() {
  app_->set_help_flag();
}

void Parser::remove_option(const std::string& name) {
  app_->remove_option(app_->get_option(name));
}

void Parser::allow_extras() {
  app_->allow_extras();
}

namespace {

// Runs `parse` and converts its exceptions to a ParseResult.
template <class Parse>
ParseResult ended(const CLI::App& app, const Parse& parse) {
  try {
    parse();
    return {};
  } catch (const CLI::RequiredError& error) {
    return {ParseEnd::missing, error.what()};
  } catch (const CLI::ArgumentMismatch& error) {
    return {ParseEnd::mismatch, error.what()};
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success)) {
      return {ParseEnd::wrong, error.what()};
    }
    std::ostringstream text;
    app.exit(error, text);
    return {ParseEnd::answered, text.str()};
  }
}

}  // namespace

ParseResult Parser::parse(int argc, const char* const* argv) {
  return ended(*app_, [&] { app_->parse(argc, argv); });
}

ParseResult Parser::parse(const std::string& words) {
  return ended(*app_, [&] { app_->parse(words, false); });
}

std::vector<std::string> Parser::remaining() const {
  return app_->remaining(true);
}

}  // namespace knotwork::cli
