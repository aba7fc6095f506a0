// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/options/table_request.hpp"
#include "cli/options/training_options.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/output.hpp"
#include "cli/output/plain_words.hpp"
#include "cli/output/program_monitor.hpp"
#include "cli/program/commands.hpp"
#include "cli/program/rank_session.hpp"
#include "cli/tables/model_input.hpp"

#include <knotwork/model_file.hpp>
#include <knotwork/predict.hpp>

namespace knotwork::cli {
namespace {

struct EvaluateRequest {
  std::string model, data, weight_column;
  CsvRequest csv;
  TrainOptions options;  // for threads and seed
  bool require_target = false;
  bool json = false;
  bool progress = false;
  bool quiet = false;
};

struct Result {
  std::string source;
  Evaluation evaluation;
  std::vector<std::string> remarks = {};  // of the reader of the table
};

// A table that stays in its file is read in windows, and the ranks share the windows.
Result evaluate(const EvaluateRequest& request, const Model& model, const DataSource& data) {
  EvaluateOptions options{.threads = request.options.threads,
                          .weight_column = request.weight_column,
                          .require_target = request.require_target};
  const CsvOptions csv =
      scored_columns_for(model, csv_options(request.csv, data, model.cells), request.weight_column);
  if (const StoredTable* const stored = data.stored()) {
    options.ranks = &ranks();
    options.monitor = program_monitor();
    return {stored->description().source, evaluate(model, *stored, options)};
  }
  const Table table = data.read(csv);
  return {table.source, evaluate(model, table, options), remark_texts(table.remarks)};
}

std::vector<std::string> all_remarks(const Evaluation& evaluation) {
  std::vector<std::string> remarks = remarks_on(evaluation.report);
  const std::size_t left_out = evaluation.without_target;
  if (left_out > 0) {
    const std::size_t rows = evaluation.scores.rows + left_out;
    const bool one = left_out == 1;
    remarks.insert(remarks.begin(),
                   fmt::format("{} of {} {} no target and {} not scored.", left_out,
                               count(rows, "row"), one ? "has" : "have", one ? "is" : "are"));
  }
  return remarks;
}

int run(const EvaluateRequest& request) {
  program_monitor()->show_progress(progress_wish(request.quiet, request.progress));
  const Model model = read_model(request.model);
  agree_on("The model", model.parameters_sha256());
  const std::optional<DataSource> data = open_together(ranks(), request.data, request.options.seed);
  if (!data) return kDone;  // the first rank does all the work
  Result result = evaluate(request, model, *data);
  program_monitor()->hide_progress();
  const Scores& scores = result.evaluation.scores;
  std::vector<Scores>& each = result.evaluation.each;
  if (each.size() == 1) each.clear();  // equal to the scores of all targets
  std::vector<std::string> remarks = std::move(result.remarks);
  for (std::string& remark : all_remarks(result.evaluation)) {
    remarks.push_back(std::move(remark));
  }
  if (!request.quiet) print_remarks(remarks);
  if (request.json) {
    Json document = {{"command", "evaluate"},
                     {"model", request.model},
                     {"data",
                      {{"source", result.source},
                       {"rows", scores.rows},
                       {"without_target", result.evaluation.without_target}}},
                     {"test", parse_document(scores_json(scores))}};
    for (std::size_t o = 0; o < each.size(); ++o) {
      document["target_scores"].push_back(
          {{"column", model.targets[o].column}, {"test", parse_document(scores_json(each[o]))}});
    }
    document["remarks"] = remarks;
    document["parameters_sha256"] = model.parameters_sha256();
    print_document(document);
  } else {
    Lines text = {describe(scores)};
    for (std::size_t o = 0; o < each.size(); ++o) {
      text.push_back(fmt::format("{}: {}", model.targets[o].column, describe(each[o])));
    }
    if (scores.classes) {
      const Lines matrix = confusion_table(*scores.classes, model.targets.front().classes);
      if (!matrix.empty()) text.emplace_back();
      add_lines(text, matrix);
    }
    print_lines(text);
  }
  return kDone;
}

}  // namespace

Command add_evaluate(App program) {
  App app = program.add_subcommand("evaluate", "Score a model on a table that has its target");
  auto request = std::make_shared<EvaluateRequest>();
  app.add_option("model", request->model, kModelHelp).required().type_name("MODEL");
  app.add_option("data", request->data, kDataHelp).required().type_name("DATA");
  app.add_option("--weight-column", request->weight_column, "column of sample weights")
      .type_name("COL")
      .group("Data");
  app.add_flag("--require-target", request->require_target,
               "refuse a table in which a target is missing; otherwise such rows are not scored")
      .group("Data");
  add_csv_options(app, request->csv);
  app.add_flag("--json", request->json, "print the result as one JSON document").group("Output");
  app.add_flag("--progress", request->progress,
               "show progress through a table file on standard error even if standard error is not "
               "a terminal")
      .group("Output");
  app.add_flag("--quiet", request->quiet, "no progress and no remarks on standard error")
      .group("Output");
  add_training_option(app, option_field(&TrainOptions::threads), "threads; 0 for all cores",
                      request->options);
  add_isa_option(app);
  add_training_option(app, option_field(&TrainOptions::seed), "seed of a built-in data set",
                      request->options);
  app.footer(
      "Examples:\n"
      "  knotwork evaluate model.safetensors test.csv\n"
      "  knotwork evaluate model.safetensors builtin:planted --seed 7 --json");
  return {app, [request] { return run(*request); }, true};
}

}  // namespace knotwork::cli
