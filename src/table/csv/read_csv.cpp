// SPDX-License-Identifier: MIT
#include <optional>
#include <utility>

#include <knotwork/table.hpp>

#include "base/fail.hpp"
#include "files/csv_file.hpp"
#include "files/packed/unpacking.hpp"
#include "parallel/watched_work.hpp"
#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/column_types.hpp"
#include "table/csv/header.hpp"
#include "table/csv/row_parser.hpp"
#include "table/csv/second_pass.hpp"
#include "table/csv/text_start.hpp"

namespace knotwork {
namespace {

// One pass reads numbers and counts all other cells; after it is known how each column is read. Many
// tables have only plain numbers and need no second pass. `whole` is the share of the work that this function
// does.
Table parse_unpacked(std::string_view text, std::string source, const CsvOptions& options,
                     Monitor* monitor, parallel::WatchedWork& work, double whole) {
  csv::CellScanner cursor = csv::start_of(csv::text_of(text, source), source, options);
  const csv::CellReader meanings(options.cells);
  const csv::CsvHeader layout = csv::take_layout(cursor, std::move(source), meanings, options);
  Table table = layout.empty_table();
  table.cells = options.cells;
  csv::ColumnTypes tally(layout, meanings);
  const double each = whole / static_cast<double>(text.size());
  csv::read_rows(cursor, layout, meanings, tally, table,
                 [&](std::size_t bytes) { work.advance(each * static_cast<double>(bytes)); });
  if (table.rows() == 0) {
    fail(ErrorKind::bad_data, in_file(layout.source),
         "has a header in line {} but no rows; a table needs at least one row.", layout.first_line);
  }
  tally.count_numbers(table, true);
  const csv::ColumnReadings readings = tally.decide(table.rows());
  std::optional<csv::SecondPass> pass;
  if (csv::needs_second_pass(readings)) {
    pass.emplace(layout, meanings, readings);
    csv::read_again(cursor, *pass, readings, table, monitor);
  }
  tally.describe(table, table.rows(), pass ? &*pass : nullptr);
  work.advance(1);  // completes the work, whatever the shares add up to
  return table;
}

}  // namespace

std::vector<std::string> parse_csv_names(std::string_view text, std::string source,
                                         const CsvOptions& options) {
  std::string unpacked;
  if (files::is_packed(text)) text = unpacked = files::unpack(text, source);
  csv::CellScanner cursor = csv::start_of(csv::text_of(text, source), source, options);
  return csv::take_names(cursor, std::move(source), csv::CellReader(options.cells), options);
}

Table parse_csv(std::string_view text, std::string source, const CsvOptions& options,
                Monitor* monitor) {
  parallel::WatchedWork work(monitor, Phase::reading, 1);
  std::string unpacked;
  if (files::is_packed(text)) {
    text = unpacked = files::unpack(text, source, files::kMaxUnpackedBytes, monitor);
  }
  return parse_unpacked(text, std::move(source), options, monitor, work, 1);
}

std::string read_csv_text(const std::filesystem::path& path, Monitor* monitor) {
  parallel::WatchedWork work(monitor, Phase::reading, 1);
  return csv::read_text(path, monitor, [&, told = 0.0](double share) mutable {
    work.advance(share - std::exchange(told, share));
  });
}

std::string unpack_csv_text(std::string bytes, const std::string& source, Monitor* monitor) {
  parallel::check_stop(monitor);
  if (!files::is_packed(bytes)) return bytes;
  return files::unpack(bytes, source, files::kMaxUnpackedBytes, monitor);
}

Table read_csv(const std::filesystem::path& path, const CsvOptions& options, Monitor* monitor) {
  constexpr double kText = 0.2;  // of the time, roughly
  parallel::WatchedWork work(monitor, Phase::reading, 1);
  // Not through parse_csv(), so that the packed bytes need not stay in memory.
  const std::string text = csv::read_text(path, monitor, [&, told = 0.0](double share) mutable {
    work.advance(kText * (share - std::exchange(told, share)));
  });
  return parse_unpacked(text, path.string(), options, monitor, work, 1 - kText);
}

}  // namespace knotwork
