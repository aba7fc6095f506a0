// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/contains.hpp"
#include "base/fail.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_source.hpp"
#include "cli/output.hpp"
#include "cli/place.hpp"
#include "cli/table_options.hpp"
#include "cli/training_options.hpp"
#include "cli/wording.hpp"
#include "data/csv_writer.hpp"
#include "files/file_io.hpp"
#include "training/evaluate_stored.hpp"

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
  csv.only = resolve_lists(request.keep, data.names(csv));
  if (!data.is_text()) return data.read(csv);
  csv.categorical = *csv.only;
  csv.cells = {.missing = {}, .missing_words = false, .decimal_comma = csv.cells.decimal_comma};
  return data.read(csv);
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

// The columns that are kept, and what the model makes of the others.
Table predict_table(const Request& request, const Model& model, const Table& table, Table kept) {
  const std::size_t threads = request.options.threads;
  std::vector<std::vector<double>> spread;
  if (request.spread) spread = model.spread(table, threads);
  return make_result(std::move(kept), model, std::move(spread), model.predict(table, threads));
}

Table some_columns(const Table& table, const std::vector<std::string>& names) {
  Table some{.source = table.source, .names = names, .columns = {}};
  for (const std::string& name : names) {
    const std::size_t column = table.index_of(name);
    some.columns.push_back(table.columns[column]);
    some.labels.push_back(table.is_text(column) ? table.labels[column]
                                                : std::vector<std::string>());
  }
  return some;
}

struct Predicted {
  std::size_t rows = 0;
  std::vector<std::string> remarks;
};

// For tables that stay in their file: lines go out as they come, to standard output if there is no
// file.
Predicted predict_windows(const Request& request, const Model& model, const StoredTable& stored,
                          CsvOptions csv, const std::string* out) {
  std::optional<AtomicFile> file;
  if (out) file.emplace(*out);
  std::vector<std::string> kept;
  if (!request.keep.empty()) kept = resolve_lists(request.keep, stored.description().names);
  csv = columns_for(model, csv);
  for (const std::string& name : kept) {
    if (!contains(*csv.only, name)) csv.only->push_back(name);
  }
  Predicted predicted;
  EncodingReport report;
  stored.for_each_window(csv, [&](const Table& window) {
    const Table result = predict_table(request, model, window, some_columns(window, kept));
    merge(report, EncodedTable(window, model.inputs).report());
    fmt::memory_buffer lines;
    if (predicted.rows == 0) csv::append_names(result, lines);
    csv::append_rows(result, lines);
    predicted.rows += window.rows();
    if (file) {
      file->write({reinterpret_cast<const std::uint8_t*>(lines.data()), lines.size()});
    } else {
      print_result(fmt::to_string(lines));
    }
    if (InterruptGuard::signal() != 0) {
      fail(ErrorKind::failed_run, "The predictions were interrupted; nothing was written.");
    }
  });
  if (file) file->commit();
  predicted.remarks = remarks_on(report);
  return predicted;
}

int run_in_windows(const Request& request, const Model& model, const StoredTable& stored,
                   const CsvOptions& csv) {
  const InterruptGuard guard;
  const bool to_file = !is_standard_output(request.out);
  Predicted predicted;
  try {
    predicted = predict_windows(request, model, stored, csv, to_file ? &request.out : nullptr);
  } catch (const Error& error) {
    if (InterruptGuard::signal() == 0 || error.kind() != ErrorKind::failed_run) throw;
    print_remarks({error.what()});
    return 128 + InterruptGuard::signal();
  }
  if (!request.quiet) print_remarks(predicted.remarks);
  if (request.json) {
    print_result(Json{{"command", "predict"},
                      {"model", request.model},
                      {"data", {{"source", stored.description().source}, {"rows", predicted.rows}}},
                      {"remarks", predicted.remarks},
                      {"out", request.out}});
  } else if (to_file) {
    print_result(fmt::format("{} in {}\n", count(predicted.rows, "prediction"), request.out));
  }
  return kDone;
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
  const DataSource data(request.data, request.options.seed);
  const CsvOptions csv_format = csv_options(request.csv, data, model.cells);
  // A document has to be put together in memory.
  if (data.stored() && (to_file || !request.json)) {
    return run_in_windows(request, model, *data.stored(), csv_format);
  }
  const Table table = data.read(columns_for(model, csv_format));
  Table kept_table = read_kept(request, data, csv_format);
  const std::size_t kept = kept_table.columns.size();
  const Table result = predict_table(request, model, table, std::move(kept_table));
  const std::vector<std::string> remarks = remarks_on(table, model);
  const std::string csv = to_csv(result);
  if (to_file) {
    write_text(request.out, csv);
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
