// SPDX-License-Identifier: MIT
#include "cli/commands/train/train_request.hpp"

#include <unistd.h>

#include <cctype>
#include <charconv>
#include <cstdint>

#include "base/fail.hpp"
#include "cli/options/known_values.hpp"
#include "cli/output/output.hpp"
#include "cli/program/rank_session.hpp"
#include "cli/tables/data_source.hpp"
#include "cli/tables/output_place.hpp"
#include "cli/tables/training_table.hpp"
#include "files/file_io.hpp"

#include <knotwork/training.hpp>

namespace knotwork::cli {
namespace {

std::size_t half_of_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  constexpr std::size_t kUnknown = std::size_t{1} << 30;
  return pages > 0 && size > 0
             ? static_cast<std::size_t>(pages) / 2 * static_cast<std::size_t>(size)
             : kUnknown;
}

// 500M, 8G, 8GB, 4096
std::size_t size_in_bytes(const std::string& text) {
  constexpr std::string_view kUnits = "KMGT";
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  std::string rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (char& letter : rest) letter = static_cast<char>(std::toupper(letter));
  if (rest.size() == 2 && rest.back() == 'B') rest.pop_back();
  const std::size_t unit = rest.empty() ? 0 : kUnits.find(rest.front()) + 1;
  const std::size_t shift = 10 * unit;
  const bool known = rest.empty() || (rest.size() == 1 && unit > 0 && unit <= kUnits.size());
  if (error == std::errc() && known && size > 0 && size <= (SIZE_MAX >> shift)) {
    return size << shift;
  }
  fail(ErrorKind::bad_option, of_option("memory"),
       "--memory must be a whole number of bytes, or of K, M, G or T, such as 500M; not '{}'.",
       text);
}

void add_output_options(App app, TrainRequest& request) {
  const std::string group = "Output";
  app.add_option("--out", request.out,
                 "file for the model, - for standard output (default: model.safetensors)")
      .type_name("FILE")
      .group(group);
  app.add_option("--save-config", request.save_config,
                 "write the options of this run, both given and chosen, to a file for --config")
      .type_name("FILE")
      .group(group);
  add_report_options(app, request.report, "--report",
                     "write an HTML report of the model on the test rows");
  app.add_option("--baselines", request.baselines,
                 "baselines to train for comparison: none, linear, all (default: all)")
      .type_name("WHICH")
      .group(group);
  request.memory = half_of_memory();
  app.add_option_function(
         "--memory",
         [&request](const std::string& text) {
           request.memory = size_in_bytes(text);
           request.memory_given = true;
         },
         "memory for the rows of a table file or .npy in all processes together, such as 500M or "
         "8G; rows that do not fit are kept in a file in the folder TMPDIR (default: half of the "
         "machine's memory)")
      .type_name("SIZE")
      .group("Data");
  app.add_flag("--json", request.json, "print the result as one JSON document").group(group);
  app.add_flag("--progress", request.progress,
               "show progress on standard error even if standard error is not a terminal")
      .group(group);
  app.add_flag("--quiet", request.quiet, "no progress and no remarks on standard error")
      .group(group);
}

using Names = std::vector<std::string>;

void check_model_place(const TrainRequest& request, const Names& inputs) {
  if (!is_standard_output(request.out)) {
    files::check_writable(request.out);
    check_not_an_input("--out", request.out, inputs);
    check_place_of_model("--out", request.out);
  } else if (request.json) {
    fail(ErrorKind::bad_option, of_option("out"),
         "The model and a JSON document cannot both go to standard output; give --out a file.");
  } else if (ranks().size() > 1) {
    fail(ErrorKind::bad_option, of_option("out"),
         "The launcher of the {} processes forwards standard output and may change bytes; give "
         "--out a file.",
         ranks().size());
  } else if (::isatty(STDOUT_FILENO) == 1) {
    fail(ErrorKind::bad_option, of_option("out"),
         "A model cannot be printed on a terminal; give --out a file, or redirect standard output "
         "to a file.");
  }
}

void check_configuration_place(const TrainRequest& request, const Names& inputs) {
  if (request.save_config.empty()) return;
  if (is_standard_output(request.save_config)) {
    fail(ErrorKind::bad_option, of_option("save-config"),
         "--save-config {} is not a file name; name a file for the configuration.",
         request.save_config);
  }
  if (lead_to_one_file(request.save_config, request.out)) {
    fail(ErrorKind::bad_option, of_option("save-config", "out"),
         "--save-config and --out are both {}; name two different files.", request.out);
  }
  if (!request.start.empty() && lead_to_one_file(request.start, request.out)) {
    fail(ErrorKind::bad_option, of_option("save-config"),
         "With --save-config, the run must not replace the model it starts from, {}; give --out "
         "another file.",
         request.start);
  }
  files::check_writable(request.save_config);
  check_not_an_input("--save-config", request.save_config, inputs);
  check_place_of_text("--save-config", request.save_config);
}

void check_report_places(const TrainRequest& request, const Names& inputs) {
  check_places(request.report, "--report", inputs);
  if (request.report.page.empty()) return;
  for (const auto& [option, file] :
       {std::pair{"--out", request.out}, std::pair{"--save-config", request.save_config}}) {
    if (file.empty() || !lead_to_one_file(request.report.page, file)) continue;
    fail(ErrorKind::bad_option, of_option("report"),
         "--report and {} are both {}; name two different files.", option, file);
  }
}

}  // namespace

void add_train_options(App app, TrainRequest& request) {
  request.app = app;
  app.add_option("data", request.data, kDataHelp).type_name("DATA");
  app.add_option("--config", request.config,
                 "TOML file with options by name; options on the command line override it")
      .type_name("FILE");
  app.add_option("--start-from", request.start,
                 "start from this model, with its network, columns and scaling")
      .type_name("MODEL");
  add_table_options(app, request.table);
  add_training_options(app, request.training, true);
  add_checkpoint_options(app, request.checkpoint);
  add_output_options(app, request);
}

void check_request(const TrainRequest& request) {
  if (request.data.empty()) {
    fail(ErrorKind::bad_option, "train needs DATA; knotwork train --help shows the use.");
  }
  with_option("baselines",
              [&] { check_value("choice of baselines", request.baselines, kBaselines); });
  if (request.progress && request.quiet) {
    fail(ErrorKind::bad_option, of_option("progress", "quiet"),
         "--progress and --quiet exclude each other; give only one of them.");
  }
  check_all_can_read(request.data, request.table);
  // A model may be replaced by the model that is trained from it.
  Names inputs = {request.data, request.table.test_rows, request.table.test_data, request.config};
  check_model_place(request, inputs);
  inputs.push_back(request.start);
  check_configuration_place(request, inputs);
  check_report_places(request, inputs);
  if (!request.checkpoint.file.empty() && !request.start.empty() &&
      lead_to_one_file(request.start, request.out)) {
    fail(ErrorKind::bad_option, of_option("checkpoint"),
         "With --checkpoint, the run must not replace the model it starts from, {}; give --out "
         "another file.",
         request.start);
  }
  check_checkpoints(request.checkpoint, inputs,
                    {{"--out", is_standard_output(request.out) ? "" : request.out},
                     {"--save-config", request.save_config},
                     {"--report", request.report.page}});
}

}  // namespace knotwork::cli
