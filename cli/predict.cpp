// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/fail.hpp"
#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/output.hpp"
#include "cli/place.hpp"
#include "cli/table_options.hpp"
#include "cli/training_options.hpp"
#include "cli/wording.hpp"
#include "model_file/file_io.hpp"

namespace knotwork::cli {
namespace {

struct Request {
  std::string model, data, out;
  std::vector<std::string> keep;
  CsvRequest csv;
  TrainOptions options;  // threads and seed
  bool spread = false;
  bool json = false;
  bool quiet = false;
};

// The columns of --keep as they stand in the file: every cell is a text, NA and the like too.
Table read_kept(const Request& request, const DataSource& data, CsvOptions csv) {
  if (request.keep.empty()) return {};
  csv.only = csv.categorical = resolve_lists(request.keep, data.names(csv));
  csv.cells = {.missing = {}, .missing_words = false, .decimal_comma = csv.cells.decimal_comma};
  return data.read(csv);
}

struct Tables {
  Table inputs, kept;
};

Tables read_tables(const Request& request, const Model& model) {
  const DataSource data(request.data, request.options.seed);
  const CsvOptions csv = csv_options(request.csv, data, model.cells);
  return {data.read(columns_for(model, csv)), read_kept(request, data, csv)};
}

// Names of the columns of predictions. Of classes they are probabilities, and what is predicted
// stands behind them.
std::vector<std::string> column_names(const Model& model) {
  std::vector<std::string> names;
  for (const TargetColumn& target : model.targets) {
    const std::string name =
        model.targets.size() > 1 ? "prediction_" + target.column : "prediction";
    if (target.predictions() == 1) names.push_back(name);
    for (const std::string& label : target.classes) names.push_back("probability_" + label);
    if (target.quantiles.size() < 2) continue;
    for (const double level : target.quantiles) names.push_back(fmt::format("{}_{}", name, level));
  }
  if (model.classifies()) names.emplace_back("prediction");
  return names;
}

// prediction_price becomes spread_price, and so on.
std::vector<std::string> spread_names(const Model& model) {
  std::vector<std::string> names = column_names(model);
  names.resize(model.predictions());
  for (std::string& name : names) {
    constexpr std::string_view kPrediction = "prediction";
    if (name.starts_with(kPrediction)) name.erase(0, kPrediction.size());
    name = (name.empty() || name.starts_with("_") ? "spread" : "spread_") + name;
  }
  return names;
}

void add_names(const std::vector<std::string>& names, Table& result) {
  for (const std::string& name : names) {
    if (std::find(result.names.begin(), result.names.end(), name) != result.names.end()) {
      fail(ErrorKind::bad_option,
           "--keep {} would stand beside a prediction of the same name; rename the column.", name);
    }
    result.names.push_back(name);
  }
}

// Kept columns, then the spread if it is asked for, then the predictions.
Table make_result(Table kept, const Model& model, std::vector<std::vector<double>> spread,
                  std::vector<std::vector<double>> predictions) {
  Table result = std::move(kept);
  result.source = "predictions";
  result.labels.resize(result.columns.size());
  if (!spread.empty()) add_names(spread_names(model), result);
  add_names(column_names(model), result);
  for (std::vector<double>& column : spread) result.columns.push_back(std::move(column));
  if (model.classifies()) {
    // Texts of a table are sorted by their bytes, classes that are numbers by their value.
    std::vector<std::string> labels = model.targets.front().classes;
    std::sort(labels.begin(), labels.end());
    std::vector<double> cells;
    for (const std::size_t likely : Model::most_probable(predictions)) {
      const auto place =
          std::find(labels.begin(), labels.end(), model.targets.front().classes[likely]);
      cells.push_back(static_cast<double>(place - labels.begin()));
    }
    predictions.push_back(std::move(cells));
    result.labels.resize(result.names.size());
    result.labels.back() = std::move(labels);
  }
  for (std::vector<double>& column : predictions) result.columns.push_back(std::move(column));
  result.labels.resize(result.names.size());
  result.lines.clear();
  result.positions.clear();
  return result;
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

Json to_document(const Request& request, const std::string& source, const Table& result,
                 std::size_t kept, const std::vector<std::string>& remarks) {
  Json document = {{"command", "predict"},
                   {"model", request.model},
                   {"data", {{"source", source}, {"rows", result.rows()}}},
                   {"remarks", remarks}};
  if (!is_standard_output(request.out)) {
    document["out"] = request.out;
    return document;
  }
  for (std::size_t c = 0; c < result.names.size(); ++c) {
    const char* part = c < kept ? "kept" : "predictions";
    document[part][result.names[c]] = cells(result, c);
  }
  return document;
}

int run(const Request& request) {
  const Model model = read_model(request.model);
  const bool to_file = !is_standard_output(request.out);
  if (to_file) {
    check_writable(request.out);
    check_not_an_input("--out", request.out, {request.model, request.data});
    check_place_of_text("--out", request.out);
  }
  if (request.spread && model.members.size() < 2) {
    fail(ErrorKind::bad_option,
         "--spread needs an ensemble, but {} is a single network; train one with --ensemble 8.",
         request.model);
  }
  auto [table, kept_table] = read_tables(request, model);
  const std::size_t kept = kept_table.columns.size(), threads = request.options.threads;
  std::vector<std::vector<double>> spread;
  if (request.spread) spread = model.spread(table, threads);
  const Table result =
      make_result(std::move(kept_table), model, std::move(spread), model.predict(table, threads));
  const std::vector<std::string> remarks = remarks_on(table, model);
  const std::string csv = to_csv(result);
  if (to_file) {
    write_file_atomically(request.out,
                          {reinterpret_cast<const std::uint8_t*>(csv.data()), csv.size()});
  }
  if (!request.quiet) print_remarks(remarks);
  if (request.json) {
    print_result(to_document(request, table.source, result, kept, remarks));
  } else if (to_file) {
    print_result(fmt::format("{} in {}\n", count(result.rows(), "prediction"), request.out));
  } else {
    print_result(csv);
  }
  return kDone;
}

}  // namespace

Command add_predict(CLI::App& program) {
  CLI::App* app = program.add_subcommand("predict", "Predict the rows of a table with a model");
  auto request = std::make_shared<Request>();
  app->add_option("model", request->model, kModelHelp)->required()->type_name("MODEL");
  app->add_option("data", request->data, kDataHelp)->required()->type_name("DATA");
  app->add_option("--keep", request->keep,
                  "column that stands before the predictions, as it is; repeat it, or use commas")
      ->type_name("COL")
      ->allow_extra_args(false)
      ->group("Output");
  app->add_option("--out", request->out, "CSV file for the predictions (default: print them)")
      ->type_name("FILE")
      ->group("Output");
  app->add_flag("--spread", request->spread,
                "how far the networks of an ensemble are apart, in columns before the predictions")
      ->group("Output");
  app->add_flag("--json", request->json, "print the result as one JSON document")->group("Output");
  app->add_flag("--quiet", request->quiet, "no remarks on standard error")->group("Output");
  add_csv_options(*app, request->csv);
  add_training_option(*app, "threads", "threads; 0 for all cores", request->options);
  add_isa_option(*app);
  add_training_option(*app, "seed", "seed of a built-in data set", request->options);
  app->footer(
      "Columns are found by name, in any order; others are not looked at.\n\n"
      "Examples:\n"
      "  knotwork predict model.safetensors new.csv --out predictions.csv\n"
      "  knotwork predict model.safetensors new.csv --keep id\n"
      "  cat new.csv | knotwork predict model.safetensors -");
  return {app, [request] { return run(*request); }};
}

}  // namespace knotwork::cli
