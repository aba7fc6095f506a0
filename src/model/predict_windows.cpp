// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/name_list.hpp"
#include "features/rank_agreement.hpp"
#include "model/merge_reports.hpp"
#include "table/csv/write_csv.hpp"
#include "table/table_reader.hpp"

#include <knotwork/predict.hpp>

namespace knotwork {

using namespace model;

namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!contains(names, name)) names.push_back(name);
}

table::TableReader reader_of(const Model& model, const StoredTable& table,
                             const PredictOptions& options) {
  CsvOptions columns = columns_for(model);
  for (const std::string& name : options.keep) add_once(*columns.only, name);
  return table::TableReader(table, columns);
}

table::TableReader reader_of(const Model&, const Table& table, const PredictOptions&) {
  table.check();
  return table::TableReader(table);
}

// Processes take the windows in turn, one in a round, which end_round(ranks) ends.
template <class EndRound>
std::optional<EncodingReport> over_windows(const Model& model, const table::TableReader& table,
                                           const PredictOptions& options,
                                           const TakePredictions& take, const EndRound& end_round) {
  OneRank alone;
  Ranks& ranks = options.ranks ? *options.ranks : alone;
  features::check_agreement(&ranks, table);
  const auto is_ended = [&](double share) {
    return ranks.any(options.progress && !options.progress(share));
  };
  const std::size_t rows = table.rows(), size = table.window_rows();
  EncodingReport report;
  for (std::size_t round = 0; round < rows; round += size * ranks.size()) {
    if (is_ended(static_cast<double>(round) / static_cast<double>(rows))) return std::nullopt;
    const std::size_t first = std::min(rows, round + size * ranks.rank());
    table.for_each(first, std::min(rows, first + size), [&](const Table& window, std::size_t) {
      take(predict_table(model, window, options), first);
      merge(report, EncodedTable(window, model.inputs).report());
    });
    end_round(ranks);
  }
  if (is_ended(1)) return std::nullopt;
  model::merge_over(&ranks, report);
  return report;
}

std::optional<EncodingReport> as_csv(const Model& model, const table::TableReader& table,
                                     const WriteText& write, const PredictOptions& options) {
  fmt::memory_buffer lines;
  const auto append = [&](const Table& predictions, std::size_t first_row) {
    if (first_row == 0) csv::append_names(predictions, lines);
    csv::append_rows(predictions, lines);
  };
  // The other processes go on with their next windows while the first one writes.
  const auto write_lines = [&](Ranks& ranks) {
    for (const Ranks::Bytes& text : ranks.gather_at_first({lines.begin(), lines.end()})) {
      write({reinterpret_cast<const char*>(text.data()), text.size()});
    }
    lines.clear();
  };
  return over_windows(model, table, options, append, write_lines);
}

}  // namespace

CsvOptions columns_for(const Model& model, CsvOptions csv) {
  csv.categorical.clear();
  csv.numeric.clear();
  for (const InputColumn& input : model.inputs) {
    add_once(input.kind == InputKind::category ? csv.categorical : csv.numeric, input.column);
  }
  csv.only = csv.categorical;
  csv.only->insert(csv.only->end(), csv.numeric.begin(), csv.numeric.end());
  return csv;
}

CsvOptions scored_columns_for(const Model& model, CsvOptions csv,
                              const std::string& weight_column) {
  csv = columns_for(model, std::move(csv));
  for (const TargetColumn& target : model.targets) {
    add_once(*csv.only, target.column);
    // Labels of classes are read as they look: numbers may be some.
    if (target.classes.empty()) add_once(csv.numeric, target.column);
  }
  if (!weight_column.empty()) {
    add_once(*csv.only, weight_column);
    add_once(csv.numeric, weight_column);
  }
  return csv;
}

std::optional<EncodingReport> predict_windows(const Model& model, const StoredTable& table,
                                              const TakePredictions& take,
                                              const PredictOptions& options) {
  return over_windows(model, reader_of(model, table, options), options, take, [](Ranks&) {});
}

std::optional<EncodingReport> predict_windows(const Model& model, const Table& table,
                                              const TakePredictions& take,
                                              const PredictOptions& options) {
  return over_windows(model, reader_of(model, table, options), options, take, [](Ranks&) {});
}

std::optional<EncodingReport> predict_csv(const Model& model, const StoredTable& table,
                                          const WriteText& write, const PredictOptions& options) {
  return as_csv(model, reader_of(model, table, options), write, options);
}

std::optional<EncodingReport> predict_csv(const Model& model, const Table& table,
                                          const WriteText& write, const PredictOptions& options) {
  return as_csv(model, reader_of(model, table, options), write, options);
}

}  // namespace knotwork
