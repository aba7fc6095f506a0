// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/fail.hpp"
#include "cli/options/known_values.hpp"
#include "cli/output/output.hpp"
#include "cli/output/plain_words.hpp"
#include "cli/output/program_monitor.hpp"
#include "cli/program/commands.hpp"
#include "cli/tables/model_input.hpp"
#include "cli/tables/output_place.hpp"
#include "files/file_io.hpp"

#include <knotwork/export_model.hpp>
#include <knotwork/options.hpp>

namespace knotwork::cli {
namespace {

struct ExportRequest {
  std::string model, format, out;
  std::optional<std::string> name;  // for C only
  std::string precision = "auto";
  std::optional<std::string> type;  // of cells and predictions, for C only
  bool json = false;

  bool is_c() const { return format == "c"; }
};

void check_request(const ExportRequest& request) {
  if (request.format.empty()) {
    fail(ErrorKind::bad_option, of_option("format"), "export needs --format: {}.",
         fmt::join(kExportFormats, " or "));
  }
  check_value("format", request.format, kExportFormats);
  if (request.out.empty()) {
    fail(ErrorKind::bad_option, of_option("out"),
         "export needs --out FILE; --out - is standard output.");
  }
  if (request.json && is_standard_output(request.out)) {
    fail(ErrorKind::bad_option, of_option("json", "out"),
         "--json and --out - would both go to standard output; name a file with --out.");
  }
  const TrainOptionField& precision = option_field(&TrainOptions::precision);
  check_value(precision.name, request.precision, precision.values);
  if (request.type) check_value("type", *request.type, names<Precision>());
  if (request.is_c()) return;
  if (request.type) {
    fail(ErrorKind::bad_option, of_option("type"),
         "--type would have no effect: it is for --format c; an ONNX file takes and gives float.");
  }
  if (request.name) {
    fail(ErrorKind::bad_option, of_option("name"),
         "--name would have no effect: it is for --format c.");
  }
  if (request.precision == "double") {
    fail(ErrorKind::bad_option, of_option("precision"),
         "--precision double is for --format c; the networks of an ONNX file are in float.");
  }
  if (is_standard_output(request.out) && ::isatty(STDOUT_FILENO) == 1) {
    fail(ErrorKind::bad_option, of_option("out"),
         "An ONNX file cannot be printed on a terminal; name a file with --out.");
  }
}

Precision type_of(const ExportRequest& request) {
  if (!request.is_c()) return Precision::float32;
  return request.type ? from_string<Precision>(*request.type) : CExportOptions().type;
}

Precision precision_of(const ExportRequest& request, const Model& model) {
  if (!request.is_c()) return Precision::float32;
  return request.precision == "auto" ? model.precision : from_string<Precision>(request.precision);
}

std::vector<std::string> remarks_on_export(const ExportRequest& request, const Model& model) {
  if (type_of(request) == Precision::float64) return {};
  return float_remarks(model, request.is_c() ? "export with --type double" : "");
}

std::string export_model(const ExportRequest& request, const Model& model) {
  if (request.is_c()) {
    CExportOptions options{.precision = precision_of(request, model), .type = type_of(request)};
    if (request.name) options.name = *request.name;
    options.monitor = program_monitor();
    return to_c(model, options);
  }
  const std::vector<std::uint8_t> bytes = to_onnx(model, program_monitor().get());
  return {bytes.begin(), bytes.end()};
}

Json inputs_of(const ExportRequest& request, const Model& model) {
  const ExportColumns columns = export_columns(model);
  const OnnxNames names = onnx_names(model, columns);
  Json list = Json::array();
  for (std::size_t c = 0; c < columns.columns.size(); ++c) {
    const ExportColumn& column = columns.columns[c];
    const char* kind = column.text ? "text" : column.date ? "date" : "number";
    Json input = {{"column", column.name}, {"kind", kind}};
    if (!request.is_c()) input["name"] = names.inputs[c];
    if (column.levels) {
      input["number_of_texts"] = column.levels->size();
    } else if (column.text) {
      input["categories"] = column.categories;
    }
    if (column.fill == column.fill) input["fill"] = column.fill;
    list.push_back(std::move(input));
  }
  return list;
}

Json to_document(const ExportRequest& request, const Model& model, std::size_t bytes,
                 const std::vector<std::string>& remarks) {
  Json document = {{"command", "export"},
                   {"model", request.model},
                   {"format", request.format},
                   {"out", request.out},
                   {"bytes", bytes},
                   {"precision", to_string(precision_of(request, model))},
                   {"type", to_string(type_of(request))},
                   {"inputs", inputs_of(request, model)},
                   {"outputs", model.prediction_names()},
                   {"parameters_sha256", model.parameters_sha256()},
                   {"remarks", remarks}};
  if (request.is_c()) document["name"] = request.name.value_or("predict");
  return document;
}

int run(const ExportRequest& request) {
  check_request(request);
  const bool to_file = !is_standard_output(request.out);
  const Model model = read_model(request.model);
  if (to_file) {
    files::check_writable(request.out);
    check_not_an_input("--out", request.out, {request.model});
    check_place_of_text("--out", request.out);
  }
  const std::string bytes = export_model(request, model);
  const std::vector<std::string> remarks = remarks_on_export(request, model);
  print_remarks(remarks);
  if (!to_file) {
    print_data(bytes);
    return kDone;
  }
  write_text(request.out, bytes);
  if (request.json) {
    print_document(to_document(request, model, bytes.size(), remarks));
  } else {
    print_lines({fmt::format("{} to {} in {} ({} bytes)",
                             count(export_columns(model).columns.size(), "column"),
                             count(model.predictions(), "prediction"), request.out, bytes.size())});
  }
  return kDone;
}

}  // namespace

Command add_export(App program) {
  App app = program.add_subcommand("export", "Write a model as ONNX or as C");
  auto request = std::make_shared<ExportRequest>();
  app.add_option("model", request->model, kModelHelp).required().type_name("MODEL");
  app.add_option("--format", request->format,
                 "onnx for onnxruntime and similar programs, c for a C99 header")
      .type_name("NAME")
      .group("Output");
  app.add_option("--out", request->out, "file to write; - for standard output")
      .type_name("FILE")
      .group("Output");
  app.add_option("--name", request->name, "name of the function in C (default: predict)")
      .type_name("NAME")
      .group("Output");
  app.add_option("--precision", request->precision,
                 "precision of the network, float or double, for C only (default: auto, the "
                 "precision of the model); ONNX files are in float")
      .type_name("NAME")
      .group("Output");
  app.add_option("--type", request->type,
                 "type of the cells and predictions in C, double or float (default: double)")
      .type_name("NAME")
      .group("Output");
  app.add_flag("--json", request->json, "print the result as one JSON document").group("Output");
  app.footer(
      "Both formats include scaling, texts and missing cells: they take the columns of a table.\n\n"
      "Examples:\n"
      "  knotwork export model.safetensors --format onnx --out model.onnx\n"
      "  knotwork export model.safetensors --format c --out predict.h\n"
      "  knotwork export price.safetensors --format c --name price --type float --out "
      "price.h");
  return {app, [request] { return run(*request); }};
}

}  // namespace knotwork::cli
