// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/name_list.hpp"
#include "features/rank_agreement.hpp"
#include "model/merge_reports.hpp"
#include "parallel/watched_work.hpp"
#include "table/csv/write_csv.hpp"
#include "table/table_reader.hpp"

#include <knotwork/predict.hpp>

namespace knotwork {

using namespace model;

namespace {

// A reader of the columns that predictions need and of the columns to keep.
table::TableReader reader_of(const Model& model, const table::TableReader& all,
                             const PredictOptions& options) {
  std::vector<std::string> names;
  for (const InputColumn& input : model.inputs) add_once(names, input.column);
  for (const std::string& name : options.keep) add_once(names, name);
  std::vector<std::size_t> columns;
  for (const std::string& name : names) columns.push_back(all.description().index_of(name));
  return all.with_columns(columns);
}

// Ranks take the windows in turn, one window per rank in each round; end_round(ranks) ends a round.
template <class EndRound>
EncodingReport over_windows(const Model& model, const table::TableReader& all,
                            const PredictOptions& options, const TakePredictions& take,
                            const EndRound& end_round) {
  OneRank alone;
  Ranks& ranks = options.ranks ? *options.ranks : alone;
  const table::TableReader table = reader_of(model, all, options);
  features::check_agreement(&ranks, table);
  const std::size_t rows = table.rows(), size = table.window_rows();
  EncodingReport report;
  std::optional<parallel::WatchedWork> work;
  table::TableReader::together(&ranks, [&] {
    work.emplace(options.monitor.get(), Phase::predicting, static_cast<double>(rows));
  });
  for (std::size_t round = 0; round < rows; round += size * ranks.size()) {
    const std::size_t first = std::min(rows, round + size * ranks.rank());
    table::TableReader::together(&ranks, [&] {
      table.for_each(first, std::min(rows, first + size), [&](const Table& window, std::size_t) {
        take(predict_table(model, window, options), first);
        merge(report, EncodedTable(window, model.inputs).report());
      });
    });
    end_round(ranks);
    const std::size_t end = std::min(rows, round + size * ranks.size());
    table::TableReader::together(&ranks, [&] { work->advance(static_cast<double>(end - round)); });
  }
  model::merge_over(&ranks, report);
  return report;
}

EncodingReport as_csv(const Model& model, const table::TableReader& table, const WriteText& write,
                      const PredictOptions& options) {
  fmt::memory_buffer lines;
  const auto append = [&](const Table& predictions, std::size_t first_row) {
    if (first_row == 0) csv::append_names(predictions, lines);
    csv::append_rows(predictions, lines);
  };
  // The other ranks continue with their next windows while the first one writes.
  const auto write_lines = [&](Ranks& ranks) {
    for (const Ranks::Bytes& text : ranks.gather_at_first({lines.begin(), lines.end()})) {
      write({reinterpret_cast<const char*>(text.data()), text.size()});
    }
    lines.clear();
  };
  return over_windows(model, table, options, append, write_lines);
}

// The rows as the model needs them, together with the columns to keep.
std::shared_ptr<const RowSource> source_of(const Model& model, const StoredTable& table,
                                           const PredictOptions& options) {
  CsvOptions columns = columns_for(model);
  for (const std::string& name : options.keep) add_once(*columns.only, name);
  return rows_of(table, columns);
}

}  // namespace

namespace {

bool has_format(const CsvOptions& csv, const std::string& column) {
  const std::vector<ColumnFormat>& formats = csv.cells.columns;
  return std::any_of(formats.begin(), formats.end(),
                     [&](const ColumnFormat& format) { return format.column == column; });
}

bool is_declared(const CsvOptions& csv, const std::string& column) {
  return std::any_of(csv.dates.begin(), csv.dates.end(),
                     [&](const DateColumn& dates) { return dates.column == column; });
}

// Numbers are declared unless they have a format, which also says what is missing.
void declare_numbers(CsvOptions& csv, const std::string& column) {
  add_once(*csv.only, column);
  if (!has_format(csv, column) && !is_declared(csv, column)) add_once(csv.numeric, column);
}

}  // namespace

CsvOptions columns_for(const Model& model, CsvOptions csv) {
  csv.categorical.clear();
  csv.numeric.clear();
  csv.plain_numbers = true;
  for (const ColumnFormat& format : model.cells.columns) {
    if (!has_format(csv, format.column)) csv.cells.columns.push_back(format);
  }
  std::vector<std::string> dates;
  for (const InputColumn& input : model.inputs) {
    if (input.reads_text()) add_once(csv.categorical, input.column);
    if (input.kind == InputKind::date) add_once(dates, input.column);
  }
  csv.only = csv.categorical;
  for (const InputColumn& input : model.inputs) {
    if (contains(csv.categorical, input.column)) continue;
    if (!contains(dates, input.column)) {
      declare_numbers(csv, input.column);
      continue;
    }
    add_once(*csv.only, input.column);
    if (!has_format(csv, input.column) && !is_declared(csv, input.column)) {
      csv.dates.push_back({input.column});
    }
  }
  return csv;
}

CsvOptions scored_columns_for(const Model& model, CsvOptions csv,
                              const std::string& weight_column) {
  csv = columns_for(model, std::move(csv));
  for (const TargetColumn& target : model.targets) {
    // Labels of classes are read as texts, because they may look like numbers.
    if (target.classes.empty()) {
      declare_numbers(csv, target.column);
    } else {
      add_once(*csv.only, target.column);
    }
  }
  if (!weight_column.empty()) declare_numbers(csv, weight_column);
  return csv;
}

EncodingReport predict_windows(const Model& model, const RowSource& rows,
                               const TakePredictions& take, const PredictOptions& options) {
  return over_windows(model, table::TableReader(table::lent(rows)), options, take, [](Ranks&) {});
}

EncodingReport predict_windows(const Model& model, const StoredTable& table,
                               const TakePredictions& take, const PredictOptions& options) {
  return predict_windows(model, *source_of(model, table, options), take, options);
}

EncodingReport predict_windows(const Model& model, const Table& table, const TakePredictions& take,
                               const PredictOptions& options) {
  return over_windows(model, table::TableReader(table), options, take, [](Ranks&) {});
}

EncodingReport predict_csv(const Model& model, const RowSource& rows, const WriteText& write,
                           const PredictOptions& options) {
  return as_csv(model, table::TableReader(table::lent(rows)), write, options);
}

EncodingReport predict_csv(const Model& model, const StoredTable& table, const WriteText& write,
                           const PredictOptions& options) {
  return predict_csv(model, *source_of(model, table, options), write, options);
}

EncodingReport predict_csv(const Model& model, const Table& table, const WriteText& write,
                           const PredictOptions& options) {
  return as_csv(model, table::TableReader(table), write, options);
}

}  // namespace knotwork
