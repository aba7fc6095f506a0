// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "cli/options/table_request.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/output.hpp"
#include "cli/output/plain_words.hpp"
#include "cli/output/program_monitor.hpp"
#include "cli/program/commands.hpp"
#include "cli/tables/output_place.hpp"
#include "cli/tables/table_output.hpp"
#include "files/file_io.hpp"

#include <knotwork/stored_table.hpp>

namespace knotwork::cli {
namespace {

struct ConvertRequest {
  std::string data, out;
  std::vector<std::string> drop, categorical, numeric;
  CsvRequest csv;
  bool json = false;
  bool progress = false;
  bool quiet = false;
};

CsvSource open_text(const ConvertRequest& request) {
  Monitor* const monitor = program_monitor().get();
  if (request.data != "-") return CsvSource(request.data, monitor);
  return CsvSource("standard input", request.out, read_standard_input, monitor);
}

// Keeps all columns except the columns of --drop.
void leave_out(const ConvertRequest& request, const std::vector<std::string>& names,
               const std::string& source, CsvOptions& csv) {
  const std::vector<std::string> drop = resolve_lists(request.drop, names);
  if (drop.empty()) return;
  const Table all{.source = source, .names = names, .columns = {}};
  for (const std::string& name : drop) all.index_of(name);
  csv.only.emplace();
  for (const std::string& name : names) {
    if (!contains(drop, name)) csv.only->push_back(name);
  }
  if (csv.only->empty()) {
    fail(ErrorKind::bad_option, of_option("drop"), "--drop removes every column of {}.", source);
  }
}

CsvOptions options_for(const ConvertRequest& request, CsvSource& text) {
  CsvOptions csv = csv_options(request.csv);
  if (request.drop.empty() && request.categorical.empty() && request.numeric.empty() &&
      request.csv.dates.empty() && request.csv.no_dates.empty()) {
    return csv;
  }
  const std::vector<std::string> names = text.names(csv, program_monitor().get());
  csv.categorical = resolve_lists(request.categorical, names);
  csv.numeric = resolve_lists(request.numeric, names);
  declare_dates(request.csv, names, csv);
  leave_out(request, names, text.name(), csv);
  return csv;
}

// Returns what the reader decided.
std::vector<Remark> convert_text_table(const ConvertRequest& request, Monitor* monitor) {
  CsvSource text = open_text(request);
  const CsvOptions csv = options_for(request, text);
  if (format_of(request.out) == TableFormat::table_file) {
    text.convert(request.out, csv, monitor);
    return text.remarks();
  }
  const PassingTable passing(request.out);
  passing.name_the_other([&] { text.convert(passing.path(), csv, monitor); });
  write_stored(StoredTable(passing.path()), request.out, {}, monitor);
  return text.remarks();
}

void refuse_options_of_text(const ConvertRequest& request) {
  const std::string why = "it is for tables in text form, and this file is not one.";
  refuse_csv_options(request.csv, why);
  for (const auto& [names, option] :
       {std::pair(&request.categorical, "categorical"), std::pair(&request.numeric, "numeric")}) {
    if (!names->empty()) {
      fail(ErrorKind::bad_option, of_option(option), "--{} would have no effect: {}", option, why);
    }
  }
}

void check_request(const ConvertRequest& request) {
  if (is_builtin(request.data)) {
    fail(ErrorKind::bad_option, "{} is not a file; knotwork datasets {} --out {} writes it to one.",
         request.data, request.data.substr(request.data.find(':') + 1), request.out);
  }
  const std::string ending = std::filesystem::path(request.out).extension().string();
  if (ending != ".csv" && ending != ".safetensors" && ending != ".npy") {
    fail(ErrorKind::bad_option,
         "The name {} does not tell the format of the table; use a name that ends in .safetensors, "
         ".npy or .csv.",
         request.out);
  }
  files::check_writable(request.out);
  check_not_an_input("OUT", request.out, {request.data});
  check_place_of_table("OUT", request.out);
}

std::vector<Remark> convert(const ConvertRequest& request, Monitor* monitor) {
  if (request.data == "-" || !is_stored_table_file(request.data)) {
    return convert_text_table(request, monitor);
  }
  refuse_options_of_text(request);
  const StoredTable stored(request.data);
  CsvOptions columns;
  leave_out(request, stored.description().names, request.data, columns);
  write_stored(stored, request.out, columns, monitor);
  return {};
}

// Describes the table as its own reader sees it; for CSV this would take too long.
void print(const ConvertRequest& request, double seconds, const std::vector<std::string>& remarks) {
  const std::uintmax_t bytes = std::filesystem::file_size(request.out);
  std::optional<StoredTable> table;
  if (format_of(request.out) != TableFormat::csv) table.emplace(request.out);
  if (request.json) {
    Json document = {{"command", "convert"}, {"data", {{"source", request.data}}},
                     {"out", request.out},   {"bytes", bytes},
                     {"seconds", seconds},   {"remarks", remarks}};
    if (table) {
      document["data"]["rows"] = table->rows();
      document["data"]["columns"] = table->columns();
    }
    return print_document(document);
  }
  const std::string what = table ? fmt::format("{} of {}, ", count(table->rows(), "row"),
                                               count(table->columns(), "column"))
                                 : std::string();
  print_lines({fmt::format("{}: {}{:.3g} MB in {}", request.out, what,
                           static_cast<double>(bytes) / 1e6, duration(seconds))});
}

int run(const ConvertRequest& request) {
  const ProgressWish wish = progress_wish(request.quiet, request.progress);
  check_request(request);
  const std::shared_ptr<ProgramMonitor> monitor = program_monitor();
  monitor->show_progress(wish);
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<std::string> remarks = remark_texts(convert(request, monitor.get()));
  monitor->wrote(request.out);
  monitor->hide_progress();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (!request.quiet) print_remarks(remarks);
  print(request, seconds.count(), remarks);
  return kDone;
}

void add_names(App app, const char* option, std::vector<std::string>& names, const char* help) {
  app.add_option(option, names, help).type_name("COL").allow_extra_args(false).group("Data");
}

}  // namespace

Command add_convert(App program) {
  App app = program.add_subcommand("convert", "Convert a table of any size to another file format");
  auto request = std::make_shared<ConvertRequest>();
  app.add_option(
         "table", request->data,
         "a CSV file or JSON lines (also packed), a table file, a .npy file, or - for standard "
         "input")
      .required()
      .type_name("FILE");
  app.add_option("out", request->out,
                 "file to write; its ending sets the format: .safetensors for a table file, which "
                 "the other commands read far faster than CSV; .npy (numbers only); .csv")
      .required()
      .type_name("OUT");
  add_names(app, "--drop", request->drop,
            "column to leave out; for several columns repeat the option or use commas");
  add_names(app, "--categorical", request->categorical,
            "column to read as text, even if it looks like numbers; for several columns repeat the "
            "option or use commas");
  add_names(app, "--numeric", request->numeric,
            "column of numbers, in which other texts are errors; for several columns repeat the "
            "option or use commas");
  add_csv_options(app, request->csv);
  app.add_flag("--json", request->json, "print the result as one JSON document").group("Output");
  app.add_flag("--progress", request->progress,
               "show progress on standard error even if standard error is not a terminal")
      .group("Output");
  app.add_flag("--quiet", request->quiet, "no progress and no remarks on standard error")
      .group("Output");
  app.footer(
      "The memory does not grow with the number of rows. The disk of OUT needs space for the "
      "numbers.\n"
      "\n"
      "Examples:\n"
      "  knotwork convert table.csv table.safetensors\n"
      "  knotwork convert table.csv.gz table.safetensors --drop id --missing -999\n"
      "  knotwork convert array.npy table.safetensors\n"
      "  knotwork convert table.safetensors table.csv\n"
      "  cat table.csv | knotwork convert - table.safetensors");
  return {app, [request] { return run(*request); }};
}

}  // namespace knotwork::cli
