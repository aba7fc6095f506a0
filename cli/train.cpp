// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "base/fail.hpp"
#include "cli/commands.hpp"
#include "cli/config.hpp"
#include "cli/interrupt.hpp"
#include "cli/layer_use.hpp"
#include "cli/model_source.hpp"
#include "cli/option_values.hpp"
#include "cli/output.hpp"
#include "cli/place.hpp"
#include "cli/progress.hpp"
#include "cli/table_options.hpp"
#include "cli/train_result.hpp"
#include "cli/training_options.hpp"
#include "cli/wording.hpp"
#include "model_file/file_io.hpp"

#include <knotwork/automatic.hpp>
#include <knotwork/model_file.hpp>

namespace knotwork::cli {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct Request {
  CLI::App* app = nullptr;
  std::string data;
  TableOptions table;
  TrainingRequest training;
  std::string start;
  std::string out = "model.safetensors";
  std::string baselines = "all";
  std::string config, save_config;
  bool json = false;
  bool progress = false;
  bool quiet = false;
};

// Everything is checked before long work begins.
void check_request(const Request& request) {
  if (request.data.empty()) {
    fail(ErrorKind::bad_option, "train needs DATA; knotwork train --help shows the use.");
  }
  check_value("choice of baselines", request.baselines, kBaselines);
  if (request.progress && request.quiet) {
    fail(ErrorKind::bad_option, "--progress and --quiet exclude each other; give one of them.");
  }
  // A model may be replaced by the one that goes on from it.
  std::vector<std::string> inputs = {request.data, request.table.test_rows, request.table.test_data,
                                     request.config};
  if (!is_standard_output(request.out)) {
    check_writable(request.out);
    check_not_an_input("--out", request.out, inputs);
    check_place_of_model("--out", request.out);
  } else if (request.json) {
    fail(ErrorKind::bad_option,
         "The model and a JSON document cannot both go to standard output; give --out a file.");
  } else if (::isatty(STDOUT_FILENO) == 1) {
    fail(ErrorKind::bad_option,
         "A model is no text for a terminal; give --out a file, or send standard output to one.");
  }
  if (request.save_config.empty()) return;
  if (is_standard_output(request.save_config)) {
    fail(ErrorKind::bad_option, "--save-config {} is no place for a configuration; name a file.",
         request.save_config);
  }
  if (lead_to_one_file(request.save_config, request.out)) {
    fail(ErrorKind::bad_option, "--save-config and --out are both {}; they need a file each.",
         request.out);
  }
  if (!request.start.empty() && lead_to_one_file(request.start, request.out)) {
    fail(ErrorKind::bad_option,
         "--save-config could not repeat a run that replaces the model it starts from, {}; give "
         "--out another file.",
         request.start);
  }
  check_writable(request.save_config);
  inputs.push_back(request.start);
  check_not_an_input("--save-config", request.save_config, inputs);
  check_place_of_text("--save-config", request.save_config);
}

// The options of automatic_options() that were left open, as they were chosen.
Pairs chosen_options(const Model& model, const TrainOptions& asked, std::size_t rows,
                     const std::vector<std::string>& given) {
  Pairs chosen;
  TrainOptions options = options_of(model);
  // The model may have fewer networks, because training was ended before all had begun.
  options.ensemble = options_by_rule(rows, asked, given).ensemble;
  std::vector<std::string> names = automatic_options();
  if (options.input_splines > 0 &&
      std::find(given.begin(), given.end(), "input-splines") == given.end()) {
    names.insert(names.end(), input_spline_options().begin(), input_spline_options().end());
  }
  for (const std::string& name : names) {
    if (std::find(given.begin(), given.end(), name) != given.end()) continue;
    for (const TrainOptionField& field : train_option_fields()) {
      if (field.name == name && field.unused_because(options).empty()) {
        chosen.emplace_back(name, field.get(options));
      }
    }
  }
  return chosen;
}

// What was asked for and what was chosen, so that the file asks for the same model.
void save_config(const Request& request, const Model& model, const Pairs& chosen) {
  if (request.save_config.empty()) return;
  ConfigEntries entries = given_entries(*request.app);
  std::erase_if(entries, [](const auto& entry) {
    return entry.first == "data" && entry.second.front() == "-";
  });
  const auto add = [&](const std::string& name, const std::string& value) {
    const bool there = std::any_of(entries.begin(), entries.end(),
                                   [&](const auto& entry) { return entry.first == name; });
    if (!there) entries.push_back({name, {value}});
  };
  for (const auto& [name, value] : chosen) add(name, value);
  if (!request.training.preset.empty()) {
    const TrainOptions options = options_of(model);
    for (const TrainOptionField& field : train_option_fields()) {
      const bool brought = !request.start.empty() && describes_model(field.name);
      const std::string value = field.get(options);
      if (!brought && !value.empty() && field.unused_because(options).empty()) {
        add(field.name, value);
      }
    }
  }
  write_config(request.save_config,
               request.data == "-"
                   ? "Options of knotwork train: train - --config repeats the run, if standard "
                     "input brings the same table again."
                   : "Options of knotwork train: train --config repeats the run.",
               entries);
}

// The time limit would end a repetition elsewhere. Not so if it ended the choosing of options: what
// was chosen is saved.
bool ended_by_time(const Model& model, const TrainOptions& options) {
  return model.training.reason == StopReason::time || (options.refit && !model.training.refitted);
}

// `seconds` is what the model has taken of the time limit.
void add_baselines(const Request& request, const PreparedTable& prepared, double seconds,
                   Model& model, const TrainObserver& observer) {
  if (request.baselines == "none") return;
  TrainOptions options = options_of(model);
  // Of a network without hidden layers the linear model is all that there is to compare.
  if (request.baselines == "linear") options.hidden.clear();
  const bool limited = options.time_limit > 0;
  if (limited) options.time_limit -= seconds;
  if (!limited || options.time_limit > 0) {
    model.training.baselines = train_baselines(prepared, options, observer);
  }
  const std::size_t wanted = options.hidden.empty() ? 1 : 2;
  if (limited && InterruptGuard::signal() == 0 && model.training.baselines.size() < wanted) {
    model.training.remarks.push_back(
        fmt::format("The time limit left no time for {} of the {} to compare the model with.",
                    wanted - model.training.baselines.size(), count(wanted, "baseline")));
  }
}

void save(const Model& model, const std::string& out) {
  if (!is_standard_output(out)) return save_model(model, out);
  const std::vector<std::uint8_t> bytes = serialise(model);
  print_result(std::string(bytes.begin(), bytes.end()));
}

void print(const Request& request, const TrainResult& result) {
  if (request.json) return print_result(to_document(result));
  const std::string text = to_text(result, terminal_width(STDOUT_FILENO, 80));
  if (is_standard_output(request.out)) {
    fmt::print(stderr, "{}", text);
  } else {
    print_result(text);
  }
}

// What to say of a training that was interrupted in this phase, or after its end.
std::string describe_end(std::optional<TrainPhase> phase, const std::string& place) {
  if (!phase) {
    return fmt::format("Training was over when it was interrupted; the model in {} is whole.",
                       place);
  }
  switch (*phase) {
    case TrainPhase::choosing:  // a remark says how far it got
    case TrainPhase::training:
      return fmt::format("Training was interrupted; the best model so far is in {}.", place);
    case TrainPhase::refitting:
      return fmt::format("Training on all rows was interrupted; the model from before it is in {}.",
                         place);
  }
  return "";
}

// Trains with progress until it is done or interrupted, and remembers in which phase.
class WatchedTraining {
 public:
  WatchedTraining(const Request& request, double time_limit)
      : progress_(std::in_place,
                  request.quiet      ? ProgressWish::never
                  : request.progress ? ProgressWish::always
                                     : ProgressWish::usual,
                  time_limit) {}

