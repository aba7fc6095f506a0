// SPDX-License-Identifier: MIT
#include "table/csv/row_parser.hpp"

#include <algorithm>
#include <cfenv>
#include <cstddef>
#include <vector>

#include "base/huge_pages.hpp"
#include "table/csv/number_cells.hpp"

namespace knotwork::csv {
namespace {

// Collects rows in a block of memory that stays in the cache, and copies them to the columns from
// there.
class RowPass {
 public:
  RowPass(const CellScanner& cursor, const CsvHeader& layout, const CellReader& meanings,
          ColumnTypes& tally, Table& table, BlankLines& blank,
          const std::function<void(std::size_t)>& done)
      : done_(done),
        told_(cursor.mark()),
        cursor_(cursor),
        first_row_(cursor),
        layout_(layout),
        meanings_(meanings),
        plain_numbers_(meanings.decimal() == '.' && std::fegetround() == FE_TONEAREST),
        tally_(tally),
        table_(table),
        blank_(blank),
        starts_(layout.has_one_column()),
        block_rows_(std::clamp<std::size_t>(kBlockCells / layout.slots.size(), 1, kMostBlockRows)),
        block_((table.columns.size() + 1) * block_rows_) {
    table_.first_line = cursor_.line();
    // Unread columns share a place after the others.
    for (const std::size_t slot : layout_.slots) {
      places_.push_back(std::min(slot, table.columns.size()) * block_rows_);
    }
  }

  CellScanner run() {
    while (start_row()) {
      take_row(block_.data() + in_block_);
      ++rows_;
      if (++in_block_ == block_rows_) append_block();
    }
    append_block();
    if (blank_.count == 0) blank_.first = starts_.blank_lines().first;
    blank_.count += starts_.blank_lines().count;
    return cursor_;
  }

 private:
  static constexpr std::size_t kSampledRows = 100;
  static constexpr std::size_t kBlockCells = std::size_t{1} << 14;
  static constexpr std::size_t kToldBytes = std::size_t{1} << 17;
  // The cells of a row of up to 136 columns then lie an odd number of cache lines apart, not all in
  // the same few sets.
  static constexpr std::size_t kMostBlockRows = 120;

  bool start_row() {
    if (!starts_.next(cursor_)) return false;
    if (rows_ == 0) table_.first_line = cursor_.line();
    note_line(cursor_.line());
    row_start_ = cursor_.mark();
    return true;
  }

  // Lines are listed only from the first row on whose line does not follow from its number.
  void note_line(std::size_t line) {
    std::vector<std::size_t>& lines = table_.lines;
    if (lines.empty() && line == table_.first_line + rows_) return;
    while (lines.size() < rows_) lines.push_back(table_.first_line + lines.size());
    lines.push_back(line);
  }

  void take_row(double* row) {
    const std::size_t width = places_.size();
    for (std::size_t c = take_numbers(0, row); c < width; c = take_numbers(c + 1, row)) {
      row[places_[c]] = take_other(c);
      const bool more = cursor_.at_delimiter();
      if (more != (c + 1 < width)) refuse_ragged(c + 1);
      if (more) cursor_.skip_delimiter();
    }
    cursor_.take_line_end();
  }

  [[noreturn]] void refuse_ragged(std::size_t cells) const {
    layout_.refuse_ragged(cursor_, cells,
                          {row_start_, static_cast<std::size_t>(cursor_.mark() - row_start_)});
  }

  std::size_t take_numbers(std::size_t column, double* row) {
    return plain_numbers_ ? NumberCells(places_, meanings_).take(cursor_, column, row) : column;
  }

  double take_other(std::size_t column) {
    const Cell cell = layout_.take_cell(cursor_, column);
    return layout_.slots[column] == CsvHeader::kUnread ? 0 : tally_.count(cell, column);
  }

  void append_block() {
    const double* cells = block_.data();
    for (std::vector<double>& column : table_.columns) {
      column.insert(column.end(), cells, cells + in_block_);
      cells += block_rows_;
    }
    in_block_ = 0;
    const auto bytes = static_cast<std::size_t>(cursor_.mark() - told_);
    if (bytes >= kToldBytes) {
      told_ = cursor_.mark();
      done_(bytes);
    }
    if (!reserved_ && rows_ >= kSampledRows && !cursor_.at_end()) reserve_rows();
  }

  // Columns that grow by doubling copy every cell once more. The number is only a guess, because
  // later rows may differ.
  void reserve_rows() {
    const auto used = static_cast<std::size_t>(cursor_.mark() - first_row_.mark());
    const std::size_t rest = cursor_.bytes_left() / used * rows_;
    for (std::vector<double>& column : table_.columns) {
      column.reserve(rest + rest / 16 + 2 * rows_);
      prefer_huge_pages(column.data(), rest * sizeof(double));
    }
    reserved_ = true;
  }

  const std::function<void(std::size_t)>& done_;
  const char* told_;  // the end of the bytes that were reported to done_
  CellScanner cursor_;
  const CellScanner first_row_;
  const CsvHeader& layout_;
  const CellReader& meanings_;
  const bool plain_numbers_;  // numbers have decimal points, so the fast path can be used
  ColumnTypes& tally_;
  Table& table_;
  BlankLines& blank_;
  RowStarts starts_;
  const char* row_start_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t in_block_ = 0;  // number of rows in the block
  bool reserved_ = false;
  const std::size_t block_rows_;
  std::vector<double> block_;        // a column's cells are adjacent
  std::vector<std::size_t> places_;  // for each column of the file, its place in the block
};

}  // namespace

CellScanner read_rows(CellScanner cursor, const CsvHeader& layout, const CellReader& meanings,
                      ColumnTypes& tally, Table& table, BlankLines& blank,
                      const std::function<void(std::size_t bytes)>& done) {
  return RowPass(cursor, layout, meanings, tally, table, blank, done).run();
}

}  // namespace knotwork::csv
