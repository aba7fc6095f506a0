// SPDX-License-Identifier: MIT
#include "cli/commands/tune/tune_space.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "cli/options/known_values.hpp"

#include <knotwork/names.hpp>

namespace knotwork::cli {
namespace {

constexpr const char* kStandardRange = "2^-20..2^5";  // the range used in the paper
constexpr std::size_t kMostChecked = 10000;           // combinations

bool is_given(const TrainingRequest& request, const std::string& option) {
  const auto& fields = train_option_fields();
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if (fields[k].name == option) return request.values[k].has_value();
  }
  return false;
}

// A message cannot list all training options, because there are too many.
const TrainOptionField& varied_field(std::string_view option) {
  std::vector<std::string> names;
  for (const TrainOptionField& field : train_option_fields()) names.push_back(field.name);
  const bool is_known = std::find(names.begin(), names.end(), option) != names.end();
  if (!is_known && closest_name(option, names).empty()) {
    fail(ErrorKind::bad_option,
         "There is no option '{}' to vary; knotwork tune --help lists the options.", option);
  }
  return option_field(option);
}

bool takes_whole_numbers(std::string_view option) {
  const std::string& value = varied_field(option).value;
  return value == "N" || value.starts_with("N,");
}

TrainOptions fixed_options(const TrainingRequest& request) {
  TrainOptions options;
  if (!request.preset.empty()) options = training_presets().at(request.preset).options();
  const auto& fields = train_option_fields();
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if (!request.values[k] || fields[k].effect != OptionEffect::clock) continue;
    fail(ErrorKind::bad_option, of_option(fields[k].name),
         "--{} would make scores depend on the speed of the machine; limit --iterations, or stop "
         "the search with Ctrl-C and resume it later.",
         fields[k].name);
  }
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if (request.values[k]) fields[k].set(options, *request.values[k]);
  }
  return options;
}

std::vector<Dimension> standard_dimensions(const TrainingRequest& request,
                                           const TrainOptions& fixed) {
  std::vector<Dimension> dimensions;
  for (const auto member : {&TrainOptions::lambda_w, &TrainOptions::lambda_q}) {
    const TrainOptionField& field = option_field(member);
    if (is_given(request, field.name) || !field.unused_because(fixed).empty()) continue;
    dimensions.push_back(parse_dimension(field.name + "=" + kStandardRange));
  }
  if (dimensions.empty()) {
    fail(ErrorKind::bad_option,
         "There is nothing to search, because lambda-w and lambda-q are given or have no effect; "
         "name an option and its values, as in --vary hidden=10|20|40.");
  }
  return dimensions;
}

void check_can_be_varied(const std::string& option, const TrainingRequest& request) {
  switch (varied_field(option).effect) {
    case OptionEffect::bits:
      break;
    case OptionEffect::clock:
      fail(ErrorKind::bad_option, of_option("vary"),
           "--vary {} would make scores depend on the speed of the machine; vary iterations "
           "instead.",
           option);
    case OptionEffect::final_model:
    case OptionEffect::time_only:
    case OptionEffect::record_only:
      fail(ErrorKind::bad_option, of_option("vary"),
           "--vary {} would have no effect: no score depends on it.", option);
  }
  if (is_given(request, option)) {
    fail(ErrorKind::bad_option, "{} is varied and also given as --{}; leave out one of the two.",
         option, option);
  }
}

// Settings that contain every value to try, and, if there are not too many, every combination of
// listed values and ends of ranges. An option that allows both ends of a range also allows all
// values in between.
std::vector<Setting> settings_to_check(const std::vector<Dimension>& dimensions) {
  std::vector<Setting> settings;
  Setting first;
  for (const Dimension& dimension : dimensions) {
    first.emplace_back(dimension.option, dimension.values.front());
  }
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    for (const std::string& value : dimensions[d].values) {
      settings.push_back(first);
      settings.back()[d].second = value;
    }
  }
  std::vector<Dimension> ends = dimensions;
  for (Dimension& dimension : ends) {
    if (dimension.range) dimension.values = {dimension.values.front(), dimension.values.back()};
  }
  if (grid_size(ends, kMostChecked) > kMostChecked) return settings;
  for (Setting& setting : grid_settings(ends)) settings.push_back(std::move(setting));
  return settings;
}

// `how` is the text before the option's name on the command line.
void check_used(const std::string& how, const std::string& option,
                const std::vector<TrainOptions>& all) {
  const TrainOptionField& field = option_field(option);
  std::string reason;
  for (const TrainOptions& options : all) {
    reason = field.unused_because(options);
    if (reason.empty()) return;
  }
  fail(ErrorKind::bad_option, "{}{} would have no effect: {}.", how, option, reason);
}

}  // namespace

TuneSpace make_space(const TrainingRequest& request, const std::vector<std::string>& vary) {
  TuneSpace space{fixed_options(request), {}, {}};
  if (vary.empty()) space.dimensions = standard_dimensions(request, space.fixed);
  for (const std::string& text : vary) {
    space.dimensions.push_back(parse_dimension(text, takes_whole_numbers));
    check_can_be_varied(space.dimensions.back().option, request);
  }
  std::vector<TrainOptions> all;
  for (const Setting& setting : settings_to_check(space.dimensions)) {
    all.push_back(options_at(space.fixed, setting));
    check(all.back());
    if (!scored_alike(all.back(), all.front())) {
      fail(ErrorKind::bad_option,
           "Settings with different quantiles, or with and without the loss quantile, cannot be "
           "compared, because they have different kinds of scores; run a search for each.");
    }
  }
  space.sample = all.front();
  for (const Dimension& dimension : space.dimensions) check_used("--vary ", dimension.option, all);
  for (const TrainOptionField& field : train_option_fields()) {
    if (is_given(request, field.name)) check_used("--", field.name, all);
  }
  return space;
}

TrainOptions options_at(const TrainOptions& fixed, const Setting& setting, double budget) {
  TrainOptions options = fixed;
  for (const auto& [option, value] : setting) set_option(options, option, value);
  if (budget < 1) {
    // Every stage of a warm path needs an iteration.
    const std::size_t least =
        std::max({std::size_t{1}, options.warm_path.size(), options.warm_path_q.size()});
    const double share = std::round(budget * static_cast<double>(options.iterations));
    options.iterations = std::max(least, static_cast<std::size_t>(share));
  }
  return options;
}

}  // namespace knotwork::cli
