// SPDX-License-Identifier: MIT
#include "cli/predict_windows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/contains.hpp"
#include "cli/model_source.hpp"
#include "cli/prediction_table.hpp"
#include "data/csv_writer.hpp"
#include "data/table_windows.hpp"
#include "training/evaluate_stored.hpp"
#include "training/rank_agreement.hpp"

namespace knotwork::cli {
namespace {

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

}  // namespace

std::optional<EncodingReport> predict_windows(Ranks& ranks, const Model& model,
                                              const StoredTable& stored, CsvOptions csv,
                                              const WindowRequest& request,
                                              const std::function<void(std::string_view)>& write,
                                              const std::function<bool(double share)>& progress) {
  csv = columns_for(model, csv);
  for (const std::string& name : request.keep) {
    if (!contains(*csv.only, name)) csv.only->push_back(name);
  }
  const TableWindows windows(stored, csv);
  check_agreement(&ranks, windows);
  const std::size_t rows = windows.rows(), size = windows.window_rows();
  EncodingReport report;
  fmt::memory_buffer lines;
  for (std::size_t round = 0; round < rows; round += size * ranks.size()) {
    const bool goes_on = progress(static_cast<double>(round) / static_cast<double>(rows));
    if (ranks.any(!goes_on)) return std::nullopt;
    const std::size_t first = std::min(rows, round + size * ranks.rank());
    lines.clear();
    windows.for_each(first, std::min(rows, first + size), [&](const Table& window, std::size_t) {
      const Table result = predict_table(model, window, some_columns(window, request.keep),
                                         request.spread, request.threads);
      merge(report, EncodedTable(window, model.inputs).report());
      if (first == 0) csv::append_names(result, lines);
      csv::append_rows(result, lines);
    });
    // The others go on with their next windows while the first one writes.
    for (const Ranks::Bytes& text : ranks.gather_at_first({lines.begin(), lines.end()})) {
      write({reinterpret_cast<const char*>(text.data()), text.size()});
    }
  }
  if (ranks.any(!progress(1))) return std::nullopt;
  merge_over(&ranks, report);
  return report;
}

}  // namespace knotwork::cli
