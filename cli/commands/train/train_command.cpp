// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "cli/commands/train/train_checkpoints.hpp"
#include "cli/commands/train/train_report.hpp"
#include "cli/commands/train/train_request.hpp"
#include "cli/commands/train/train_result.hpp"
#include "cli/commands/train/watched_training.hpp"
#include "cli/options/config.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/output.hpp"
#include "cli/output/plain_words.hpp"
#include "cli/output/program_monitor.hpp"
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

// The options in automatic_options() that were not given, with their chosen values.
Pairs chosen_options(const Model& model, const TrainOptions& asked, std::size_t rows,
                     const std::vector<std::string>& given) {
  Pairs chosen;
  TrainOptions options = options_of(model);
  // The model has fewer networks if training ended before all of them had begun.
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

// Writes the given options and the chosen options, so that the file trains the same model again.
void save_config(const TrainRequest& request, const Model& model, const Pairs& chosen) {
  if (request.save_config.empty() || !ranks().is_first()) return;
  ConfigEntries entries = given_entries(*request.app);
  // A repetition does not resume from a checkpoint.
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
               request.data == "-" ? "Options of knotwork train: train - --config repeats the run "
                                     "if standard input is the same table again."
                                   : "Options of knotwork train: train --config repeats the run.",
               entries);
}

// Whether the time limit ended training: a repetition would then end at another point. If the limit
// only ended the choice of options, a repetition is possible, because the chosen options are saved.
bool ended_by_time(const Model& model, const TrainOptions& options) {
  return model.training.reason == StopReason::time || (options.refit && !model.training.refitted);
}

// Whether training finished; a stop that was requested in its last iteration does not count.
bool is_whole(const Model& model, const TrainOptions& options) {
  return model.training.reason != StopReason::requested &&
         (!options.refit || model.training.refitted);
}

// `seconds` is the time that the model has used of the time limit.
void add_baselines(const TrainRequest& request, const PreparedData& prepared, double seconds,
                   Model& model) {
  if (request.baselines == "none") return;
  TrainOptions options = options_of(model);
  // For a network without hidden layers the linear model is the only baseline.
  if (request.baselines == "linear") options.hidden.clear();
  const bool limited = options.time_limit > 0;
  if (limited) options.time_limit -= seconds;
  if (!limited || options.time_limit > 0) {
    model.training.baselines = train_baselines(prepared, options, program_monitor());
  }
  const std::size_t wanted = options.hidden.empty() ? 1 : 2;
  if (limited && InterruptGuard::signal() == 0 && model.training.baselines.size() < wanted) {
    model.training.remarks.push_back(
        fmt::format("The time limit left no time to train {} of the {}.",
                    wanted - model.training.baselines.size(), count(wanted, "baseline")));
  }
}

