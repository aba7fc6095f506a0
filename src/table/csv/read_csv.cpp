// SPDX-License-Identifier: MIT
#include <array>
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
#include "table/text/dialect.hpp"
#include "table/text/json_lines.hpp"
#include "table/text/text_start.hpp"

namespace knotwork {
namespace {

// A text as CSV: JSON lines are converted.
struct CsvText {
  CsvText(std::string_view given, const std::string& source, const CsvOptions& asked,
          const Monitor* monitor)
      : options(asked) {
    if (csv::is_json_lines(given, source)) {
      options = csv::options_for_json(asked, source);
      files::ViewedText lines(given);
      csv::JsonLinesText json(lines, source, options, monitor);
      std::array<char, std::size_t{1} << 16> buffer;
      for (auto got = json.read(buffer); !got.empty(); got = json.read(buffer)) {
        converted.append(got.data(), got.size());
      }
      text = converted;
      remarks = json.remarks();
      first_line = csv::kLineOfJsonNames;
      is_json = true;
    } else {
      text = csv::text_of(given, source);
    }
    const std::string_view sample = csv::sample_of(text);
    dialect = csv::find_dialect(sample, options);
    dialect.counts_quoted_lines = !is_json;
    sampled = csv::CellScanner(sample, dialect, first_line);
    sampled->skip_empty_lines();
  }
  CsvText(const CsvText&) = delete;
  CsvText& operator=(const CsvText&) = delete;

  csv::CellScanner start(const std::string& source) const {
    return csv::start_of(text, source, dialect, first_line);
  }

  CsvOptions options;
  std::string converted;
  std::string_view text;
  std::size_t first_line = 1;
  bool is_json = false;
  csv::Dialect dialect;
  std::optional<csv::CellScanner> sampled;
  std::vector<Remark> remarks;
};

// One pass reads numbers and counts all other cells; after it is known how each column is read. Many
// tables have only plain numbers and need no second pass. `whole` is the share of the work that this
// function does.
Table parse_unpacked(std::string_view bytes, std::string source, const CsvOptions& asked,
                     Monitor* monitor, parallel::WatchedWork& work, double whole) {
  const CsvText csv(bytes, source, asked, monitor);
  const CsvOptions& options = csv.options;
  csv::CellScanner cursor = csv.start(source);
  const csv::CellReader meanings(options.cells);
  const csv::CsvHeader layout =
      csv::take_layout(cursor, std::move(source), meanings, options, *csv.sampled);
  Table table = layout.empty_table();
  table.cells = options.cells;
  if (csv.is_json) table.has_header.reset();
  csv::ColumnTypes tally(layout, meanings);
  csv::BlankLines blank;
  const double each = whole / static_cast<double>(csv.text.size());
  csv::read_rows(cursor, layout, meanings, tally, table, blank,
                 [&](std::size_t done) { work.advance(each * static_cast<double>(done)); });
  if (table.rows() == 0 && !options.may_have_no_rows) {
    fail(ErrorKind::bad_data, in_file(layout.source),
         "has a header in line {} but no rows; a table needs at least one row.", layout.first_line);
  }
  for (const std::vector<Remark>& more : {csv.remarks, layout.remarks_on(blank)}) {
    table.remarks.insert(table.remarks.end(), more.begin(), more.end());
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
  const CsvText csv(text, source, options, nullptr);
  csv::CellScanner cursor = csv.start(source);
  return csv::take_names(cursor, std::move(source), csv::CellReader(options.cells), csv.options,
                         *csv.sampled);
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
