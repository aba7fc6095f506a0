// SPDX-License-Identifier: MIT
#include "cli/options/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/fail.hpp"
#include "cli/options/toml.hpp"
#include "cli/output/output.hpp"
#include "files/file_io.hpp"

#include <knotwork/names.hpp>

namespace knotwork::cli {
namespace {

// Options that a configuration cannot contain.
const std::set<std::string> kNotRead = {"help", "config", "save-config"};
// Options that a saved configuration does not repeat.
const std::set<std::string> kNotSaved = {"json", "quiet", "progress", "preset"};

std::map<std::string, Option> options_by_name(const App& command) {
  std::map<std::string, Option> options;
  for (const Option& option : command.get_options()) {
    const std::string& name = option.get_single_name();
    if (!kNotRead.contains(name)) options.insert_or_assign(name, option);
  }
  return options;
}

// Options such as hidden take a list as one text, "64,64".
bool takes_list(const Option& option) {
  const std::string kind = option.get_type_name();
  return kind.find(',') != std::string::npos || kind == "LIST";
}

void give(Option option, const TomlItem& item, const std::string& path) {
  const auto refuse = [&](const char* what) {
    fail(ErrorKind::bad_file, Where{.option = item.key, .file = path, .line = item.line},
         "'{}' must be {}.", item.key, what);
  };
  if (option.is_flag()) {
    const bool is_switch =
        !item.array && (item.values.front() == "true" || item.values.front() == "false");
    if (!is_switch) refuse("true or false");
  }
  if (item.array && !option.is_repeatable() && !takes_list(option)) refuse("one value, not a list");
  if (option.is_repeatable()) {
    if (item.values.empty()) return;
    option.add_results(item.values);
  } else {
    option.add_results({fmt::format("{}", fmt::join(item.values, ","))});
  }
  refuse_empty_names(option);
}

std::vector<TomlItem> read_items(const std::string& path) {
  const std::vector<std::uint8_t> bytes = files::read_file(path, kMaxConfigBytes + 1);
  return parse_toml({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

void check_table(const App& command, const TomlItem& item, const std::string& path) {
  std::vector<std::string> names;
  for (const App& other : command.get_parent()->get_subcommands()) {
    names.push_back(other.get_name());
  }
  if (item.table.empty() || std::find(names.begin(), names.end(), item.table) != names.end()) {
    return;
  }
  fail(ErrorKind::bad_file, Where{.file = path, .line = item.table_line}, "{}",
       unknown_name_message("command", item.table, names));
}

}  // namespace

void refuse_empty_names(const Option& option) {
  static const std::set<std::string> names = {"FILE", "DIR", "DATA", "MODEL"};
  const std::string kind = option.get_type_name();
  const auto& values = option.results();
  if (!names.contains(kind) || std::find(values.begin(), values.end(), "") == values.end()) return;
  fail(ErrorKind::bad_option, of_option(option.get_single_name()),
       "{} is empty; it must be the name of a file.",
       option.is_positional() ? kind : "--" + option.get_single_name());
}

ConfigPlaces apply_config(const App& command, const std::string& path) {
  const std::map<std::string, Option> options = options_by_name(command);
  std::vector<std::string> names;
  for (const auto& [name, option] : options) names.push_back(name);
  std::vector<TomlItem> items = read_items(path);
  ConfigPlaces places;
  // Options in the command's own table override options at the top level.
  std::stable_partition(items.begin(), items.end(),
                        [&](const TomlItem& item) { return item.table == command.get_name(); });
  std::set<std::string> given;
  for (const auto& [name, option] : options) {
    if (option.count() > 0) given.insert(name);
  }
  for (const TomlItem& item : items) {
    check_table(command, item, path);
    if (!item.table.empty() && item.table != command.get_name()) continue;
    const auto found = options.find(item.key);
    if (found == options.end()) {
      fail(ErrorKind::bad_file, Where{.option = item.key, .file = path, .line = item.line}, "{}",
           unknown_name_message("option of " + command.get_name(), item.key, names));
    }
    if (!given.insert(item.key).second) continue;
    places[item.key] = {path, item.line};
    with_places(places, [&] { give(found->second, item, path); });
  }
  return places;
}

namespace {

Where place_of(const ConfigPlace& place) {
  return {.file = place.file, .line = place.line};
}

}  // namespace

void with_places(const ConfigPlaces& places, const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_option) throw;
    for (const std::string* option : {&error.option(), &error.where().other_option}) {
      // The program checks some options under the name that users type.
      const std::size_t dashes = std::min(option->find_first_not_of('-'), option->size());
      const auto place = places.find(option->substr(dashes));
      if (place == places.end()) continue;
      if (!error.file().empty()) throw of_part(error, to_text(place_of(place->second)));
      Where where = error.where();
      where.option = place->first;
      where.other_option = option == &error.option() ? where.other_option : error.option();
      where.file = place->second.file;
      where.line = place->second.line;
      where.is_in_sentence = false;
      throw moved_to(error, std::move(where));
    }
    throw;
  }
}

ConfigEntries given_entries(const App& command) {
  ConfigEntries entries;
  for (const auto& [name, option] : options_by_name(command)) {
    if (option.count() > 0 && !kNotSaved.contains(name)) {
      entries.emplace_back(name, option.results());
    }
  }
  return entries;
}

void write_config(const std::string& path, const std::string& comment,
                  const ConfigEntries& entries) {
  std::string text = "# " + comment + "\n";
  for (const auto& [name, values] : entries) {
    std::vector<std::string> written;
    for (const std::string& value : values) written.push_back(to_toml(value));
    text += values.size() == 1 ? fmt::format("{} = {}\n", name, written.front())
                               : fmt::format("{} = [{}]\n", name, fmt::join(written, ", "));
  }
  write_text(path, text);
}

}  // namespace knotwork::cli
