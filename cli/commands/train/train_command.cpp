// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "cli/commands/train/train_checkpoints.hpp"
#include "cli/commands/train/train_report.hpp"
#include "cli/commands/train/train_request.hpp"
#include "cli/commands/train/train_result.hpp"
#include "cli/commands/train/watched_training.hpp"
#include "cli/options/config.hpp"
#include "cli/output/output.hpp"
#include "cli/output/plain_words.hpp"
#include "cli/output/progress.hpp"
#include "cli/program/commands.hpp"
#include "cli/program/interrupt.hpp"
#include "cli/program/rank_session.hpp"
#include "cli/tables/model_input.hpp"
#include "cli/tables/training_table.hpp"
#include "parallel/message.hpp"

#include <knotwork/model_file.hpp>
#include <knotwork/training.hpp>

namespace knotwork::cli {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// The options of automatic_options() that were left open, as they were chosen.
Pairs chosen_options(const Model& model, const TrainOptions& asked, std::size_t rows,
                     const std::vector<std::string>& given) {
  Pairs chosen;
  TrainOptions options = options_of(model);
  // The model may have fewer networks, because training was ended before all had begun.
  options.ensemble = options_by_rule(rows, asked, given).ensemble;
  std::vector<std::string> names = automatic_options();
  if (options.input_splines > 0 &&
      !contains(given, option_field(&TrainOptions::input_splines).name)) {
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
void save_config(const TrainRequest& request, const Model& model, const Pairs& chosen) {
  if (request.save_config.empty() || !ranks().is_first()) return;
  ConfigEntries entries = given_entries(*request.app);
  // A repetition has no checkpoint to go on from.
  std::erase_if(entries, [](const auto& entry) {
    const std::string& name = entry.first;
    return (name == "data" && entry.second.front() == "-") || name == "checkpoint" ||
           name == "every" || name == "resume";
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
      const bool brought = !request.start.empty() && field.describes_model;
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

// Whether training came to its own end: a request to stop in its last iteration does not count.
bool is_whole(const Model& model, const TrainOptions& options) {
  return model.training.reason != StopReason::requested &&
         (!options.refit || model.training.refitted);
}

// `seconds` is what the model has taken of the time limit.
void add_baselines(const TrainRequest& request, const PreparedTable& prepared, double seconds,
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

// Of several processes one writes.
void save(const Model& model, const std::string& out) {
  if (!ranks().is_first()) return;
  if (!is_standard_output(out)) return save_model(model, out);
  const std::vector<std::uint8_t> bytes = serialize(model);
  print_result(std::string(bytes.begin(), bytes.end()));
}

void print(const TrainRequest& request, const TrainResult& result) {
  if (request.json) return print_result(to_document(result));
  const std::string text = to_text(result, terminal_width(STDOUT_FILENO, 80));
  if (is_standard_output(request.out)) {
    print_aside(text);
  } else {
    print_result(text);
  }
}

// What to say of a training that was interrupted in this phase, or after its end; `advice` tells
// how it can go on.
std::string describe_end(std::optional<TrainPhase> phase, const std::string& place,
                         const std::string& advice) {
  if (!phase) {
    return fmt::format("Training was over when it was interrupted; the model in {} is whole.",
                       place);
  }
  switch (*phase) {
    case TrainPhase::choosing:  // a remark says how far it got
    case TrainPhase::training:
      return fmt::format("Training was interrupted; the best model so far is in {}{}.", place,
                         advice);
    case TrainPhase::refitting:
      return fmt::format(
          "Training on all rows was interrupted; the model from before it is in {}{}.", place,
          advice);
  }
  return "";
}

// Clocks differ, and what they decide must not.
double of_first_rank(double seconds) {
  return parallel::Unpacker(ranks().from_first(parallel::Packer().put(seconds).take()))
      .get<double>();
}

// The model and its baselines, saved; nothing if it was interrupted before there was a model.
std::optional<Model> train_and_save(const TrainRequest& request, const PreparedTable& prepared,
                                    const TrainOptions& options, std::span<const std::string> given,
                                    const Model* start, TrainCheckpoints& checkpoints,
                                    WatchedTraining& watched) {
  const auto begin = std::chrono::steady_clock::now();
  Model model;
  try {
    model = start ? train(prepared, options, watched.observer(), start, checkpoints.get())
                  : train_automatically(prepared, options, given, watched.observer(),
                                        checkpoints.get());
  } catch (const EndedByObserver&) {
    watched.end_in(TrainPhase::choosing);
    return std::nullopt;
  } catch (const SharedError& error) {
    throw SharedError(error.kind(), checkpoints.with_file(error).what());
  } catch (const Error& error) {
    throw checkpoints.with_file(error);
  }
  const bool to_file = !is_standard_output(request.out);
  if (to_file) save(model, request.out);  // whatever becomes of the baselines
  watched.agree();
  if (!watched.ended_in()) {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin;
    add_baselines(request, prepared, of_first_rank(used.count()), model,
                  watched.baselines_observer());
  }
  if (!to_file || request.baselines != "none") save(model, request.out);
  return model;
}

void say_config_is_not_written(const TrainRequest& request) {
  if (request.save_config.empty()) return;
  print_remarks({fmt::format("{} was not written, since its options would give another model.",
                             request.save_config)});
}

void say_report_is_not_written(const TrainRequest& request) {
  if (!request.report.wanted()) return;
  print_remarks({"The report was not written; knotwork report makes one from the model."});
}

int end_interrupted(int signal, const std::string& sentence) {
  print_remarks({sentence});
  return 128 + signal;
}

// Everything that ranks read for themselves and that the result depends on, before any of them
// writes a file that another one might look at.
void agree(const TrainOptions& options, std::span<const std::string> given, const Model* start,
           const TrainCheckpoints& checkpoints) {
  if (ranks().size() == 1) return;
  Pairs asked;
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.effect == OptionEffect::time_only) continue;
    asked.emplace_back("--" + field.name, field.get(options));
  }
  asked.emplace_back("What is given", fmt::format("{}", fmt::join(given, ", ")));
  agree_on_options(asked);
  agree_on("The model to start from", start ? start->parameters_sha256() : "");
  agree_on("The checkpoint to go on from", checkpoints.resumed_sha256());
}

PreparedTable prepare(const TrainRequest& request, const TrainingTable& data, const TableTask& task,
                      std::uint64_t seed, const Model* start, WatchedTraining& watched) {
  if (!data.stored && request.memory_given) {
    fail(ErrorKind::bad_option,
         "--memory would have no effect: {} is read whole; knotwork convert makes a table file of "
         "it, which is not.",
         request.data);
  }
  if (!data.stored) return {data.table, task, seed, start, &ranks()};
  TableStorage storage;
  storage.memory = request.memory / ranks().size();
  storage.ranks = &ranks();
  storage.watch = [&watched](double share) { watched.show_reading(share); };
  return {*data.stored, data.columns, task, seed, start, storage};
}

int run(TrainRequest& request) {
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
  TrainingTable data;
  TableTask task;
  with_places(places, [&] {
    options = all_given ? read_training_options(request.training, start_model)
                        : read_open_options(request.training);
    data = open_table(request.data, request.table, options.seed);
    task = make_task(request.table, data.table, load_test_table(request.table, data.table));
  });
  WatchedTraining watched(request);
  const PreparedTable prepared = prepare(request, data, task, options.seed, start_model, watched);
  if (!all_given) check_open_options(request.training, options, prepared.training_rows());
  const std::vector<std::string> given =
      start ? automatic_options() : given_options(request.training);

  request.checkpoint.quiet = request.quiet;
  TrainCheckpoints checkpoints(request.checkpoint);
  agree(options, given, start_model, checkpoints);
  const InterruptGuard guard;
  watched.begin_time_limit(options.time_limit);
  const std::optional<Model> model =
      train_and_save(request, prepared, options, given, start_model, checkpoints, watched);
  watched.hide_progress();
  int signal = first_of_ranks(InterruptGuard::signal());
  if (!model) {
    say_config_is_not_written(request);
    const std::string advice = checkpoints.advice();
    return end_interrupted(
        signal,
        fmt::format(
            "Training was interrupted while options were being chosen, before there was a model{}.",
            advice.empty() ? "; nothing was saved" : advice));
  }
  std::optional<TrainPhase> ended_in = watched.ended_in();
  if (is_whole(*model, options)) ended_in.reset();
  Pairs chosen;
  if (ended_in != TrainPhase::choosing) {
    chosen = chosen_options(*model, options, prepared.training_rows(), given);
  }
  const bool repeatable = !ended_in && !ended_by_time(*model, options);
  std::optional<Error> trouble;  // the result is told all the same
  std::string_view what = "its configuration could not be written";
  if (repeatable) {
    try {
      save_config(request, *model, chosen);
    } catch (const Error& error) {
      trouble = error;
    }
  }
  std::optional<WrittenReport> report;
  if (request.report.wanted() && signal == 0 && ranks().is_first()) {
    try {
      report = report_on(request, *model, data, task.test_data.get(), prepared, options);
    } catch (const Error& error) {
      trouble = error;
      what = "its report could not be made";
    }
  }
  if (signal == 0) signal = first_of_ranks(InterruptGuard::signal());
  const bool interrupted = signal != 0;
  const std::string place = is_standard_output(request.out) ? "standard output" : request.out;
  if (!request.quiet) print_remarks(model->training.remarks);
  if (!request.quiet && !interrupted && ended_by_time(*model, options) &&
      !checkpoints.advice().empty()) {
    print_remarks({fmt::format("The time limit ended training{}.", checkpoints.advice())});
  }
  print(request, {facts_of(data, prepared), *model, place, chosen, interrupted,
                  ranks().is_first() ? use_of_layers(*model, data, prepared, options.threads)
                                     : std::vector<LayerUse>(),
                  report.value_or(WrittenReport{})});
  if (!repeatable) say_config_is_not_written(request);
  if (trouble) {
    fail(ErrorKind::failed_run, "The model is in {}, but {}: {}", place, what, trouble->what());
  }
  if (!checkpoints.trouble().empty()) {
    fail(ErrorKind::failed_run,
         "The model is in {}, but the newest checkpoint could not be kept: {}", place,
         checkpoints.trouble());
  }
  if (!report) say_report_is_not_written(request);
  if (!interrupted) return kDone;
  return end_interrupted(signal, describe_end(ended_in, place, checkpoints.advice()));
}

}  // namespace

Command add_train(App program) {
  App app = program.add_subcommand("train", "Train a network on a table");
  auto request = std::make_shared<TrainRequest>();
  add_train_options(app, *request);
  app.footer(
      "Options that are 'chosen' when they are not given follow the number of rows, or are\n"
      "compared by cross-validation inside the training rows.\n\n"
      "Examples:\n"
      "  knotwork train table.csv --target price --out price.safetensors\n"
      "  knotwork train table.csv --target price --drop id,name --test-last\n"
      "  knotwork train table.csv --preset paper --lambda-w 1e-2 --lambda-q 1e-4\n"
      "  knotwork train builtin:planted --hidden 4 --seed 1\n"
      "  knotwork train table.csv --snapshots 40 --report report.html\n"
      "  knotwork train table.csv --save-config run.toml; knotwork train --config run.toml\n"
      "  knotwork train table.csv --optimizer adam --batch 256 --iterations 100 "
      "--schedule cosine");
  return {app, [request] { return run(*request); }, true};
}

}  // namespace knotwork::cli
