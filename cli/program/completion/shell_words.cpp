// SPDX-License-Identifier: MIT
#include "cli/program/completion/shell_words.hpp"

#include <algorithm>

#include "cli/options/known_values.hpp"
#include "cli/tables/data_source.hpp"
#include "experiments/scenarios.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/file_kind.hpp>
#include <knotwork/stored_table.hpp>

namespace knotwork::cli {
namespace {

using Words = std::vector<std::string>;

Words builtin_words() {
  Words words;
  for (const std::string& name : builtin_sets().names()) words.push_back("builtin:" + name);
  return words;
}

Words values_of(const Option& option, const Words& commands) {
  const std::string kind = option.get_type_name();
  if (kind == "DATA") return builtin_words();
  if (kind == "COMMAND") return commands;
  if (kind == "SHELL") return kShells;
  if (kind == "SCENARIO") return experiments::scenarios().names();
  if (option.is_positional()) return kind == "NAME" ? builtin_sets().names() : Words{};
  return known_values(option.get_single_name());
}

OfferedValue value_of(const Option& option, const Words& commands) {
  const std::string kind = option.get_type_name();
  constexpr std::string_view kFiles[] = {"FILE", "DIR", "DATA", "MODEL", "OUT"};
  return {.type = kind,
          .words = values_of(option, commands),
          .is_file = std::find(std::begin(kFiles), std::end(kFiles), kind) != std::end(kFiles),
          .is_column = kind == "COL"};
}

bool is_table(const std::string& word) {
  if (is_builtin(word)) return true;
  const FileKind kind = kind_of_file(word);
  return kind == FileKind::text || kind == FileKind::table_file || kind == FileKind::npy;
}

}  // namespace

std::vector<OfferedCommand> offered_commands(const App& program) {
  Words names;
  for (const App& app : program.get_subcommands()) names.push_back(app.get_name());
  std::vector<OfferedCommand> commands;
  for (const App& app : program.get_subcommands()) {
    OfferedCommand& command =
        commands.emplace_back(OfferedCommand{app.get_name(), app.get_description(), {}, {}});
    for (const Option& option : app.get_options()) {
      if (option.is_positional()) {
        if (!option.get_group().empty()) command.arguments.push_back(value_of(option, names));
        continue;
      }
      OfferedOption& offered =
          command.options.emplace_back(OfferedOption{.name = "--" + option.get_single_name(),
                                                     .help = option.get_description(),
                                                     .is_flag = option.is_flag(),
                                                     .is_repeatable = option.is_repeatable()});
      if (!offered.is_flag) offered.value = value_of(option, names);
    }
  }
  return commands;
}

std::vector<std::string> columns_of_first_table(const std::vector<std::string>& words) {
  const auto table = std::find_if(words.begin(), words.end(), is_table);
  if (table == words.end()) return {};
  if (is_builtin(*table)) return DataSource(*table, 0).names();
  if (is_stored_table_file(*table)) return StoredTable(*table).description().names;
  return CsvSource(*table).names();
}

}  // namespace knotwork::cli
