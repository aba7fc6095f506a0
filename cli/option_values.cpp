// SPDX-License-Identifier: MIT
#include "cli/option_values.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include <knotwork/activation.hpp>
#include <knotwork/instruction_set.hpp>
#include <knotwork/loss.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/options.hpp>
#include <knotwork/scaling.hpp>
#include <knotwork/search.hpp>

namespace knotwork::cli {
namespace {

using Values = std::vector<std::string>;

Values output_activations() {
  Values values = {"auto", "same"};
  for (const std::string& name : builtin_activations().names()) values.push_back(name);
  return values;
}

Values with_all(Values values) {
  values.insert(values.begin(), "all");
  return values;
}

Values losses() {
  Values names = {"auto"};
  for (const std::string& name : builtin_losses().names()) names.push_back(name);
  return names;
}

Values delimiters() {
  Values words;
  for (const auto& [name, delimiter] : delimiter_names()) words.push_back(name);
  return words;
}

}  // namespace

const std::vector<std::pair<std::string, char>>& delimiter_names() {
  static const std::vector<std::pair<std::string, char>> names = {
      {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"space", ' '}};
  return names;
}

std::vector<std::string> known_values(std::string_view option) {
  static const std::map<std::string_view, Values> all = {
      {"activation", builtin_activations().names()},
      {"activations", with_all(builtin_activations().names())},
      {"bases", with_all(spline_bases().names())},
      {"penalties", with_all(kPenalties)},
      {"output-activation", output_activations()},
      {"basis", spline_bases().names()},
      {"tails", {"linear", "constant"}},
      {"init", initial_functions().names()},
      {"scale-inputs", scaling_names()},
      {"scale-target", {"standard", "range", "none"}},
      {"loss", losses()},
      {"task", kTasks},
      {"optimizer", builtin_optimizers().names()},
      {"schedule", {"constant", "cosine", "one-cycle"}},
      {"precision", {"auto", "float", "double"}},
      {"format", kExportFormats},
      {"preset", training_presets().names()},
      {"fit-range", fit_range_names()},
      {"baselines", kBaselines},
      {"strategy", search_strategies().names()},
      {"delimiter", delimiters()},
      {"decimal", {"point", "comma"}},
      {"isa", instruction_sets()},
  };
  const auto found = all.find(option);
  return found == all.end() ? Values{} : found->second;
}

void check_value(std::string_view family, const std::string& value,
                 const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), value) == known.end()) {
    throw Error(ErrorKind::bad_option, unknown_name_message(family, value, known));
  }
}

}  // namespace knotwork::cli