  TrainObserver observer() {
    return [this](const TrainIteration& iteration) {
      progress_->show(iteration);
      if (InterruptGuard::signal() == 0) return true;
      ended_in_ = iteration.phase;
      return false;
    };
  }
  TrainObserver baselines_observer() {
    return [this](const TrainIteration& iteration) {
      progress_->show(iteration, "baselines");
      return InterruptGuard::signal() == 0;
    };
  }
  void hide_progress() { progress_.reset(); }
  std::optional<TrainPhase> ended_in() const { return ended_in_; }

 private:
  std::optional<Progress> progress_;
  std::optional<TrainPhase> ended_in_;
};

// The model and its baselines, saved; nothing if it was interrupted before there was a model.
std::optional<Model> train_and_save(const Request& request, const PreparedTable& prepared,
                                    const TrainOptions& options, std::span<const std::string> given,
                                    const Model* start, WatchedTraining& watched) {
  const auto begin = std::chrono::steady_clock::now();
  Model model;
  try {
    model = start ? train(prepared, options, watched.observer(), start)
                  : train_automatically(prepared, options, given, watched.observer());
  } catch (const Error& error) {
    if (!watched.ended_in() || error.kind() != ErrorKind::failed_run) throw;
    return std::nullopt;
  }
  const bool to_file = !is_standard_output(request.out);
  if (to_file) save(model, request.out);  // whatever becomes of the baselines
  if (!watched.ended_in()) {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin;
    add_baselines(request, prepared, used.count(), model, watched.baselines_observer());
  }
  if (!to_file || request.baselines != "none") save(model, request.out);
  return model;
}

void say_config_is_not_written(const Request& request) {
  if (request.save_config.empty()) return;
  print_remarks({fmt::format("{} was not written, since its options would give another model.",
                             request.save_config)});
}

int end_interrupted(const std::string& sentence) {
  print_remarks({sentence});
  return 128 + InterruptGuard::signal();
}

int run(Request& request) {
  ConfigPlaces places;
  if (!request.config.empty()) places = apply_config(*request.app, request.config);
  with_places(places, [&] { check_request(request); });
  std::optional<Model> start;
  if (!request.start.empty()) {
    start = read_model(request.start);
    with_places(places, [&] { start_from(*start, request.data, request.table); });
  }
  const Model* start_model = start ? &*start : nullptr;
  const bool all_given = start || !request.training.preset.empty();
  TrainOptions options;
  Table table;
  std::optional<Table> test;
  TableTask task;
  with_places(places, [&] {
    options = all_given ? read_training_options(request.training, start_model)
                        : read_open_options(request.training);
    table = load_table(request.data, request.table, options.seed);
    test = load_test_table(request.table, table);
    task = make_task(request.table, table, test ? &*test : nullptr);
  });
  const PreparedTable prepared(table, task, options.seed, start_model);
  if (!all_given) {
    check_open_options(request.training, options, prepared.partition().train.size());
  }
  const std::vector<std::string> given =
      start ? automatic_options() : given_options(request.training);

  const InterruptGuard guard;
  WatchedTraining watched(request, options.time_limit);
  const std::optional<Model> model =
      train_and_save(request, prepared, options, given, start_model, watched);
  watched.hide_progress();
  if (!model) {
    say_config_is_not_written(request);
    return end_interrupted(
        "Training was interrupted while options were being chosen, before there was a model; "
        "nothing was saved.");
  }
  const std::optional<TrainPhase> ended_in = watched.ended_in();
  Pairs chosen;
  if (ended_in != TrainPhase::choosing) {
    chosen = chosen_options(*model, options, prepared.partition().train.size(), given);
  }
  const bool repeatable = !ended_in && !ended_by_time(*model, options);
  if (repeatable) save_config(request, *model, chosen);
  const bool interrupted = InterruptGuard::signal() != 0;
  const std::string place = is_standard_output(request.out) ? "standard output" : request.out;
  if (!request.quiet) print_remarks(model->training.remarks);
  print(request, {table, *model, place, chosen, interrupted,
                  layer_use(*model, table, prepared.partition().train, options.threads)});
  if (!repeatable) say_config_is_not_written(request);
  return interrupted ? end_interrupted(describe_end(ended_in, place)) : kDone;
}

void add_output_options(CLI::App& app, Request& request) {
  const std::string group = "Output";
  app.add_option("--out", request.out,
                 "where the model goes, - for standard output (default: model.safetensors)")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--save-config", request.save_config,
                 "write the options of this run, given and chosen, for --config")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--baselines", request.baselines,
                 "simpler models to compare with: none, linear, all (default: all)")
      ->type_name("WHICH")
      ->group(group);
  app.add_flag("--json", request.json, "print the result as one JSON document")->group(group);
  app.add_flag("--progress", request.progress,
               "show progress on standard error even when it is not a terminal")
      ->group(group);
  app.add_flag("--quiet", request.quiet, "no progress and no remarks on standard error")
      ->group(group);
}

}  // namespace

