// SPDX-License-Identifier: MIT
#include <knotwork/encoding.hpp>

#include <array>
#include <utility>

#include <knotwork/names.hpp>

#include "base/fail.hpp"
#include "features/encoding/encoding_fit.hpp"

namespace knotwork {

using namespace features;

namespace {

void check_rows(const Table& table, std::span<const std::size_t> rows) {
  table.check();
  if (rows.empty()) {
    fail(ErrorKind::bad_data, about_file(table.source),
         "{} has no training rows; at least one is needed to make inputs.", table.source);
  }
  for (const std::size_t row : rows) {
    if (row < table.rows()) continue;
    fail(ErrorKind::bad_data, about_file(table.source),
         "There is no row {} in {}; it has {} rows, numbered from 0.", row, table.source,
         table.rows());
  }
}

}  // namespace

Encoding fit_encoding(const Table& table, std::span<const std::size_t> columns,
                      std::span<const std::size_t> rows, std::span<const std::string> keep,
                      std::size_t one_hot_max_size) {
  check_rows(table, rows);
  EncodingFit fit(table, columns, {keep, one_hot_max_size});
  fit.see(table, 0, rows);
  Encoding encoding;
  fit.finish(encoding);
  check_encoding(table, encoding);
  return encoding;
}

}  // namespace knotwork
