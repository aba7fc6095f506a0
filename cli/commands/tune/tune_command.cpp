// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "base/fail.hpp"
#include "cli/commands/tune/tune_request.hpp"
#include "cli/commands/tune/tune_result.hpp"
#include "cli/commands/tune/tune_show.hpp"
#include "cli/commands/tune/tune_space.hpp"
#include "cli/commands/tune/tune_study.hpp"
#include "cli/options/config.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress.hpp"
#include "cli/program/commands.hpp"
#include "cli/program/interrupt.hpp"
#include "cli/program/rank_session.hpp"
#include "cli/tables/training_table.hpp"

#include <knotwork/model_file.hpp>
#include <knotwork/training.hpp>

namespace knotwork::cli {
namespace {

using Clock = std::chrono::steady_clock;

SearchOptions make_search(const TuneRequest& request, const TuneSpace& space) {
  SearchOptions options;
  options.strategy = request.strategy.value_or(request.vary.empty() ? "refine" : "grid");
  if (request.trials && !draws_settings(options.strategy)) {
    fail(ErrorKind::bad_option, of_option("trials"),
         "--trials would have no effect: the strategy {} draws no settings; only random and "
         "halving do.",
         options.strategy);
  }
  options.space = space.dimensions;
  options.folds = request.folds;
  options.trials = request.trials.value_or(options.trials);
  options.seed = space.fixed.seed;
  options.threads = space.fixed.threads;
  check(options);
  return options;
}

double score(const PreparedData& prepared, std::span<const std::size_t> folds,
             const TrainOptions& fixed, const FoldTask& task) {
  TrainOptions options = options_at(fixed, task.setting, task.budget);
  options.threads = 1;  // folds run in parallel instead
  return validate_fold(prepared.data(), prepared.partition().train, folds, task.fold, options,
                       task.monitor)
      .to_compare();
}

// Shows the progress of the search, and stops it when a signal arrives.
class SearchMonitor final : public Monitor {
 public:
  explicit SearchMonitor(Progress& progress) : progress_(progress) {}

  void see(const knotwork::Progress& now) override {
    if (now.iteration) return progress_.show(*now.iteration);  // the winner is trained
    // A fold that was found in the study cost no time, so it says nothing about the remaining time.
    if (!now.fold || now.fold->found) return;
    TrainIteration iteration;
    iteration.phase = Phase::choosing;
    iteration.iteration = now.done;
    iteration.total_iterations = now.planned;
    if (now.fold->best) iteration.validation = now.fold->best->mean;
    progress_.show(iteration, "searching");
  }
  bool stop_requested() const override {
    return Monitor::stop_requested() || InterruptGuard::signal() != 0;
  }

