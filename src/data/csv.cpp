// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <knotwork/table.hpp>

#include "base/fail.hpp"
#include "data/csv_cursor.hpp"
#include "data/csv_file.hpp"
#include "data/csv_labels.hpp"
#include "data/csv_layout.hpp"
#include "data/csv_meaning.hpp"
#include "data/csv_rows.hpp"
#include "data/csv_start.hpp"
#include "data/csv_tally.hpp"
#include "data/gzip.hpp"

namespace knotwork {
namespace {

// Which columns are text is known at the end of a pass that reads numbers and counts the rest;
// where none is, as in most tables, that pass was all.
Table parse_unpacked(std::string_view text, std::string source, const CsvOptions& options) {
  csv::Cursor cursor = csv::start_of(csv::text_of(text, source), source, options);
  const csv::Meanings meanings(options.cells);
  const csv::Layout layout = csv::take_layout(cursor, std::move(source), meanings, options);
  Table table = layout.empty_table();
  table.cells = options.cells;
  csv::Tally tally(layout, meanings);
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
  if (is_gzip(text)) text = unpacked = gunzip(text, source);
  csv::Cursor cursor = csv::start_of(csv::text_of(text, source), source, options);
  return csv::take_names(cursor, std::move(source), csv::Meanings(options.cells), options);
}

Table parse_csv(std::string_view text, std::string source, const CsvOptions& options) {
  if (!is_gzip(text)) return parse_unpacked(text, std::move(source), options);
  const std::string unpacked = gunzip(text, source);
  return parse_unpacked(unpacked, std::move(source), options);
}

Table read_csv(const std::filesystem::path& path, const CsvOptions& options) {
  // Not through parse_csv: the packed bytes need not stay in memory.
  return parse_unpacked(csv::read_text(path), path.string(), options);
}

}  // namespace knotwork
