// SPDX-License-Identifier: MIT
#include "table/csv/second_pass.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "parallel/watched_work.hpp"

namespace knotwork::csv {
namespace {

constexpr std::size_t kBetweenChecks = 4096;  // rows, or comparisons of texts

}  // namespace

std::optional<std::size_t> Dictionary::find(std::string_view text) const {
  const auto found = numbers_.find(text);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t Dictionary::add(std::string_view text) {
  const std::size_t number = texts_.size();
  numbers_.emplace(texts_.emplace_back(text), number);
  return number;
}

Dictionary::Sorted Dictionary::sort(const Monitor* monitor) const {
  std::vector<std::size_t> order(texts_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t comparisons = 0;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (++comparisons % kBetweenChecks == 0) parallel::check_stop(monitor);
    return texts_[a] < texts_[b];
  });
  Sorted sorted{.labels = {}, .ranks = std::vector<double>(order.size())};
  sorted.labels.reserve(order.size());
  for (const std::size_t number : order) {
    sorted.ranks[number] = static_cast<double>(sorted.labels.size());
    sorted.labels.push_back(texts_[number]);
  }
  return sorted;
}

SecondPass::SecondPass(const CsvHeader& layout, const CellReader& meanings,
                       const ColumnReadings& readings)
    : layout_(layout),
      meanings_(meanings),
      readings_(readings),
      dictionaries_(layout.chosen.size()),
      formatted_(layout.chosen.size()) {
  for (const std::size_t slot : layout.slots) {
    const bool is_read = slot != CsvHeader::kUnread && needs_second_pass(readings[slot]);
    slots_.push_back(is_read ? slot : CsvHeader::kUnread);
    if (is_read && readings[slot].kind == ColumnReading::Kind::formatted) {
      formatted_[slot].emplace(*readings[slot].format);
    }
  }
}

CellScanner SecondPass::take_rows(CellScanner cursor, std::size_t rows, Table& table,
                                  const Monitor* monitor) {
  RowStarts starts(layout_.has_one_column());
  for (std::size_t row = 0; row < rows; ++row) {
    if (row % kBetweenChecks == 0) parallel::check_stop(monitor);
    starts.next(cursor);
    take_row(cursor, row, table);
  }
  return cursor;
}

std::vector<Dictionary::Sorted> SecondPass::finish(const Monitor* monitor) const {
  std::vector<Dictionary::Sorted> sorted;
  for (const Dictionary& dictionary : dictionaries_) sorted.push_back(dictionary.sort(monitor));
  return sorted;
}

void SecondPass::take_row(CellScanner& cursor, std::size_t row, Table& table) {
  for (std::size_t c = 0; c < slots_.size(); ++c) {
    const Cell cell = cursor.take_cell();
    if (slots_[c] != CsvHeader::kUnread) table.columns[slots_[c]][row] = value_of(cell, c);
    if (cursor.at_delimiter()) cursor.skip_delimiter();
  }
  cursor.take_line_end();
}

double SecondPass::value_of(const Cell& cell, std::size_t column) {
  if (meanings_.is_missing(cell)) return std::numeric_limits<double>::quiet_NaN();
  if (formatted_[slots_[column]]) return formatted_value(cell, column);
  Dictionary& dictionary = dictionaries_[slots_[column]];
  const std::string_view text = cell.content(buffer_);
  if (const auto known = dictionary.find(text)) return static_cast<double>(*known);
  // Texts go into model files, like names.
  if (!is_utf8(text)) {
    layout_.refuse(cell.line, column, "'{}' is not UTF-8; save the table as UTF-8 text.",
                   shown(text));
  }
  return static_cast<double>(dictionary.add(text));
}

double SecondPass::formatted_value(const Cell& cell, std::size_t column) {
  double value = std::numeric_limits<double>::quiet_NaN();
  const std::string_view text = trimmed(cell.content(buffer_));
  const CellKind kind = formatted_[slots_[column]]->read(text, value);
  if (kind == CellKind::number) return value;
  const bool is_unusable = kind == CellKind::not_finite || kind == CellKind::out_of_range;
  if (is_unusable || readings_[slots_[column]].is_strict) {
    refuse_number(layout_, column, meanings_.decimal(), {kind, std::string(text), cell.line});
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void read_again(CellScanner cursor, SecondPass& pass, const ColumnReadings& readings, Table& table,
                const Monitor* monitor) {
  pass.take_rows(cursor, table.rows(), table, monitor);
  std::vector<Dictionary::Sorted> sorted = pass.finish(monitor);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (readings[c].kind != ColumnReading::Kind::text) continue;
    for (double& cell : table.columns[c]) {
      if (!std::isnan(cell)) cell = sorted[c].ranks[static_cast<std::size_t>(cell)];
    }
    table.labels.resize(table.columns.size());
    table.labels[c] = std::move(sorted[c].labels);
  }
}

}  // namespace knotwork::csv
