// SPDX-License-Identifier: MIT
// Almost all the time of reading a table goes by here. What is rare stays in other files, out of
// the compiler's reach: once it is inlined, the compiler no longer inlines the reading of numbers.
#include "data/csv_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/huge_pages.hpp"

namespace knotwork::csv {
namespace {

class RowPass {
 public:
  RowPass(const Cursor& cursor, const Layout& layout, const Meanings& meanings, Tally& tally,
          Table& table)
      : cursor_(cursor),
        first_row_(cursor),
        layout_(layout),
        missing_numbers_(meanings.missing_numbers()),
        plain_(meanings.decimal() == '.'),
        tally_(tally),
        table_(table) {
    table_.first_line = cursor_.line();
  }

  void run() {
    while (start_row()) {
      take_row();
      if (table_.rows() == kSampledRows) reserve_rows();
    }
  }

 private:
  static constexpr std::size_t kSampledRows = 100;

  // Blank lines may end a table, not interrupt it: a row could have been lost there.
  bool start_row() {
    const std::size_t line = cursor_.line();
    const std::size_t blank_lines = cursor_.skip_blank_lines();
    if (cursor_.at_end()) return false;
    if (blank_lines != 0) layout_.refuse_blank_line(line);
    note_line(line);
    return true;
  }

  // Lines are listed once a row does not stand where its number says.
  void note_line(std::size_t line) {
    const std::size_t row = table_.rows();
    std::vector<std::size_t>& lines = table_.lines;
    if (lines.empty() && line == table_.first_line + row) return;
    while (lines.size() < row) lines.push_back(table_.first_line + lines.size());
    lines.push_back(line);
  }

  void take_row() {
    const std::span<const std::size_t> slots = layout_.slots;
    const std::span<std::vector<double>> columns = table_.columns;
    for (std::size_t c = 0; c < slots.size(); ++c) {
      const std::size_t slot = slots[c];
      if (slot == Layout::kUnread) {
        layout_.take_cell(cursor_, c);
      } else {
        double value = 0;
        if (!take_number(value)) value = tally_.count(layout_.take_cell(cursor_, c), c);
        columns[slot].push_back(value);
      }
      const bool more = cursor_.at_delimiter();
      if (more != (c + 1 < slots.size())) layout_.refuse_ragged(cursor_, c + 1);
      if (more) cursor_.skip_delimiter();
    }
    cursor_.take_line_end();
  }

  bool take_number(double& value) {
    if (!plain_) return false;
    const char* const before = cursor_.mark();
    if (!cursor_.take_number(value)) return false;
    if (std::find(missing_numbers_.begin(), missing_numbers_.end(), value) ==
        missing_numbers_.end()) {
      return true;
    }
    cursor_.go_back_in_line(before);
    return false;
  }

  // Columns that grow by doubling copy every cell once more. Only a guess: the rest may differ.
  void reserve_rows() {
    const auto used = static_cast<std::size_t>(cursor_.mark() - first_row_.mark());
    const std::size_t rest = cursor_.bytes_left() / used * kSampledRows;
    for (auto& column : table_.columns) {
      column.reserve(rest + rest / 16 + 2 * kSampledRows);
      prefer_huge_pages(column.data(), rest * sizeof(double));
    }
  }

  Cursor cursor_;
  const Cursor first_row_;
  const Layout& layout_;
  std::span<const double> missing_numbers_;
  const bool plain_;  // numbers have decimal points
  Tally& tally_;
  Table& table_;
};

}  // namespace

void read_rows(Cursor cursor, const Layout& layout, const Meanings& meanings, Tally& tally,
               Table& table) {
  RowPass(cursor, layout, meanings, tally, table).run();
}

}  // namespace knotwork::csv
