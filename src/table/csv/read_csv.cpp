// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <knotwork/table.hpp>

#include "base/fail.hpp"
#include "files/csv_file.hpp"
#include "files/gzip.hpp"
#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/column_types.hpp"
#include "table/csv/header.hpp"
#include "table/csv/row_parser.hpp"
#include "table/csv/text_columns.hpp"
#include "table/csv/text_start.hpp"

namespace knotwork {
namespace {

// Which columns are text is known at the end of a pass that reads numbers and counts the rest;
// where none is, as in most tables, that pass was all.
Table parse_unpacked(std::string_view text, std::string source, const CsvOptions& options) {
  csv::CellScanner cursor = csv::start_of(csv::text_of(text, source), source, options);
  const csv::CellReader meanings(options.cells);
  const csv::CsvHeader layout = csv::take_layout(cursor, std::move(source), meanings, options);
  Table table = layout.empty_table();
  table.cells = options.cells;
  csv::ColumnTypes tally(layout, meanings);
  csv::read_rows(cursor, layout, meanings, tally, table);
  if (table.rows() == 0) {
    fail(ErrorKind::bad_data,
         "{} has a header in line {} and nothing below it, but a table needs at least one row.",
         layout.source, layout.first_line);
  }
  const std::vector<bool> is_text = tally.find_text_columns(table.rows());
  if (std::find(is_text.begin(), is_text.end(), true) != is_text.end()) {
    csv::read_labels(cursor, layout, meanings, is_text, table);
  }
  return table;
}

}  // namespace

std::vector<std::string> parse_csv_names(std::string_view text, std::string source,
                                         const CsvOptions& options) {
  std::string unpacked;
  if (files::is_gzip(text)) text = unpacked = files::gunzip(text, source);
  csv::CellScanner cursor = csv::start_of(csv::text_of(text, source), source, options);
  return csv::take_names(cursor, std::move(source), csv::CellReader(options.cells), options);
}

Table parse_csv(std::string_view text, std::string source, const CsvOptions& options) {
  if (!files::is_gzip(text)) return parse_unpacked(text, std::move(source), options);
  const std::string unpacked = files::gunzip(text, source);
  return parse_unpacked(unpacked, std::move(source), options);
}

std::string read_csv_text(const std::filesystem::path& path) {
  return csv::read_text(path);
}

std::string unpack_csv_text(std::string bytes, const std::string& source) {
  return files::is_gzip(bytes) ? files::gunzip(bytes, source) : bytes;
}

Table read_csv(const std::filesystem::path& path, const CsvOptions& options) {
  // Not through parse_csv: the packed bytes need not stay in memory.
  return parse_unpacked(csv::read_text(path), path.string(), options);
}

}  // namespace knotwork
