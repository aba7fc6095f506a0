// SPDX-License-Identifier: MIT
// The record of a table file: everything about the table but its cells.
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
    std::vector<std::string> categories;  // sorted; none for numbers
    std::string sha256;                   // of its bytes in the file
  };
  std::string source;  // what it was made from
  std::size_t rows = 0;
  CellFormat cells;
  std::vector<Column> columns;
};

// JSON that begins so that starts_like_table_file() can tell tables from models by their first
// bytes. Throws bad_data when a text is not UTF-8.
std::string to_text(const TableRecord& record);
// Throws bad_data: for a model, a newer format, and whatever is not complete or contradicts itself.
TableRecord parse_table_record(std::string_view text, const std::string& source);

}  // namespace knotwork::table
