// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/fail.hpp"
#include "cli/options/table_request.hpp"
#include "cli/options/training_options.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/output.hpp"
#include "cli/output/plain_words.hpp"
#include "cli/output/program_monitor.hpp"
#include "cli/program/commands.hpp"
#include "cli/program/interrupt.hpp"
#include "cli/program/rank_session.hpp"
#include "cli/tables/model_input.hpp"
#include "cli/tables/output_place.hpp"
#include "cli/tables/table_output.hpp"
#include "files/file_io.hpp"

#include <knotwork/predict.hpp>

namespace knotwork::cli {
namespace {

struct PredictRequest {
  std::string model, data, out;
  std::vector<std::string> keep;
  CsvRequest csv;
  TrainOptions options;  // for threads and seed
  bool spread = false;
  bool json = false;
  bool progress = false;
  bool quiet = false;

  bool to_file() const { return !is_standard_output(out); }
};

// The columns of --keep with the cells of the file: every cell is a text, also NA and similar
// words.
Table read_kept(const PredictRequest& request, const DataSource& data, CsvOptions csv) {
  if (request.keep.empty()) return {};
  csv.only = resolve_lists(request.keep, data.names(csv));
  csv.may_have_no_rows = true;
  if (!data.is_text()) return data.read(csv);
  csv.categorical = *csv.only;
  csv.dates.clear();
  csv.no_dates.clear();
  csv.cells = {.missing = {}, .missing_words = false, .decimal_comma = csv.cells.decimal_comma};
  return data.read(csv);
}

Json cells(const Table& table, std::size_t column) {
  if (!table.is_text(column)) return table.columns[column];
  Json list = Json::array();
  for (const double cell : table.columns[column]) {
    list.push_back(cell == cell ? Json(table.labels[column][static_cast<std::size_t>(cell)])
                                : Json(nullptr));
  }
  return list;
}

Json to_document(const PredictRequest& request, const std::string& source, const Table& result,
                 std::size_t kept, const std::vector<std::string>& remarks) {
  Json document = {{"command", "predict"},
                   {"model", request.model},
                   {"data", {{"source", source}, {"rows", result.rows()}}},
                   {"remarks", remarks}};
  if (request.to_file()) {
    document["out"] = request.out;
    return document;
  }
  for (std::size_t c = 0; c < result.names.size(); ++c) {
    const char* part = c < kept ? "kept" : "predictions";
    document[part][result.names[c]] = cells(result, c);
  }
  return document;
}

// If the result goes to standard output, the same terminal may show it, so progress is shown only
// with --progress.
ProgressWish wish_of(const PredictRequest& request) {
  const ProgressWish wish = progress_wish(request.quiet, request.progress);
  return wish == ProgressWish::usual && !request.to_file() ? ProgressWish::never : wish;
}

// For tables that stay in their file: all ranks predict, and the first one writes.
int run_in_windows(const PredictRequest& request, const Model& model, const StoredTable& stored) {
  std::optional<files::AtomicFile> file;
  if (request.to_file() && ranks().is_first()) {
    program_monitor()->enter(Phase::writing);  // a pipe waits for its reader
    file.emplace(request.out);
  }
  const auto write = [&](std::string_view lines) {
    if (!file) return print_data(lines);
    file->write({reinterpret_cast<const std::uint8_t*>(lines.data()), lines.size()});
  };
  const PredictOptions options{
      .threads = request.options.threads,
      .keep = resolve_lists(request.keep, stored.description().names),
      .spread = request.spread,
      .ranks = &ranks(),
      .monitor = program_monitor(),
  };
  const EncodingReport report = predict_csv(model, stored, write, options);
  program_monitor()->hide_progress();
  if (file) {
    file->commit();
    program_monitor()->wrote(request.out);
  }
  const std::vector<std::string> remarks = remarks_on(report);
  if (!request.quiet) print_remarks(remarks);
  if (request.json) {
    print_document(Json{{"command", "predict"},
                      {"model", request.model},
                      {"data", {{"source", stored.description().source}, {"rows", stored.rows()}}},
                      {"remarks", remarks},
                      {"out", request.out}});
  } else if (request.to_file()) {
    print_lines({fmt::format("{} in {}", count(stored.rows(), "prediction"), request.out)});
  }
  return kDone;
}

int run(const PredictRequest& request) {
  program_monitor()->show_progress(wish_of(request));
  const Model model = read_model(request.model);
  agree_on("The model", model.parameters_sha256());
  const bool to_file = request.to_file();
  if (to_file && ranks().is_first()) {
    files::check_writable(request.out);
    check_not_an_input("--out", request.out, {request.model, request.data});
    check_place_of_text("--out", request.out);
    if (format_of(request.out) != TableFormat::csv) {
      fail(ErrorKind::bad_option, of_typed("--out"),
           "Predictions are written as CSV, but the name {} does not end in .csv; name a .csv "
           "file, which knotwork convert can convert.",
           request.out);
    }
  }
  if (request.spread && model.members.size() < 2) {
    fail(ErrorKind::bad_option, of_option("spread"),
         "--spread needs an ensemble, but {} is a single network; train one with --ensemble 8.",
         request.model);
  }
  // A JSON document must be built in memory.
  const bool in_windows = to_file || !request.json;
  const std::optional<DataSource> data =
      open_together(ranks(), request.data, request.options.seed, in_windows);
  if (!data) return kDone;  // the first rank does all the work
  const CsvOptions csv_format = csv_options(request.csv, *data, model.cells);
  if (data->stored() && in_windows) {
    return run_in_windows(request, model, *data->stored());
  }
  CsvOptions columns = columns_for(model, csv_format);
  columns.may_have_no_rows = true;
  const Table table = data->read(columns);
  Table kept_table = read_kept(request, *data, csv_format);
  const std::size_t kept = kept_table.columns.size();
  const Table result =
      predict_table(model, table, std::move(kept_table),
                    {.threads = request.options.threads, .spread = request.spread});
  program_monitor()->hide_progress();
  std::vector<std::string> remarks = remark_texts(table.remarks);
  for (std::string& remark : remarks_on(table, model)) remarks.push_back(std::move(remark));
  const std::string csv = to_csv(result);
  if (to_file) {
    write_text(request.out, csv);
  }
  if (!request.quiet) print_remarks(remarks);
  if (request.json) {
    print_document(to_document(request, table.source, result, kept, remarks));
  } else if (to_file) {
    print_lines({fmt::format("{} in {}", count(result.rows(), "prediction"), request.out)});
  } else {
    print_data(csv);
  }
  return kDone;
}

}  // namespace

Command add_predict(App program) {
  App app = program.add_subcommand("predict", "Predict the rows of a table with a model");
  auto request = std::make_shared<PredictRequest>();
  app.add_option("model", request->model, kModelHelp).required().type_name("MODEL");
  app.add_option("data", request->data, kDataHelp).required().type_name("DATA");
  app.add_option("--keep", request->keep,
                 "column to copy unchanged before the predictions; for several columns repeat the "
                 "option or use commas")
      .type_name("COL")
      .allow_extra_args(false)
      .group("Output");
  app.add_option("--out", request->out, "CSV file for the predictions (default: print them)")
      .type_name("FILE")
      .group("Output");
  app.add_flag("--spread", request->spread,
               "add columns with the spread of an ensemble's networks before the predictions")
      .group("Output");
  app.add_flag("--json", request->json, "print the result as one JSON document").group("Output");
  app.add_flag("--progress", request->progress,
               "show progress through a table file on standard error even if standard error is not "
               "a terminal")
      .group("Output");
  app.add_flag("--quiet", request->quiet, "no progress and no remarks on standard error")
      .group("Output");
  add_csv_options(app, request->csv);
  add_training_option(app, option_field(&TrainOptions::threads), "threads; 0 for all cores",
                      request->options);
  add_isa_option(app);
  add_training_option(app, option_field(&TrainOptions::seed), "seed of a built-in data set",
                      request->options);
  app.footer(
      "Columns are found by name, in any order; other columns are ignored.\n"
      "\n"
      "Examples:\n"
      "  knotwork predict model.safetensors new.csv --out predictions.csv\n"
      "  knotwork predict model.safetensors new.csv --keep id\n"
      "  cat new.csv | knotwork predict model.safetensors -");
  return {app, [request] { return run(*request); }, true};
}

}  // namespace knotwork::cli
