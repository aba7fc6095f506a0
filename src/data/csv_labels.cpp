// SPDX-License-Identifier: MIT
#include "data/csv_labels.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace knotwork::csv {
namespace {

// The different texts of one column, numbered as they come.
class Dictionary {
 public:
  // The number of a text, if it came before.
  std::optional<std::size_t> find(std::string_view text) const {
    const auto found = numbers_.find(text);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  std::size_t add(std::string_view text) {
    const std::size_t number = texts_.size();
    numbers_.emplace(texts_.emplace_back(text), number);
    return number;
  }

  // Sorts the texts by their bytes and numbers the cells anew.
  std::vector<std::string> sort(std::vector<double>& cells) && {
    std::vector<std::size_t> order(texts_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return texts_[a] < texts_[b]; });
    std::vector<double> rank(order.size());
    std::vector<std::string> labels;
    labels.reserve(order.size());
    for (const std::size_t number : order) {
      rank[number] = static_cast<double>(labels.size());
      labels.push_back(texts_[number]);
    }
    for (double& cell : cells) {
      if (!std::isnan(cell)) cell = rank[static_cast<std::size_t>(cell)];
    }
    return labels;
  }

 private:
  std::deque<std::string> texts_;  // stay where they are: numbers_ looks at them
  std::unordered_map<std::string_view, std::size_t> numbers_;
};

class LabelPass {
 public:
  LabelPass(const Layout& layout, const Meanings& meanings, const std::vector<bool>& is_text)
      : layout_(layout), meanings_(meanings), dictionaries_(layout.chosen.size()) {
    for (const std::size_t slot : layout.slots) {
      slots_.push_back(slot != Layout::kUnread && is_text[slot] ? slot : Layout::kUnread);
    }
  }

  void take_row(Cursor& cursor, std::size_t row, Table& table) {
    for (std::size_t c = 0; c < slots_.size(); ++c) {
      const Cell cell = cursor.take_cell();
      if (slots_[c] != Layout::kUnread) table.columns[slots_[c]][row] = number_of(cell, c);
      if (cursor.at_delimiter()) cursor.skip_delimiter();
    }
    cursor.take_line_end();
  }

  void finish(Table& table) && {
    table.labels.resize(table.columns.size());
    for (const std::size_t slot : slots_) {
      if (slot == Layout::kUnread) continue;
      table.labels[slot] = std::move(dictionaries_[slot]).sort(table.columns[slot]);
    }
  }

 private:
  double number_of(const Cell& cell, std::size_t column) {
    if (meanings_.is_missing(cell)) return std::numeric_limits<double>::quiet_NaN();
    Dictionary& dictionary = dictionaries_[slots_[column]];
    const std::string_view text = cell.content(buffer_);
    if (const auto known = dictionary.find(text)) return static_cast<double>(*known);
    // Texts go into model files, as names do.
    if (!is_utf8(text)) {
      layout_.refuse(cell.line, column, "'{}' is not UTF-8; save the table as UTF-8 text.",
                     shown(text));
    }
    return static_cast<double>(dictionary.add(text));
  }

  const Layout& layout_;
  const Meanings& meanings_;
  std::vector<std::size_t> slots_;  // for every column of the file, if it is text
  std::vector<Dictionary> dictionaries_;
  std::string buffer_;
};

}  // namespace

void read_labels(Cursor cursor, const Layout& layout, const Meanings& meanings,
                 const std::vector<bool>& is_text, Table& table) {
  LabelPass pass(layout, meanings, is_text);
  for (std::size_t row = 0; row < table.rows(); ++row) pass.take_row(cursor, row, table);
  std::move(pass).finish(table);
}

}  // namespace knotwork::csv
