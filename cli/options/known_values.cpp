// SPDX-License-Identifier: MIT
#include "cli/options/known_values.hpp"

#include <algorithm>
#include <map>

#include <knotwork/activation.hpp>
#include <knotwork/instruction_set.hpp>
#include <knotwork/options.hpp>
#include <knotwork/search.hpp>
#include <knotwork/table.hpp>

namespace knotwork::cli {
namespace {

using Values = std::vector<std::string>;

Values with_all(Values values) {
  values.insert(values.begin(), "all");
  return values;
}

Values delimiters() {
  Values words;
  for (const auto& [name, delimiter] : delimiter_names()) words.push_back(name);
  return words;
}

}  // namespace

const std::vector<std::pair<std::string, char>>& delimiter_names() {
  static const std::vector<std::pair<std::string, char>> names = {
      {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"space", ' '}, {"spaces", kRunsOfSpaces}};
  return names;
}

std::vector<std::string> known_values(std::string_view option) {
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.name == option) return field.values;
  }
  static const std::map<std::string_view, Values> others = {
      {"activations", with_all(builtin_activations().names())},
      {"bases", with_all(spline_bases().names())},
      {"penalties", with_all(kPenalties)},
      {"task", kTasks},
      {"format", kExportFormats},
      {"preset", training_presets().names()},
      {"baselines", kBaselines},
      {"strategy", search_strategies().names()},
      {"delimiter", delimiters()},
      {"decimal", {"point", "comma"}},
      {"isa", instruction_sets()},
  };
  const auto found = others.find(option);
  return found == others.end() ? Values{} : found->second;
}

void check_value(std::string_view family, const std::string& value,
                 const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), value) == known.end()) {
    throw Error(ErrorKind::bad_option, unknown_name_message(family, value, known));
  }
}

}  // namespace knotwork::cli
