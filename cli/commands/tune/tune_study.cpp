// SPDX-License-Identifier: MIT
#include "cli/commands/tune/tune_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "base/fail.hpp"
#include "base/sha256.hpp"
#include "cli/output/document.hpp"
#include "options/option_text.hpp"

#include <knotwork/version.hpp>

namespace knotwork::cli {
namespace {

template <class Value>
std::span<const std::uint8_t> bytes_of(const Value* values, std::size_t count) {
  return {reinterpret_cast<const std::uint8_t*>(values), count * sizeof(Value)};
}

// Every part is preceded by its size, so that different tables never give the same bytes.
void add(Sha256& hash, std::size_t size) {
  const std::uint64_t wide = size;
  hash.update(bytes_of(&wide, 1));
}
void add(Sha256& hash, const std::string& text) {
  add(hash, text.size());
  hash.update(bytes_of(text.data(), text.size()));
}

std::string hash_of(const Table& table) {
  Sha256 hash;
  add(hash, table.columns.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    add(hash, table.names[c]);
    add(hash, table.columns[c].size());
    hash.update(bytes_of(table.columns[c].data(), table.columns[c].size()));
    const bool is_text = table.is_text(c);
    add(hash, is_text ? table.labels[c].size() : 0);
    if (!is_text) continue;
    for (const std::string& label : table.labels[c]) add(hash, label);
  }
  return hash.hex_digest();
}

// Names are quoted, so that a comma in a name is not read as a separator.
std::string listed(const auto& items) {
  return fmt::format("{}", items);
}

Json to_json(const std::vector<Dimension>& space) {
  Json json = Json::array();
  for (const Dimension& dimension : space) {
    Json& one = json.emplace_back();
    one = {{"option", dimension.option}, {"values", dimension.values}};
    if (!dimension.range) continue;
    const auto& [low, high, logarithmic, whole] = *dimension.range;
    one["range"] = {{"low", low}, {"high", high}, {"logarithmic", logarithmic}, {"whole", whole}};
  }
  return json;
}

std::vector<Dimension> space_from(const Json& json) {
  std::vector<Dimension> space;
  for (const Json& one : json) {
    Dimension& dimension = space.emplace_back();
    one.at("option").get_to(dimension.option);
    one.at("values").get_to(dimension.values);
    if (!one.contains("range")) continue;
    const Json& range = one["range"];
    dimension.range = Range{range.at("low"), range.at("high"), range.at("logarithmic").get<bool>(),
                            range.at("whole").get<bool>()};
  }
  return space;
}

}  // namespace

bool draws_settings(const std::string& strategy) {
  const std::vector<std::string>& uses = search_strategies().at(strategy).uses;
  return std::find(uses.begin(), uses.end(), "trials") != uses.end();
}

Study::Identity study_identity(const Table& table, const TableTask& task, const TuneSpace& space,
                               const SearchOptions& search, const std::string& score) {
  std::vector<std::string> categorical, numeric;
  for (const std::string& name : task.keep) {
    (table.is_text(table.index_of(name)) ? categorical : numeric).push_back(name);
  }
  // The use of columns also decides how they are read. The hash of the data comes after it, so that
  // the message names the cause and not its consequence.
  Study::Identity identity = {
      {"target", listed(task.targets.empty() ? std::vector{table.names.back()} : task.targets)},
      {"task", task.kind ? std::string(to_string(*task.kind)) : "auto"},
      {"drop", listed(task.drop)},
      {"categorical", listed(categorical)},
      {"one-hot-max-size", write_option(task.one_hot_max_size)},
      {"weight-column", task.weight_column},
      {"group-column", task.group_column},
      {"stratify", task.stratify_column},
      {"test-fraction", write_option(task.test_fraction)},
      {"test-last", write_option(task.test_last)},
      {"test-rows", listed(task.test_rows)},
      {"test-data", task.test_data ? hash_of(*task.test_data) : ""},
      {"data", hash_of(table)},
      {"space", to_json(space.dimensions).dump()},
      {"strategy", search.strategy},
      {"folds", write_option(search.folds)},
      {"score", score},
      {"seed", write_option(search.seed)},
  };
  // Older studies have no such entry.
  if (!numeric.empty()) identity.emplace_back("numeric", listed(numeric));
  if (draws_settings(search.strategy)) {
    identity.emplace_back("trials", write_option(search.trials));
  }
  for (const TrainOptionField& field : train_option_fields()) {
    const bool varied =
        std::any_of(space.dimensions.begin(), space.dimensions.end(),
                    [&](const Dimension& dimension) { return dimension.option == field.name; });
    const bool said = std::any_of(identity.begin(), identity.end(),
                                  [&](const auto& part) { return part.first == field.name; });
    if (varied || said || field.effect == OptionEffect::time_only) continue;
    identity.emplace_back(field.name, field.get(space.fixed));
  }
  identity.emplace_back("version", KNOTWORK_VERSION_STRING);
  return identity;
}

StoredSearch stored_search(const Study& study, const std::string& path) {
  const Study::Identity identity = study.identity();
  const std::map<std::string, std::string> parts(identity.begin(), identity.end());
  for (const char* part : {"space", "strategy", "folds", "score"}) {
    if (parts.contains(part)) continue;
    fail(ErrorKind::bad_file, about_file(path),
         "{} is a study, but not one made by tune; name another file.", path);
  }
  try {
    SearchOptions search;
    search.space = space_from(parse_strange_document(parts.at("space")).value());
    search.strategy = parts.at("strategy");
    read_option("folds", parts.at("folds"), search.folds);
    check(search);
    return {search.space, search.strategy, search.folds, parts.at("score")};
  } catch (const std::exception&) {
    study.refuse_as_damaged("the description of the search cannot be read");
  }
}

std::vector<TrialRecord> stored_trials(const Study& study, const StoredSearch& search) {
  std::vector<TrialRecord> trials = study.trials("");
  const auto same_option = [](const std::pair<std::string, std::string>& chosen,
                              const Dimension& dimension) {
    return chosen.first == dimension.option;
  };
  for (const TrialRecord& trial : trials) {
    if (std::equal(trial.setting.begin(), trial.setting.end(), search.space.begin(),
                   search.space.end(), same_option)) {
      continue;
    }
    study.refuse_as_damaged("a trial has options that the search does not have");
  }
  return trials;
}

}  // namespace knotwork::cli
