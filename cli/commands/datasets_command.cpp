// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/fail.hpp"
#include "cli/options/training_options.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/output.hpp"
#include "cli/output/plain_words.hpp"
#include "cli/output/program_monitor.hpp"
#include "cli/program/commands.hpp"
#include "cli/tables/output_place.hpp"
#include "cli/tables/table_output.hpp"
#include "files/file_io.hpp"

#include <knotwork/builtin_data.hpp>

namespace knotwork::cli {
namespace {

constexpr std::size_t kMostRows = 10'000'000'000;  // few disks have room for more

struct DatasetsRequest {
  std::string name, out;
  std::size_t rows = 0;       // 0: the set's default
  std::size_t idle = 0;       // inputs without influence on the target
  TrainOptions options;       // for the seed
  bool table_wanted = false;  // an option for a single table was given
  bool json = false;
  bool progress = false;
  bool quiet = false;
};

std::size_t columns_of(const BuiltinSet& set) {
  return set.make(1, 0).columns.size();
}

Json to_json(const BuiltinSet& set) {
  return {{"name", set.name},
          {"summary", set.summary},
          {"rows", set.default_rows},
          {"columns", columns_of(set)}};
}

int list_sets(const DatasetsRequest& request) {
  const auto& sets = builtin_sets().entries();
  if (request.json) {
    Json document = {{"command", "datasets"}, {"datasets", Json::array()}};
    for (const BuiltinSet& set : sets) document["datasets"].push_back(to_json(set));
    print_document(document);
    return kDone;
  }
  std::size_t width = 0;
  for (const BuiltinSet& set : sets) width = std::max(width, set.name.size());
  Lines text;
  for (const BuiltinSet& set : sets) {
    text.push_back(fmt::format("builtin:{:<{}}  {}: {}, {}", set.name, width, set.summary,
                               count(set.default_rows, "row"), count(columns_of(set), "column")));
  }
  print_lines(text);
  return kDone;
}

Table part_of(const DatasetsRequest& request, const BuiltinSet& set, std::size_t first_row,
              std::size_t rows) {
  Table part = set.part(first_row, rows, request.options.seed);
  add_idle_inputs(part, request.idle, first_row, request.options.seed);
  return part;
}

// Writes the rows in windows, so that memory does not limit their number.
template <class Take>
void for_each_window(const DatasetsRequest& request, const BuiltinSet& set, std::size_t rows,
                     const Take& take) {
  constexpr std::size_t kWindow = std::size_t{1} << 16;
  program_monitor()->see({Phase::writing, 0, nullptr});
  for (std::size_t row = 0; row < rows;) {
    const std::size_t count = std::min(kWindow, rows - row);
    take(part_of(request, set, row, count));
    row += count;
    program_monitor()->see(
        {Phase::writing, static_cast<double>(row) / static_cast<double>(rows), nullptr});
    program_monitor()->check();
  }
}

void write_windows(const DatasetsRequest& request, const BuiltinSet& set, std::size_t rows) {
  program_monitor()->show_progress(progress_wish(request.quiet, request.progress));
  program_monitor()->enter(Phase::writing);
  TableOutput out(request.out, part_of(request, set, 0, 0));
  for_each_window(request, set, rows, [&](const Table& window) { out.append(window); });
  out.finish(program_monitor().get());
  program_monitor()->wrote(request.out);
  program_monitor()->hide_progress();
}

void print_windows(const DatasetsRequest& request, const BuiltinSet& set, std::size_t rows) {
  print_data(to_csv(part_of(request, set, 0, 0)));
  for_each_window(request, set, rows,
                  [](const Table& window) { print_data(to_csv(window, false)); });
}

Json values_of(const Table& table) {
  Json values;
  for (std::size_t c = 0; c < table.names.size(); ++c) values[table.names[c]] = table.columns[c];
  return values;
}

int write_set(const DatasetsRequest& request) {
  const std::string name =
      request.name.starts_with("builtin:") ? request.name.substr(8) : request.name;
  const BuiltinSet& set = builtin_sets().at(name);
  const std::size_t rows = request.rows == 0 ? set.default_rows : request.rows;
  const bool to_file = !is_standard_output(request.out);
  Table table;
  if (to_file) {
    files::check_writable(request.out);
    check_place_of_table("--out", request.out);
    write_windows(request, set, rows);
  } else if (request.json) {
    table = part_of(request, set, 0, rows);
  }
  if (request.json) {
    Json document = {{"command", "datasets"}, {"dataset", to_json(set)}};
    document["dataset"]["rows"] = rows;
    document["dataset"]["columns"] = columns_of(set) + request.idle;
    document["seed"] = request.options.seed;
    if (to_file) {
      document["out"] = request.out;
    } else {
      document["table"] = values_of(table);
    }
    print_document(document);
  } else if (to_file) {
    print_lines({fmt::format("{} of builtin:{} in {}", count(rows, "row"), name, request.out)});
  } else {
    print_windows(request, set, rows);
  }
  return kDone;
}

int run(const DatasetsRequest& request) {
  if (!request.name.empty()) return write_set(request);
  if (request.table_wanted) {
    fail(ErrorKind::bad_option, of_option("rows"),
         "--rows, --idle, --seed and --out need the name of a set: {}.",
         listed(builtin_sets().names(), builtin_sets().entries().size()));
  }
  return list_sets(request);
}

void add_number(App app, const std::string& option, std::size_t& number, std::size_t least,
                std::size_t most, const char* help) {
  const auto read = [&number, option, least, most](const std::string& text) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || number < least || number > most) {
      fail(ErrorKind::bad_option, of_typed(option),
           "{} must be a whole number from {} to {}, not '{}'.", option, least, most, text);
    }
  };
  app.add_option_function(option, read, help).type_name("N").group("Output");
}

}  // namespace

Command add_datasets(App program) {
  App app =
      program.add_subcommand("datasets", "List the built-in data sets, or write one as a table");
  auto request = std::make_shared<DatasetsRequest>();
  app.add_option("name", request->name, "the set to write (default: list them all)")
      .type_name("NAME");
  add_number(app, "--rows", request->rows, 1, kMostRows,
             "number of rows to write (default: the number in the list)");
  add_number(
      app, "--idle", request->idle, 0, kMostIdleInputs,
      "number of additional inputs, standard normal, that do not affect the target (default: 0)");
  app.add_option("--out", request->out,
                 "CSV, .safetensors or .npy file for the table (default: print it as CSV)")
      .type_name("FILE")
      .group("Output");
  app.add_flag("--json", request->json, "print the result as one JSON document").group("Output");
  app.add_flag("--progress", request->progress,
               "show progress of --out on standard error even if standard error is not a terminal")
      .group("Output");
  app.add_flag("--quiet", request->quiet, "no progress on standard error").group("Output");
  add_training_option(app, option_field(&TrainOptions::seed), "seed of the sample",
                      request->options);
  app.footer(
      "Examples:\n"
      "  knotwork datasets friedman1 --rows 500 --seed 7 --out friedman1.csv\n"
      "  knotwork datasets planted --rows 50000000 --idle 2 --out planted.safetensors\n"
      "  knotwork datasets");
  return {app, [request, app] {
            for (const char* option : {"--rows", "--idle", "--seed", "--out"}) {
              request->table_wanted |= app.count(option) > 0;
            }
            return run(*request);
          }};
}

}  // namespace knotwork::cli
