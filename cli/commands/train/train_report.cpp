// SPDX-License-Identifier: MIT
#include "cli/commands/train/train_report.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/options/command_line.hpp"
#include "cli/output/layer_use_text.hpp"
#include "cli/output/output.hpp"
#include "cli/output/plain_words.hpp"
#include "cli/output/program_monitor.hpp"

namespace knotwork::cli {

std::optional<WrittenReport> report_on(const TrainRequest& request, const Model& model,
                                       const TrainingTable& data, const Table* test,
                                       const PreparedData& prepared, const TrainOptions& options) {
  constexpr std::size_t kMostRows = 100'000;  // for a table that stays in its file
  ReportOptions look;
  look.model_name =
      is_standard_output(request.out) ? "" : std::filesystem::path(request.out).filename().string();
  look.command = command_line(*request.app);
  look.weight_column = request.table.weight_column;
  look.seed = options.seed;
  look.threads = options.threads;
  look.table = test ? test : &data.table;
  Table some;
  if (!test) {
    const bool tested = prepared.test_rows() > 0;
    const std::size_t rows = tested ? prepared.test_rows() : prepared.training_rows();
    if (data.stored) {
      some = prepared.some_rows(tested, kMostRows);
      look.table = &some;
    } else {
      look.rows = tested ? prepared.partition().test : prepared.partition().train;
    }
    look.rows_name = fmt::format(
        "{}the {}{}", rows > kMostRows && data.stored ? fmt::format("{} of ", kMostRows) : "",
        count(rows, tested ? "test row" : "training row"),
        tested && model.training.refitted ? ", which the model was trained on too," : "");
  }
  look.monitor = program_monitor();
  try {
    program_monitor()->show_progress(progress_wish(request.quiet, request.progress));
    WrittenReport written = write_report(model, look, request.report);
    program_monitor()->hide_progress();
    return written;
  } catch (const Error& error) {
    program_monitor()->hide_progress();
    if (error.kind() != ErrorKind::stopped) throw;
    return std::nullopt;
  }
}

DataFacts facts_of(const TrainingTable& data, const PreparedData& prepared) {
  DataFacts facts{data.table.source, data.rows(), data.table.names.size(), 0,
                  prepared.missing_cells(), prepared.rows_without_target()};
  facts.has_header = data.table.has_header;
  for (std::size_t c = 0; c < facts.columns; ++c) facts.text_columns += data.table.is_text(c);
  return facts;
}

std::vector<LayerUse> use_of_layers(const Model& model, const TrainingTable& data,
                                    const PreparedData& prepared, std::size_t threads) {
  Monitor* const monitor = program_monitor().get();
  try {
    program_monitor()->check();
    if (!data.stored) {
      return layer_use(model, data.table, prepared.partition().train, threads, monitor);
    }
    return layer_use(model, prepared.some_rows(false, kLayerUseRows), {}, threads, monitor);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::stopped) throw;
    return {};  // after an interrupt, do not make the user wait
  }
}

}  // namespace knotwork::cli
