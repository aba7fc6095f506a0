// SPDX-License-Identifier: MIT
#include "cli/options/training_options.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "cli/options/known_values.hpp"
#include "options/check_options.hpp"

#include <knotwork/instruction_set.hpp>
#include <knotwork/training.hpp>

namespace knotwork::cli {
namespace {

// The headings in help, in this order.
const char* heading(OptionGroup group) {
  switch (group) {
    case OptionGroup::network:
      return "Network";
    case OptionGroup::objective:
      return "Objective";
    case OptionGroup::optimizer:
      return "Optimizer";
    case OptionGroup::stopping:
      return "Stopping";
    case OptionGroup::run:
      return "Run";
  }
  return "";
}

std::string default_of(const TrainOptionField& field, bool chosen, const TrainOptions& standard) {
  if (chosen && field.chosen_by != ChosenBy::nobody) return "chosen";
  if (field.value.empty() && field.get(standard) == field.get(TrainOptions{})) return "";
  return field.get(standard);
}

}  // namespace

void add_training_options(App app, TrainingRequest& request, bool chosen) {
  std::string presets;
  for (const Preset& preset : training_presets().entries()) {
    presets += fmt::format("{}: {}; ", preset.name, preset.summary);
  }
  app.add_option("--preset", request.preset, presets + "other options override it")
      .type_name("NAME")
      .group("Network");
  const auto& fields = train_option_fields();
  request.values.resize(fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const TrainOptionField& field = fields[k];
    std::optional<std::string>& value = request.values[k];
    const std::string standard = default_of(field, chosen, request.standard);
    const std::string help = field.help + (standard.empty() ? "" : " (default: " + standard + ")");
    if (field.value.empty()) {
      app.add_flag_function(
             "--" + field.name,
             [&value](std::int64_t times) { value = times > 0 ? "true" : "false"; }, help)
          .group(heading(field.group));
    } else {
      app.add_option("--" + field.name, value, help)
          .type_name(field.value)
          .group(heading(field.group));
    }
  }
  add_isa_option(app);
}

void refuse_beside_start(const std::string& option) {
  fail(ErrorKind::bad_option, of_option(option),
       "--{} would have no effect: the start model determines it.", option);
}

namespace {

// The objective of the start model, so that training from it does not move away from its optimum.
TrainOptions with_objective_of(const Model& start) {
  TrainOptions options;
  const TrainOptions brought = options_of(start);
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.carried_over) field.set(options, field.get(brought));
  }
  for (const PenaltyCourse& course : brought.penalty_schedule) {
    set_option(options, course.option, fmt::format("{}", course.last));
  }
  if (!brought.warm_path.empty()) options.lambda_w = brought.warm_path.back();
  if (!brought.warm_path_q.empty()) options.lambda_q = brought.warm_path_q.back();
  return options;
}

// Combines the preset, the given values and the options of a start model.
TrainOptions read_values(const TrainingRequest& request, const Model* start) {
  TrainOptions options = request.standard;
  if (start) options = with_objective_of(*start);
  if (!request.preset.empty()) options = training_presets().at(request.preset).options();
  const auto& fields = train_option_fields();
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if (!request.values[k]) continue;
    if (start && fields[k].describes_model) refuse_beside_start(fields[k].name);
    fields[k].set(options, *request.values[k]);
  }
  if (start) {
    const TrainOptions brought = options_of(*start);
    for (const TrainOptionField& field : fields) {
      if (field.describes_model) field.set(options, field.get(brought));
    }
  }
  return options;
}

void check_effects(const TrainingRequest& request, const TrainOptions& options,
                   const std::string& remark = "") {
  const auto& fields = train_option_fields();
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const std::string reason = request.values[k] ? fields[k].unused_because(options) : "";
    if (reason.empty()) continue;
    fail(ErrorKind::bad_option, of_option(fields[k].name), "--{} would have no effect: {}{}.",
         fields[k].name, reason, fields[k].group == OptionGroup::optimizer ? remark : "");
  }
}

}  // namespace

TrainOptions read_training_options(const TrainingRequest& request, const Model* start) {
  const TrainOptions options = read_values(request, start);
  check(options);
  check_effects(request, options);
  return options;
}

TrainOptions read_unchecked_options(const TrainingRequest& request) {
  return read_values(request, nullptr);
}

TrainOptions read_open_options(const TrainingRequest& request) {
  const TrainOptions options = read_values(request, nullptr);
  const std::vector<std::string> given = given_options(request);
  TrainOptions likely = options;
  const bool open = !contains(given, option_field(&TrainOptions::optimizer).name);
  if (open && (options.batch > 0 || options.schedule != RateSchedule::constant ||
               !option_for_adam(options).empty())) {
    likely.optimizer = "adam";
  }
  check(likely);
  return options;
}

void check_open_options(const TrainingRequest& request, const TrainOptions& options,
                        std::size_t rows) {
  const std::vector<std::string> given = given_options(request);
  const TrainOptions chosen = options_by_rule(rows, options, given);
  const bool open = !contains(given, option_field(&TrainOptions::optimizer).name);
  check_effects(request, chosen,
                open ? fmt::format(", and for {} training rows --optimizer {} is chosen", rows,
                                   chosen.optimizer)
                     : "");
}

std::vector<std::string> given_options(const TrainingRequest& request) {
  std::vector<std::string> given;
  const auto& fields = train_option_fields();
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if (request.values[k] || !request.preset.empty()) given.push_back(fields[k].name);
  }
  return given;
}

TrainOptions options_of(const Model& model) {
  TrainOptions options;
  for (const auto& [name, value] : model.training.options) {
    for (const TrainOptionField& field : train_option_fields()) {
      if (field.name == name) field.set(options, value);
    }
  }
  return options;
}

void add_training_option(App app, const TrainOptionField& field, const std::string& help,
                         TrainOptions& options) {
  app.add_option_function(
         "--" + field.name,
         [&field, &options](const std::string& text) {
           field.set(options, text);
           check(options);
         },
         help + " (default: " + field.get(options) + ")")
      .type_name(field.value)
      .group("Run");
}

void add_isa_option(App app) {
  app.add_option_function(
         "--isa", [](const std::string& name) { pin_instruction_set(name); },
         "instruction set for computing (default: the best of this processor)")
      .type_name("NAME")
      .group("Run");
}

}  // namespace knotwork::cli
