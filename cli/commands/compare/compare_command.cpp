// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/fail.hpp"
#include "cli/commands/compare/compare_request.hpp"
#include "cli/commands/compare/compare_result.hpp"
#include "cli/commands/compare/compare_variants.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/config.hpp"
#include "cli/output/error_text.hpp"
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

PreparedData prepare(const CompareRequest& request, std::uint64_t seed) {
  TableOptions options = request.table;
  options.test_fraction = 0;  // every row is in one test fold
  Table table = load_table(request.data, options, seed);
  TableTask task = make_task(options, table);
  task.test_last = request.in_time_order;
  return {std::move(table), task, seed};
}

// All rows, or a sample that depends only on the seed, in the order of the table.
std::vector<std::size_t> rows_to_use(const CompareRequest& request, const PreparedData& prepared,
                                     std::uint64_t seed) {
  const std::vector<std::size_t>& all = prepared.partition().train;
  if (!request.sample) return all;
  if (*request.sample >= all.size()) {
    fail(ErrorKind::bad_option, of_option("sample"), "--sample {} would have no effect: {} has {}.",
         *request.sample, request.data, count(all.size(), "row"));
  }
  if (*request.sample < kFewestRows) {
    fail(ErrorKind::bad_option, of_option("sample"), "--sample must be at least {}, not {}.",
         kFewestRows, *request.sample);
  }
  const double share = static_cast<double>(*request.sample) / static_cast<double>(all.size());
  return split_rows(all, share, seed, Purpose::test_split).held_out;
}

// Shows the progress of the comparison, and stops it when a signal arrives.
class ComparisonMonitor final : public Monitor {
 public:
  explicit ComparisonMonitor(const CompareRequest& request)
      : progress_(progress_wish(request.quiet, request.progress)) {}

  void see(const knotwork::Progress& now) override {
    done_ = now.done;
    planned_ = now.planned;
    TrainIteration iteration;
    iteration.phase = Phase::choosing;
    iteration.iteration = now.done;
    iteration.total_iterations = now.planned;
    progress_.show(iteration, "comparing", "training");
  }
  bool stop_requested() const override {
    return Monitor::stop_requested() || InterruptGuard::signal() != 0;
  }
  std::string describe_stop() const {
    return fmt::format(
        "The comparison was interrupted after {} of {} trainings; nothing was written.", done_,
        planned_);
  }

 private:
  Progress progress_;
  std::size_t done_ = 0, planned_ = 0;
};

// Nothing if the comparison was interrupted.
std::optional<ComparisonResult> compare_watched(const CompareRequest& request,
                                                const TrainingData& data,
                                                const std::vector<std::size_t>& rows,
                                                const std::vector<Variant>& variants,
                                                const ComparisonOptions& options) {
  auto monitor = std::make_shared<ComparisonMonitor>(request);
  try {
    return compare(data, rows, variants, options, monitor);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::stopped) throw;
  }
  const std::string remark = monitor->describe_stop();
  monitor.reset();  // removes its progress line
  print_remarks({remark});
  return std::nullopt;
}

int run(const CompareRequest& request) {
  const auto begin = Clock::now();
  const std::string command = command_line(*request.app);  // before apply_config() adds options
  if (!request.config.empty()) apply_config(*request.app, request.config);
  const std::vector<Variant> variants = make_variants(request);
  const ComparisonOptions options = make_comparison(request, variants);
  check_request(request);
  const PreparedData prepared = prepare(request, options.seed);
  const TrainingData data = prepared.data();
  const std::vector<std::size_t> rows = rows_to_use(request, prepared, options.seed);
  if (!request.quiet) print_remarks(remark_texts(prepared.remarks()));

  const std::optional<ComparisonResult> compared =
      compare_watched(request, data, rows, variants, options);
  if (!compared) return 128 + InterruptGuard::signal();
  const ComparisonResult& result = *compared;
  const ComparisonRun about{request.data,
                            command,
                            data.target_names,
                            options,
                            remark_texts(prepared.remarks()),
                            std::chrono::duration<double>(Clock::now() - begin).count()};
  if (!request.csv.empty()) write_text(request.csv, to_csv(result, about));
  if (!request.report.empty()) write_text(request.report, to_page(result, about));
  if (request.json) {
    print_document(to_document(result, about));
  } else {
    print_lines(request.markdown ? lines_of_own_text(comparison_markdown(result))
                                 : to_text(result, about));
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
      "Every variant is trained and scored on the same folds. Unless they are given, its penalties "
      "are\n"
      "chosen inside the training rows of each fold, from the same number of settings for every\n"
      "variant. All variants are tested against the first one. Training options apply to all "
      "variants.\n"
      "\n"
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
