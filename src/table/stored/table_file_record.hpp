// SPDX-License-Identifier: MIT
// A TableRecord describes the table in a table file, without its cells.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/table.hpp>

namespace knotwork::table {

struct TableRecord {
  struct Column {
    std::string name;
    std::vector<std::string> categories;  // sorted; empty for numbers
    std::string sha256;                   // of the column's bytes in the file
    bool is_date = false;                 // numbers that are seconds since 1970-01-01 UTC
  };
  std::string source;  // the name of the table that was converted
  std::size_t rows = 0;
  CellFormat cells;
  std::vector<Column> columns;
};

// The record as JSON, which begins in such a way that starts_like_table_file() can distinguish
// tables from models by their first bytes. Throws bad_data when a text is not UTF-8.
std::string to_text(const TableRecord& record);
// Throws bad_data for a model file, a newer format, and a record that is incomplete or
// contradictory.
TableRecord parse_table_record(std::string_view text, const std::string& source);

}  // namespace knotwork::table
