// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>

#include "base/fail.hpp"
#include "cli/commands/compare/compare_request.hpp"
#include "cli/commands/compare/compare_result.hpp"
#include "cli/commands/compare/compare_variants.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/config.hpp"
#include "cli/output/output.hpp"
#include "cli/output/plain_words.hpp"
#include "cli/output/progress.hpp"
#include "cli/program/commands.hpp"
#include "cli/program/interrupt.hpp"
#include "cli/tables/training_table.hpp"

#include <knotwork/split.hpp>

namespace knotwork::cli {
namespace {

using Clock = std::chrono::steady_clock;

PreparedTable prepare(const CompareRequest& request, std::uint64_t seed) {
  TableOptions options = request.table;
  options.test_fraction = 0;  // every row is tested on once
  const Table table = load_table(request.data, options, seed);
  TableTask task = make_task(options, table);
  task.test_last = request.in_time_order;
  return PreparedTable(table, task, seed);
}

// All rows, or a sample of them that depends on the seed alone; in their order.
std::vector<std::size_t> rows_to_use(const CompareRequest& request, const PreparedTable& prepared,
                                     std::uint64_t seed) {
  const std::vector<std::size_t>& all = prepared.partition().train;
  if (!request.sample) return all;
  if (*request.sample >= all.size()) {
    fail(ErrorKind::bad_option, "--sample {} would have no effect: {} has {}.", *request.sample,
         request.data, count(all.size(), "row"));
  }
  if (*request.sample < kFewestRows) {
    fail(ErrorKind::bad_option, "--sample must be at least {}, not {}.", kFewestRows,
         *request.sample);
  }
  const double share = static_cast<double>(*request.sample) / static_cast<double>(all.size());
  return split_rows(all, share, seed, Purpose::test_split).held_out;
}

int run(const CompareRequest& request) {
  const auto begin = Clock::now();
  const std::string command = command_line(*request.app);  // before a configuration adds to it
  if (!request.config.empty()) apply_config(*request.app, request.config);
  const std::vector<Variant> variants = make_variants(request);
  const ComparisonOptions options = make_comparison(request, variants);
  check_request(request);
  const PreparedTable prepared = prepare(request, options.seed);
  const TrainingData data = prepared.data();
  const std::vector<std::size_t> rows = rows_to_use(request, prepared, options.seed);
  if (!request.quiet) print_remarks(prepared.remarks());

  const InterruptGuard guard;
  std::optional<Progress> progress(progress_wish(request.quiet, request.progress));
  ComparisonProgress last;
  const ComparisonResult result =
      compare(data, rows, variants, options, [&](const ComparisonProgress& now) {
        last = now;
        TrainIteration iteration;
        iteration.phase = TrainPhase::choosing;
        iteration.iteration = now.done;
        iteration.total_iterations = now.planned;
        progress->show(iteration, "comparing", "training");
        return InterruptGuard::signal() == 0;
      });
  progress.reset();
  if (result.stopped) {
    print_remarks(
        {fmt::format("The comparison was interrupted after {} of {} trainings; nothing "
                     "was written.",
                     last.done, last.planned)});
    return 128 + InterruptGuard::signal();
  }
  const ComparisonRun about{
      request.data,       command,
      data.target_names,  options,
      prepared.remarks(), std::chrono::duration<double>(Clock::now() - begin).count()};
  if (!request.csv.empty()) write_text(request.csv, to_csv(result, about));
  if (!request.report.empty()) write_text(request.report, to_page(result, about));
  if (request.json) {
    print_result(to_document(result, about));
  } else {
    print_result(request.markdown ? comparison_markdown(result) : to_text(result, about));
  }
  return kDone;
}

}  // namespace

Command add_compare(App program) {
  App app = program.add_subcommand(
      "compare", "Compare variants of a model by cross-validation on equal terms");
  auto request = std::make_shared<CompareRequest>();
  add_compare_options(app, *request);
  app.footer(
      "Every variant is trained and scored on the same folds, and chooses its penalties inside "
      "the\n"
      "training rows of each fold from equally many settings, unless they are given. The others\n"
      "are tested against the first one. Training options are for all variants.\n\n"
      "Examples:\n"
      "  knotwork compare table.csv --activations all\n"
      "  knotwork compare table.csv --target price --activations spline,tanh,apl --report c.html\n"
      "  knotwork compare table.csv --penalties all --folds 5 --repeats 4\n"
      "  knotwork compare table.csv --bases catmull-rom,b-spline --knots 31 --budget 16\n"
      "  knotwork compare table.csv --variant 'one layer: --hidden 40' \\\n"
      "    --variant 'two layers: --hidden 20,20' --variant 'paper: --preset paper'");
  return {app, [request] { return run(*request); }};
}

}  // namespace knotwork::cli