Command add_train(CLI::App& program) {
  CLI::App* app = program.add_subcommand("train", "Train a network on a table");
  auto request = std::make_shared<Request>();
  request->app = app;
  app->add_option("data", request->data, kDataHelp)->type_name("DATA");
  app->add_option("--config", request->config,
                  "TOML file with options by their names; the command line wins")
      ->type_name("FILE");
  app->add_option("--start-from", request->start,
                  "go on from this model, with its network, columns and scaling")
      ->type_name("MODEL");
  add_table_options(*app, request->table);
  add_training_options(*app, request->training, true);
  add_output_options(*app, *request);
  app->footer(
      "Options that are 'chosen' when they are not given follow the number of rows, or are\n"
      "compared by cross-validation inside the training rows.\n\n"
      "Examples:\n"
      "  knotwork train table.csv --target price --out price.safetensors\n"
      "  knotwork train table.csv --target price --drop id,name --test-last\n"
      "  knotwork train table.csv --preset paper --lambda-w 1e-2 --lambda-q 1e-4\n"
      "  knotwork train builtin:planted --hidden 4 --seed 1\n"
      "  knotwork train table.csv --save-config run.toml; knotwork train --config run.toml\n"
      "  knotwork train table.csv --optimizer adam --batch 256 --iterations 100 "
      "--schedule cosine");
  return {app, [request] { return run(*request); }};
}

}  // namespace knotwork::cli
