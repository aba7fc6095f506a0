// SPDX-License-Identifier: MIT
#include "table/csv/header.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "table/column_choice.hpp"
#include "table/table_reader.hpp"
#include "table/text/header_guess.hpp"

namespace knotwork::csv {
namespace {

class LayoutReader {
 public:
  LayoutReader(std::string source, const CsvOptions& options, const CellScanner& sample)
      : options_(options), sample_(sample) {
    layout_.source = std::move(source);
  }

  CsvHeader read(CellScanner& cursor, const CellReader& meanings) {
    layout_.first_line = cursor.line();
    FirstLine line = take_first_line(cursor, meanings);
    choose_columns({.source = layout_.source, .names = line.names, .columns = {}});
    if (line.is_header) check_bytes(line.cells);
    layout_.names = std::move(line.names);
    if (line.is_header) check_names(line.cells);
    layout_.has_header = line.is_header;
    layout_.remarks = std::move(line.remarks);
    return std::move(layout_);
  }

  std::vector<std::string> read_names(CellScanner& cursor, const CellReader& meanings) {
    return take_first_line(cursor, meanings).names;
  }

 private:
  struct FirstLine {
    std::vector<Cell> cells;
    std::vector<std::string> names;
    bool is_header;
    std::vector<Remark> remarks = {};
  };

  // Moves past the line if it is a header.
  FirstLine take_first_line(CellScanner& cursor, const CellReader& meanings) const {
    const CellScanner start = cursor;
    FirstLine line{take_line(cursor), {}, options_.header.value_or(false)};
    const FirstLines lines = read_first_lines(start, sample_, meanings);
    if (!options_.header) {
      HeaderGuess guess = guess_header(lines);
      line.is_header = guess.is_header;
      line.remarks = std::move(guess.remarks);
    }
    if (line.is_header) add_name_of_first_column(lines, line);
    for (std::size_t c = 0; c < line.cells.size(); ++c) {
      line.names.push_back(line.is_header ? line.cells[c].unescaped() : std::string());
      if (line.names.back().empty()) line.names.back() = fmt::format("c{}", c + 1);
    }
    if (!line.is_header) cursor = start;
    return line;
  }

  // R writes no name above the names of the rows.
  static void add_name_of_first_column(const FirstLines& lines, FirstLine& line) {
    constexpr std::size_t kFewest = 2;  // names, and lines below them
    const std::size_t width = line.cells.size();
    if (width < kFewest || lines.below.size() < kFewest) return;
    for (const LineCells& below : lines.below) {
      if (below.kinds.size() != width + 1) return;
    }
    line.cells.insert(line.cells.begin(), Cell{.text = {}, .line = line.cells.front().line});
    line.remarks.emplace_back(
        "The header has one name fewer than the rows have cells, so the first column has no name "
        "and "
        "is called c1.");
  }

  std::vector<Cell> take_line(CellScanner& cursor) const {
    std::vector<Cell> cells{layout_.take_cell(cursor, 0)};
    while (cursor.at_delimiter()) {
      if (cells.size() == kMaxColumns) {
        layout_.refuse(cursor.line(), kMaxColumns,
                       "the line has more cells, but a table can have at most {} columns.",
                       kMaxColumns);
      }
      cursor.skip_delimiter();
      cells.push_back(layout_.take_cell(cursor, cells.size()));
    }
    cursor.take_line_end();
    return cells;
  }

  void choose_columns(const Table& file) {
    const std::size_t width = file.names.size();
    layout_.chosen = table::choose_columns(file.source, file.names, options_.only).chosen;
    layout_.slots.assign(width, CsvHeader::kUnread);
    for (std::size_t slot = 0; slot < layout_.chosen.size(); ++slot) {
      layout_.slots[layout_.chosen[slot]] = slot;
    }
    layout_.wishes.assign(width, {});
    declare(file, options_.categorical, ColumnWish::Kind::text);
    declare(file, options_.numeric, ColumnWish::Kind::numbers);
    declare_dates(file);
    // What the options say about a column comes before what a model knows about it.
    for (const ColumnFormat& format : options_.cells.columns) {
      const auto place = std::find(file.names.begin(), file.names.end(), format.column);
      if (place == file.names.end()) continue;
      ColumnWish& wish = layout_.wishes[static_cast<std::size_t>(place - file.names.begin())];
      const bool is_said = wish.kind == ColumnWish::Kind::text ||
                           wish.kind == ColumnWish::Kind::dates || wish.no_dates;
      if (!is_said) wish.format = format;
    }
  }

  void declare(const Table& file, const std::vector<std::string>& names, ColumnWish::Kind kind) {
    for (const std::string& name : names) {
      ColumnWish& wish = layout_.wishes[file.index_of(name)];
      if (wish.kind != ColumnWish::Kind::nothing && wish.kind != kind) {
        refuse_two(file, name, "categorical", "numeric", "both categorical and numeric");
      }
      wish.kind = kind;
      wish.is_plain = kind == ColumnWish::Kind::numbers && options_.plain_numbers;
    }
  }

