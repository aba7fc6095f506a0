// SPDX-License-Identifier: MIT
// Fuzzes CSV tables, read in several ways.
#include "tests/fuzz/fuzz.hpp"

#include <knotwork/table.hpp>

using namespace knotwork;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CsvOptions comma;
  comma.cells.decimal_comma = true;
  comma.cells.missing = {"-", "9"};
  CsvOptions named;
  named.header = true;
  named.delimiter = ' ';
  CsvOptions unnamed;
  unnamed.header = false;
  CsvOptions spaced;
  spaced.delimiter = kRunsOfSpaces;
  spaced.comment = "#";
  CsvOptions empty;
  empty.comment = "/";
  empty.may_have_no_rows = true;
  for (const CsvOptions& options : {CsvOptions{}, comma, named, unnamed, spaced, empty}) {
    Table table;
    if (!fuzz::takes([&] { table = parse_csv(text, "a table", options); })) continue;
    table.check();
    fuzz::require(table.rows() > 0 || options.may_have_no_rows);
    fuzz::require(parse_csv_names(text, "a table", options) == table.names);
  }
  return 0;
}
