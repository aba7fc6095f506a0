// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>
#include <set>

#include "base/fail.hpp"
#include "cli/commands.hpp"
#include "cli/model_source.hpp"
#include "cli/output.hpp"
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
  bool json = false;
  bool quiet = false;
};

// The columns of --keep as they stand in the file.
Table read_kept(const Request& request, const DataSource& data) {
  Table kept;
  if (request.keep.empty()) return kept;
  CsvOptions csv = csv_options(request.csv, data);
  csv.only = csv.categorical = request.keep;
  return data.read(csv);
}

// Kept columns, then the predictions.
Table make_result(Table kept, const Model& model, std::vector<std::vector<double>> predictions) {
  Table result = std::move(kept);
  result.source = "predictions";
  result.labels.resize(result.columns.size());
  std::set<std::string> names(result.names.begin(), result.names.end());
  for (std::size_t t = 0; t < predictions.size(); ++t) {
    std::string name = "prediction";
    if (model.targets.size() > 1) name += "_" + model.targets[t].column;
    if (!names.insert(name).second) {
      fail(ErrorKind::bad_option,
           "--keep {} would stand beside a prediction of the same name; rename the column.", name);
    }
    result.names.push_back(name);
    result.columns.push_back(std::move(predictions[t]));
    result.labels.emplace_back();
  }
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
                 const std::vector<std::string>& remarks) {
  Json document = {{"command", "predict"},
                   {"model", request.model},
                   {"data", {{"source", source}, {"rows", result.rows()}}},
                   {"remarks", remarks}};
  if (!is_standard_output(request.out)) {
    document["out"] = request.out;
    return document;
  }
  for (std::size_t c = 0; c < result.names.size(); ++c) {
    const char* part = c < request.keep.size() ? "kept" : "predictions";
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
  }
  const DataSource data(request.data, request.options.seed);
  const Table table = data.read(columns_for(model, csv_options(request.csv, data)));
  const Table result =
      make_result(read_kept(request, data), model, model.predict(table, request.options.threads));
  const std::vector<std::string> remarks = remarks_on(table, model);
  const std::string csv = to_csv(result);
  if (to_file) {
    write_file_atomically(request.out,
                          {reinterpret_cast<const std::uint8_t*>(csv.data()), csv.size()});
  }
  if (!request.quiet) print_remarks(remarks);
  if (request.json) {
    print_result(to_document(request, table.source, result, remarks));
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
                  "column that stands before the predictions; repeat it for several")
      ->type_name("COL")
      ->allow_extra_args(false)
      ->group("Output");
  app->add_option("--out", request->out, "CSV file for the predictions (default: print them)")
      ->type_name("FILE")
      ->group("Output");
  app->add_flag("--json", request->json, "print the result as one JSON document")->group("Output");
  app->add_flag("--quiet", request->quiet, "no remarks on standard error")->group("Output");
  add_csv_options(*app, request->csv);
  add_training_option(*app, "threads", "threads; 0 for all cores", request->options);
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
