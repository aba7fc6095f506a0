// SPDX-License-Identifier: MIT
#include <knotwork/encoding.hpp>

#include <array>
#include <utility>

#include <knotwork/named_table.hpp>

#include "base/fail.hpp"
#include "data/encoding_fit.hpp"

namespace knotwork {
namespace {

constexpr std::array<std::pair<InputKind, std::string_view>, 3> kNames{
    {{InputKind::numeric, "numeric"},
     {InputKind::category, "category"},
     {InputKind::missing, "missing"}}};

void check_rows(const Table& table, std::span<const std::size_t> rows) {
  table.check();
  if (rows.empty()) {
    fail(ErrorKind::bad_data,
         "There is no training row in {} to make inputs from; at least one is needed.",
         table.source);
  }
  for (const std::size_t row : rows) {
    if (row < table.rows()) continue;
    fail(ErrorKind::bad_data, "There is no row {} in {}; rows are counted from 0 to below {}.", row,
         table.source, table.rows());
  }
}

}  // namespace

std::string_view to_string(InputKind kind) {
  for (const auto& [known, name] : kNames) {
    if (known == kind) return name;
  }
  fail(ErrorKind::bad_option, "There is no kind of input of number {}; there are {} of them.",
       static_cast<int>(kind), kNames.size());
}

InputKind input_kind_from_name(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [kind, known] : kNames) {
    if (known == name) return kind;
    names.emplace_back(known);
  }
  throw Error(ErrorKind::bad_model, unknown_name_message("kind of input", name, names));
}

Encoding fit_encoding(const Table& table, std::span<const std::size_t> columns,
                      std::span<const std::size_t> rows, std::span<const std::string> keep) {
  check_rows(table, rows);
  EncodingFit fit(table, columns, keep);
  fit.see(table, 0, rows);
  Encoding encoding;
  fit.finish(encoding);
  check_encoding(table, encoding);
  return encoding;
}

}  // namespace knotwork
