// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/rank_session.hpp"
#include "cli/table_options.hpp"
#include "cli/training_options.hpp"
#include "model_file/summary_record.hpp"
#include "training/evaluate_stored.hpp"

namespace knotwork::cli {
namespace {

struct Request {
  std::string model, data, weight_column;
  CsvRequest csv;
  TrainOptions options;  // threads and seed
  bool json = false;
  bool progress = false;
  bool quiet = false;
};

struct Evaluation {
  std::string source;
  Scores scores;
  std::vector<Scores> each;
  std::vector<std::string> remarks;
};

// A table that stays in its file is read in windows, which ranks share.
Evaluation evaluate(const Request& request, const Model& model, const DataSource& data,
                    ProgressWish wish) {
  const CsvOptions csv =
      scored_columns_for(model, csv_options(request.csv, data, model.cells), request.weight_column);
  const std::size_t threads = request.options.threads;
  if (const StoredTable* const stored = data.stored()) {
    Progress progress(wish);
    StoredEvaluation result =
        evaluate_stored(model, *stored, csv, threads, request.weight_column, &ranks(),
                        [&](double share) { progress.show_share(share, "evaluating"); });
    return {stored->description().source, std::move(result.scores), std::move(result.each),
            remarks_on(result.report)};
  }
  const Table table = data.read(csv);
  std::vector<Scores> each;
  Scores scores = model.evaluate(table, threads, request.weight_column, &each);
  return {table.source, std::move(scores), std::move(each), remarks_on(table, model)};
}

int run(const Request& request) {
  const ProgressWish wish = progress_wish(request.quiet, request.progress);
  const Model model = read_model(request.model);
  agree_on("The model", model.parameters_sha256());
  const std::optional<DataSource> data =
      open_together(ranks(), request.data, request.options.seed);
  if (!data) return kDone;  // the first rank does it all
  auto [source, scores, each, remarks] = evaluate(request, model, *data, wish);
  if (each.size() == 1) each.clear();  // the same once more
  if (!request.quiet) print_remarks(remarks);
  if (request.json) {
    Json document = {{"command", "evaluate"},
                     {"model", request.model},
                     {"data", {{"source", source}, {"rows", scores.rows}}},
                     {"test", to_json(scores)}};
    for (std::size_t o = 0; o < each.size(); ++o) {
      document["target_scores"].push_back(
          {{"column", model.targets[o].column}, {"test", to_json(each[o])}});
    }
    document["remarks"] = remarks;
    document["parameters_sha256"] = model.parameters_sha256();
    print_result(document);
  } else {
    std::string text = describe(scores) + "\n";
    for (std::size_t o = 0; o < each.size(); ++o) {
      text += fmt::format("{}: {}\n", model.targets[o].column, describe(each[o]));
    }
    if (scores.classes) {
      const std::string matrix = confusion_table(*scores.classes, model.targets.front().classes);
      if (!matrix.empty()) text += "\n" + matrix;
    }
    print_result(text);
  }
  return kDone;
}

}  // namespace

Command add_evaluate(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("evaluate", "Score a model on a table that has its target");
  auto request = std::make_shared<Request>();
  app->add_option("model", request->model, kModelHelp)->required()->type_name("MODEL");
  app->add_option("data", request->data, kDataHelp)->required()->type_name("DATA");
  app->add_option("--weight-column", request->weight_column, "column of sample weights")
      ->type_name("COL")
      ->group("Data");
  add_csv_options(*app, request->csv);
  app->add_flag("--json", request->json, "print the result as one JSON document")->group("Output");
  app->add_flag("--progress", request->progress,
                "show progress over a table file on standard error even when it is not a terminal")
      ->group("Output");
  app->add_flag("--quiet", request->quiet, "no progress and no remarks on standard error")
      ->group("Output");
  add_training_option(*app, "threads", "threads; 0 for all cores", request->options);
  add_isa_option(*app);
  add_training_option(*app, "seed", "seed of a built-in data set", request->options);
  app->footer(
      "Examples:\n"
      "  knotwork evaluate model.safetensors test.csv\n"
      "  knotwork evaluate model.safetensors builtin:planted --seed 7 --json");
  return {app, [request] { return run(*request); }, true};
}

}  // namespace knotwork::cli
