// SPDX-License-Identifier: MIT
// Fuzzes JSON lines: whatever is read has all its values in a table.
#include <string>

#include "table/text/json_lines.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <knotwork/table.hpp>

using namespace knotwork;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CsvOptions comma;
  comma.cells.decimal_comma = true;
  for (const CsvOptions& options : {CsvOptions{}, comma}) {
    // The name says that these are JSON lines, whatever the text is.
    Table table;
    if (!fuzz::takes([&] { table = parse_csv(text, "a.jsonl", options); })) continue;
    table.check();
    fuzz::require(table.rows() > 0 && !table.has_header);
    fuzz::require(table.rows() <= size && table.place_of(table.rows() - 1).line <= size);
    fuzz::require(parse_csv_names(text, "a.jsonl", options) == table.names);
  }
  return 0;
}