  void declare_dates(const Table& file) {
    for (const DateColumn& dates : options_.dates) {
      ColumnWish& wish = layout_.wishes[file.index_of(dates.column)];
      if (wish.kind == ColumnWish::Kind::text) {
        refuse_two(file, dates.column, "categorical", "date", "both categorical and dates");
      }
      if (wish.kind == ColumnWish::Kind::numbers) {
        refuse_two(file, dates.column, "numeric", "date", "both numeric and dates");
      }
      if (wish.format && dates.order && wish.format->date != dates.order) {
        refuse_two(file, dates.column, "date", "", "dates of two orders");
      }
      wish.kind = ColumnWish::Kind::dates;
      if (dates.order) wish.format = ColumnFormat{.column = dates.column, .date = dates.order};
    }
    for (const std::string& name : options_.no_dates) {
      ColumnWish& wish = layout_.wishes[file.index_of(name)];
      if (wish.kind == ColumnWish::Kind::dates) {
        refuse_two(file, name, "date", "no-date", "both dates and no dates");
      }
      wish.no_dates = true;
    }
  }

  [[noreturn]] static void refuse_two(const Table& file, const std::string& name,
                                      const std::string& option, const std::string& other_option,
                                      std::string_view what) {
    fail(ErrorKind::bad_option,
         Where{.option = option,
               .other_option = other_option,
               .file = file.source,
               .column_name = name,
               .is_in_sentence = true},
         "Column '{}' of {} is declared {}; choose one of them.", shown(name), file.source, what);
  }

  bool is_read(std::size_t column) const { return layout_.slots[column] != CsvHeader::kUnread; }

  // Call before names are shown in messages.
  void check_bytes(const std::vector<Cell>& cells) const {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (is_read(c)) layout_.refuse_nul(cells[c], c);
    }
  }

  void check_names(const std::vector<Cell>& cells) const {
    std::unordered_map<std::string_view, std::size_t> seen;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      // Names go into model files, whose JSON header must be valid UTF-8.
      if (is_read(c) && !is_utf8(layout_.names[c])) {
        layout_.refuse(cells[c].line, c, "the name is not UTF-8; save the table as UTF-8 text.");
      }
      const auto [first, added] = seen.emplace(layout_.names[c], c);
      if (!added && (is_read(c) || is_read(first->second))) {
        layout_.refuse(cells[c].line, c, "column {} has the same name, but all names must differ.",
                       first->second + 1);
      }
    }
  }

  const CsvOptions& options_;
  const CellScanner& sample_;
  CsvHeader layout_ = {};
};

}  // namespace

Table CsvHeader::empty_table() const {
  table::ColumnChoice choice{chosen, std::vector<bool>(names.size())};
  for (const std::size_t column : chosen) choice.is_chosen[column] = true;
  Table table = table::empty_table(
      table::schema_of_chosen({.source = source, .names = names, .cells = {}}, choice));
  table.columns.resize(chosen.size());
  table.has_header = has_header;
  table.remarks = remarks;
  return table;
}

Cell CsvHeader::take_cell(CellScanner& cursor, std::size_t column) const {
  const Cell cell = cursor.take_cell();
  if (cell.defect == Cell::Defect::unterminated_quote) {
    refuse(cell.line, column, "the quote that opens this cell is never closed; add the other \".");
  }
  if (cell.defect == Cell::Defect::text_after_quote) {
    refuse(cell.line, column,
           "text follows the closing quote; quote the whole cell, and write a quote inside it "
           "as \"\".");
  }
  return cell;
}

void CsvHeader::refuse_nul(const Cell& cell, std::size_t column) const {
  if (cell.text.find('\0') != std::string_view::npos) {
    refuse(cell.line, column, "the cell contains a NUL byte; save the table as UTF-8 text.");
  }
}

namespace {

// Lines that are not cells usually begin with one of these signs.
Hint hint_at_comments(std::string_view line) {
  for (const std::string_view sign : {"#", "//", "%"}) {
    if (!line.starts_with(sign)) continue;
    return {.purpose = "if the line is a comment", .settings = {{"comment", std::string(sign)}}};
  }
  return {};
}

}  // namespace

void CsvHeader::refuse_ragged(CellScanner cursor, std::size_t cells,
                              std::string_view line_start) const {
  const std::size_t line = cursor.line();
  Hint hint = hint_at_comments(line_start);
  if (hint.is_empty() && !names.empty() && has_header.value_or(false)) {
    hint = hint_at_comments(names.front());
    if (!hint.is_empty()) hint.purpose = fmt::format("if line {} is a comment", first_line);
  }
  while (cursor.at_delimiter()) {
    cursor.skip_delimiter();
    take_cell(cursor, cells);
    ++cells;
  }
  refuse(line, std::min(cells, slots.size()), std::move(hint),
         "the row has {} {}, but it must have {} like line {}.", cells,
         cells == 1 ? "cell" : "cells", slots.size(), first_line);
}

std::vector<Remark> CsvHeader::remarks_on(const BlankLines& blank) const {
  if (blank.count == 0) return {};
  const std::string lines = blank.count == 1 ? fmt::format("Line {} is blank", blank.first)
                                             : fmt::format(
                                                   "{} lines are blank, the first is line "
                                                   "{}",
                                                   blank.count, blank.first);
  return {lines + (has_one_column() ? "; in a table of one column a blank line is a missing cell."
                                    : "; blank lines are skipped.")};
}

std::vector<std::string> take_names(CellScanner& cursor, std::string source,
                                    const CellReader& meanings, const CsvOptions& options,
                                    const CellScanner& sample) {
  return LayoutReader(std::move(source), options, sample).read_names(cursor, meanings);
}

CsvHeader take_layout(CellScanner& cursor, std::string source, const CellReader& meanings,
                      const CsvOptions& options, const CellScanner& sample) {
  return LayoutReader(std::move(source), options, sample).read(cursor, meanings);
}

}  // namespace knotwork::csv