 private:
  Progress& progress_;
};

// If there are several processes, one process has the study, and the other processes evaluate folds
// for it.
SearchResult search_together(const SearchOptions& options, std::optional<Study>& study,
                             const Evaluate& evaluate, const std::shared_ptr<Monitor>& monitor) {
  if (!study) return serve_search(options, evaluate, ranks(), monitor);
  return search(options, *study, "", evaluate, monitor, &ranks());
}

int end_interrupted(int signal, const std::string& what, const std::string& study) {
  print_remarks({fmt::format("{}; the same command resumes from the study {}.", what, study)});
  return 128 + signal;
}

Lines to_text(const TuneReport& report, const Model& model, const std::string& out) {
  Lines text = describe_search(report, "winner");
  const Summary& summary = model.training;
  if (summary.train) text.push_back("train      " + describe(*summary.train));
  if (summary.test) text.push_back("test       " + describe(*summary.test));
  add_lines(text, {"saved in   " + out, "study      " + report.study});
  add_lines(text, describe_trials(report, terminal_width(STDOUT_FILENO, 80)));
  return text;
}

int run_search(const TuneRequest& request) {
  const auto begin = Clock::now();
  // Errors in the given options are reported before missing options.
  const TuneSpace space = make_space(request.training, request.vary);
  const SearchOptions options = make_search(request, space);
  check_search(request);
  const auto shared =
      std::make_shared<const Table>(load_table(request.data, request.table, options.seed));
  const Table& table = *shared;
  const TableTask task = make_task(request.table, table, load_test_table(request.table, table));
  const PreparedData prepared(shared, task, options.seed, nullptr, &ranks());
  const std::vector<std::size_t> folds =
      training_folds(prepared.data(), prepared.partition().train, options.folds, options.seed);
  const std::string scored_by = compared_score(space.sample, !prepared.data().classes.empty());
  const Study::Identity identity = study_identity(table, task, space, options, scored_by);
  agree_on_options(identity);  // before the first rank makes the study
  std::optional<Study> study;
  if (ranks().is_first()) study.emplace(request.study, identity);
  if (!request.quiet) print_remarks(remark_texts(prepared.remarks()));

  std::optional<Progress> progress(progress_wish(request.quiet, request.progress));
  const auto monitor = std::make_shared<SearchMonitor>(*progress);
  const SearchResult result = search_together(
      options, study,
      [&](const FoldTask& fold) { return score(prepared, folds, space.fixed, fold); }, monitor);
  if (result.stopped) {
    progress.reset();
    std::size_t done = 0;
    for (const TrialRecord& trial : result.trials) done += trial.scores.size();
    return end_interrupted(first_of_ranks(InterruptGuard::signal()),
                           fmt::format("The search was interrupted after {} of {} folds", done,
                                       result.trials.size() * options.folds),
                           request.study);
  }
  const Model model =
      train(prepared, options_at(space.fixed, result.winner->setting), {.monitor = monitor});
  progress.reset();
  if (const int signal = first_of_ranks(InterruptGuard::signal()); signal != 0) {
    return end_interrupted(
        signal, "The search has finished, but the training of its winner was interrupted",
        request.study);
  }
  if (!study) return kDone;
  save_model(model, request.out);

  const TuneReport report{request.study,
                          {space.dimensions, options.strategy, options.folds, scored_by},
                          result.trials,
                          result.winner};
  Json document = to_document(report);
  Json kept = model_document(model, request.out);
  document.update(kept);
  kept["winner"] = document["winner"];
  study->set_result("", kResultName, document_line(kept));
  if (!request.json) {
    print_lines(to_text(report, model, request.out));
    return kDone;
  }
  document["evaluated"] = result.evaluated;
  document["seconds"] = std::chrono::duration<double>(Clock::now() - begin).count();
  print_document(document);
  return kDone;
}

int run(const TuneRequest& request) {
  if (!request.config.empty()) apply_config(*request.app, request.config);
  if (!request.show) return run_search(request);
  if (!ranks().is_first()) return kDone;
  check_show(request);
  return show_study({*request.show, request.svg, request.json});
}

}  // namespace

Command add_tune(App program) {
  App app =
      program.add_subcommand("tune", "Search for the best training options by cross-validation");
  auto request = std::make_shared<TuneRequest>();
  add_tune_options(app, *request);
  app.footer(
      "Every setting is scored by cross-validation inside the training rows. The best setting is "
      "then\n"
      "trained on all training rows. The test part is used only for the final scores.\n"
      "\n"
      "Examples:\n"
      "  knotwork tune table.csv --target price --study price.db --out price.safetensors\n"
      "  knotwork tune table.csv --study s.db --vary 'hidden=10|20|40' --vary lambda-w=1e-4..1\n"
      "  knotwork tune table.csv --study s.db --vary rate=1e-4..0.1 --optimizer adam \\\n"
      "    --strategy halving --trials 27\n"
      "  knotwork tune table.csv --study paper.db --preset paper --strategy grid\n"
      "  knotwork tune --show price.db --svg price.svg");
  return {app, [request] { return run(*request); }, true};
}

}  // namespace knotwork::cli