// Only the first rank writes. A stop request ends writing to standard output only if nobody reads
// standard output.
void save(const Model& model, const std::string& out) {
  if (!ranks().is_first()) return;
  if (!is_standard_output(out)) {
    program_monitor()->enter(Phase::writing);
    save_model(model, out, program_monitor().get());
    return program_monitor()->wrote(out);
  }
  const std::vector<std::uint8_t> bytes = serialize(model);
  print_data({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void print(const TrainRequest& request, const TrainResult& result) {
  if (request.json) return print_document(to_document(result));
  const Lines text = to_text(result, terminal_width(STDOUT_FILENO, 80));
  if (is_standard_output(request.out)) {
    print_lines_aside(text);
  } else {
    print_lines(text);
  }
}

// The message about a training that was interrupted in this phase, or after training if `phase` is
// empty; `advice` tells how to resume.
std::string describe_end(std::optional<Phase> phase, const std::string& place,
                         const std::string& advice) {
  if (!phase) {
    return fmt::format(
        "Training had finished when the interrupt came; the model in {} is complete.", place);
  }
  switch (*phase) {
    case Phase::choosing:  // a remark says how far the choice got
    case Phase::training:
      return fmt::format("Training was interrupted; the best model so far is in {}{}.", place,
                         advice);
    case Phase::refitting:
      return fmt::format(
          "Training on all rows was interrupted; the model from before the refit is in {}{}.",
          place, advice);
    default:  // other phases do not occur here
      break;
  }
  return "";
}

// The clocks of ranks differ, but their decisions must be the same.
double of_first_rank(double seconds) {
  return parallel::Unpacker(ranks().from_first(parallel::Packer().put(seconds).take()))
      .get<double>();
}

// The saved model with its baselines; nothing if training was interrupted before there was a model.
std::optional<Model> train_and_save(const TrainRequest& request, const PreparedData& prepared,
                                    const TrainOptions& options, std::span<const std::string> given,
                                    const std::shared_ptr<const Model>& start,
                                    const TrainCheckpoints& checkpoints, WatchedTraining& watched) {
  const auto begin = std::chrono::steady_clock::now();
  Model model;
  try {
    const TrainContext context{start, checkpoints.get(), program_monitor()};
    model = start ? train(prepared, options, context)
                  : train_automatically(prepared, options, given, context);
    watched.note_end();
  } catch (const SharedError& error) {
    if (error.kind() == ErrorKind::stopped) {
      watched.end_in(Phase::choosing);
      return std::nullopt;
    }
    throw SharedError(checkpoints.with_file(error));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::stopped) throw;
    throw checkpoints.with_file(error);
  }
  const bool to_file = !is_standard_output(request.out);
  if (to_file) save(model, request.out);  // before the baselines, which may fail
  watched.agree();
  if (!watched.ended_in()) {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin;
    program_monitor()->set_heading("baselines");
    add_baselines(request, prepared, of_first_rank(used.count()), model);
  }
  program_monitor()->set_heading("");
  if (!to_file || request.baselines != "none") save(model, request.out);
  return model;
}

void say_config_is_not_written(const TrainRequest& request) {
  if (request.save_config.empty()) return;
  print_remarks({fmt::format(
      "{} was not written, because a repetition with its options would give another model.",
      request.save_config)});
}

void say_report_is_not_written(const TrainRequest& request) {
  if (!request.report.wanted()) return;
  print_remarks({"The report was not written; knotwork report can write it from the model."});
}

int end_interrupted(int signal, const std::string& sentence) {
  print_remarks({sentence});
  return 128 + signal;
}

// Compares among the ranks everything that each rank reads itself and that affects the result. This
// comes before any rank writes a file that another rank might read.
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
  agree_on("The checkpoint to resume from", checkpoints.resumed_sha256());
}

// The caller and the prepared data share one table without copying it.
PreparedData prepare(const TrainRequest& request, const std::shared_ptr<TrainingTable>& shared,
                     const TableTask& task, std::uint64_t seed, const Model* start) {
  const TrainingTable& data = *shared;
  if (!data.stored && request.memory_given) {
    fail(ErrorKind::bad_option, of_option("memory"),
         "--memory would have no effect: {} is loaded into memory; knotwork convert makes a table "
         "file, which is read in windows.",
         request.data);
  }
  if (!data.stored) {
    return {std::shared_ptr<const Table>(shared, &data.table), task, seed, start, &ranks()};
  }
  TableStorage storage;
  storage.memory = request.memory / ranks().size();
  storage.ranks = &ranks();
  storage.monitor = program_monitor();
  return {*data.stored, data.columns, task, seed, start, storage};
}

int run(TrainRequest& request) {
  ConfigPlaces places;
  if (!request.config.empty()) places = apply_config(*request.app, request.config);
  with_places(places, [&] { check_request(request); });
  WatchedTraining watched(request);
  std::shared_ptr<const Model> start;
  if (!request.start.empty()) {
    start = std::make_shared<const Model>(read_model(request.start));
    with_places(places, [&] { start_from(*start, request.data, request.table); });
  }
  const bool all_given = start || !request.training.preset.empty();
  TrainOptions options;
  const auto shared = std::make_shared<TrainingTable>();
  TrainingTable& data = *shared;
  TableTask task;
  with_places(places, [&] {
    options = all_given ? read_training_options(request.training, start.get())
                        : read_open_options(request.training);
    data = open_table(request.data, request.table, options.seed);
    task = make_task(request.table, data.table, load_test_table(request.table, data.table));
  });
  const PreparedData prepared = prepare(request, shared, task, options.seed, start.get());
  if (!all_given) check_open_options(request.training, options, prepared.training_rows());
  const std::vector<std::string> given =
      start ? automatic_options() : given_options(request.training);

  request.checkpoint.quiet = request.quiet;
  TrainCheckpoints checkpoints(request.checkpoint);
  agree(options, given, start.get(), checkpoints);
  watched.begin(options.time_limit);
  const std::optional<Model> model =
      train_and_save(request, prepared, options, given, start, checkpoints, watched);
  program_monitor()->hide_progress();
  int signal = first_of_ranks(InterruptGuard::signal());
  if (!model) {
    say_config_is_not_written(request);
    const std::string advice = checkpoints.advice();
    return end_interrupted(
        signal,
        fmt::format("Training was interrupted{}, before there was a model{}.",
                    watched.ended_in() == Phase::choosing ? " while options were being chosen" : "",
                    advice.empty() ? "; nothing was saved" : advice));
  }
  std::optional<Phase> ended_in = watched.ended_in();
  if (is_whole(*model, options)) ended_in.reset();
  Pairs chosen;
  if (ended_in != Phase::choosing) {
    chosen = chosen_options(*model, options, prepared.training_rows(), given);
  }
  const bool repeatable = !ended_in && !ended_by_time(*model, options);
  std::optional<Error> trouble;  // the result is printed in any case
  std::string_view what = "its configuration could not be written";
  if (repeatable) {
    try {
      save_config(request, *model, chosen);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::stopped) trouble = error;
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
  if (!request.quiet) print_remarks(remark_texts(model->training.remarks));
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
    Where where = trouble->where();
    where.is_in_sentence = true;
    where.part.clear();
    fail(ErrorKind::failed_run, std::move(where), "The model is in {}, but {}: {}", place, what,
         error_text(*trouble));
  }
  if (!checkpoints.trouble().empty()) {
    fail(ErrorKind::failed_run,
         "The model is in {}, but the newest checkpoint could not be written: {}", place,
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
      "Options with the default 'chosen' are set by the number of rows or by cross-validation "
      "inside\n"
      "the training rows, unless you set them.\n"
      "\n"
      "Examples:\n"
      "  knotwork train table.csv --target price --out price.safetensors\n"
      "  knotwork train table.csv --target price --drop id,name --test-last\n"
      "  knotwork train table.csv --preset paper --lambda-w 1e-2 --lambda-q 1e-4\n"
      "  knotwork train builtin:planted --hidden 4 --seed 1\n"
      "  knotwork train table.csv --snapshots 40 --report report.html\n"
      "  knotwork train table.csv --save-config run.toml; knotwork train --config run.toml\n"
      "  knotwork train table.csv --optimizer adam --batch 256 --iterations 100 --schedule cosine");
  return {app, [request] { return run(*request); }, true};
}

}  // namespace knotwork::cli
