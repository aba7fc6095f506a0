// SPDX-License-Identifier: MIT
#include "table/text/header_guess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "table/csv/header.hpp"

namespace knotwork::csv {
namespace {

bool is_word(CellKind kind) {
  return kind == CellKind::word;
}

// Returns false if a cell is not whole.
bool read_line(CellScanner& cursor, const CellReader& meanings, LineCells& line) {
  while (true) {
    const Cell cell = cursor.take_cell();
    if (cell.defect != Cell::Defect::none) return false;
    line.kinds.push_back(meanings.of(cell));
    line.texts.push_back(cell.unescaped());
    if (line.kinds.size() == kMaxColumns) return false;
    if (!cursor.at_delimiter()) break;
    cursor.skip_delimiter();
  }
  cursor.take_line_end();
  return true;
}

// Columns of the first line, as far as they exist below.
class Guesser {
 public:
  explicit Guesser(const FirstLines& lines) : lines_(lines), first_(lines.first) {}

  HeaderGuess guess() const {
    if (const auto column = word_above_number()) return names_above_numbers();
    const bool has_number = std::any_of(first_.kinds.begin(), first_.kinds.end(), is_numeric);
    const bool has_word = std::any_of(first_.kinds.begin(), first_.kinds.end(), is_word);
    if (has_number) return is_counted_up() ? counted_up() : row_with_numbers(has_word);
    return has_word ? words_only() : HeaderGuess{.is_header = false};
  }

 private:
  std::optional<std::size_t> word_above_number() const {
    for (std::size_t c = 0; c < first_.kinds.size(); ++c) {
      if (!is_word(first_.kinds[c])) continue;
      if (!lines_.below.empty() && c < lines_.below.front().kinds.size() &&
          is_numeric(lines_.below.front().kinds[c])) {
        return c;
      }
      if (is_numeric_below(c)) return c;
    }
    return std::nullopt;
  }

  // Whether the column has numbers below the first line, and no words.
  bool is_numeric_below(std::size_t column) const {
    bool numeric = false;
    for (const LineCells& line : lines_.below) {
      if (column >= line.kinds.size()) continue;
      if (is_word(line.kinds[column])) return false;
      numeric = numeric || is_numeric(line.kinds[column]);
    }
    return numeric;
  }

  HeaderGuess names_above_numbers() const {
    HeaderGuess guess{.is_header = true};
    const auto number = std::find_if(first_.kinds.begin(), first_.kinds.end(), is_numeric);
    if (number == first_.kinds.end()) return guess;
    const std::string& text = first_.texts[static_cast<std::size_t>(number - first_.kinds.begin())];
    guess.remarks.push_back(remark_on_header(fmt::format(
        "although it contains the number {}, because it has words above numbers", shown(text))));
    return guess;
  }

  // Names are not repeated, neither in their line nor below it.
  HeaderGuess words_only() const {
    std::set<std::string> seen;
    for (std::size_t c = 0; c < first_.kinds.size(); ++c) {
      if (is_word(first_.kinds[c]) && !seen.insert(first_.texts[c]).second) {
        return row(fmt::format("because it contains '{}' twice", shown(first_.texts[c])));
      }
    }
    for (std::size_t c = 0; c < first_.kinds.size(); ++c) {
      if (is_word(first_.kinds[c]) && occurs_below(c)) {
        return row(fmt::format("because '{}' occurs again in its column", shown(first_.texts[c])));
      }
    }
    HeaderGuess guess{.is_header = true};
    if (lines_.below.size() > 1 && !has_repeated_texts()) {
      guess.remarks.push_back(remark_on_header("although the lines below it are words too"));
    }
    return guess;
  }

  bool occurs_below(std::size_t column) const {
    return std::any_of(lines_.below.begin(), lines_.below.end(), [&](const LineCells& line) {
      return column < line.texts.size() && line.texts[column] == first_.texts[column] &&
             line.texts != first_.texts;
    });
  }

  // Whether some column has a text twice below the first line, as columns of classes have.
  bool has_repeated_texts() const {
    for (std::size_t c = 0; c < first_.kinds.size(); ++c) {
      std::set<std::string> seen;
      for (const LineCells& line : lines_.below) {
        if (c < line.kinds.size() && is_word(line.kinds[c]) && !seen.insert(line.texts[c]).second) {
          return true;
        }
      }
    }
    return false;
  }

  // The numbers of the first line in their order, if these are all its cells but the first few, and
  // the first few are words or empty.
  std::vector<double> numbers_at_the_end() const {
    std::vector<double> numbers;
    for (std::size_t c = 0; c < first_.kinds.size(); ++c) {
      double number = 0;
      if (first_.kinds[c] == CellKind::number &&
          parse_number(first_.texts[c], number) == NumberText::number) {
        numbers.push_back(number);
      } else if (!numbers.empty()) {
        return {};
      }
    }
    return numbers;
  }

  // Whether the numbers of the first line count up evenly, like years or numbers of columns, and
  // the numbers below them are others.
  bool is_counted_up() const {
    constexpr std::size_t kFewest = 3;
    const std::vector<double> numbers = numbers_at_the_end();
    if (numbers.size() < kFewest) return false;
    const double step = numbers[1] - numbers[0];
    if (!(step > 0) || numbers[0] < 0) return false;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (numbers[k] != std::floor(numbers[k])) return false;
      if (k > 0 && numbers[k] - numbers[k - 1] != step) return false;
    }
    // A row without names may count up too, but hardly from 0 and by 1.
    const bool is_named = numbers.size() < first_.kinds.size();
    if (!is_named && (numbers[0] != 0 || step != 1 || numbers.size() <= kFewest)) return false;
    return has_others_below(first_.kinds.size() - numbers.size(), numbers.front(), numbers.back());
  }

  bool has_others_below(std::size_t first_column, double least, double most) const {
    for (const LineCells& line : lines_.below) {
      for (std::size_t c = first_column; c < line.kinds.size(); ++c) {
        double number = 0;
        if (parse_number(line.texts[c], number) != NumberText::number) continue;
        if (number != std::floor(number) || number < least || number > most) return true;
      }
    }
    return false;
  }

  HeaderGuess counted_up() const {
    return {.is_header = true,
            .remarks = {remark_on_header("because its numbers count up evenly, unlike those "
                                         "below them")}};
  }

  HeaderGuess row_with_numbers(bool has_word) const {
    if (!has_word || lines_.below.empty()) return {.is_header = false};
    for (std::size_t c = 0; c < first_.kinds.size(); ++c) {
      if (is_word(first_.kinds[c]) && occurs_below(c)) return {.is_header = false};
    }
    return row("because it has numbers where the lines below have numbers");
  }

  HeaderGuess row(const std::string& reason) const {
    return {.is_header = false,
            .remarks = {Remark(
                {.purpose = "if it has the names of the columns", .settings = {{"header", "true"}}},
                fmt::format("Line {} is read as a row, {}.", lines_.line, reason))}};
  }

  Remark remark_on_header(const std::string& reason) const {
    return {{.purpose = "if it is a row", .settings = {{"no-header", "true"}}},
            fmt::format("Line {} is read as the names of the columns, {}.", lines_.line, reason)};
  }

  const FirstLines& lines_;
  const LineCells& first_;
};

}  // namespace

FirstLines read_first_lines(CellScanner cursor, CellScanner sample, const CellReader& meanings) {
  FirstLines lines{.line = cursor.line(), .first = {}, .below = {}};
  const auto read_below = [&](CellScanner& at) {
    at.skip_empty_lines();
    return !at.at_end() && read_line(at, meanings, lines.below.emplace_back());
  };
  // The sample may not reach the second line, but the text does.
  if (!read_line(cursor, meanings, lines.first) || !read_below(cursor)) return lines;
  LineCells ignored;
  for (int k = 0; k < 2; ++k) {
    sample.skip_empty_lines();
    if (sample.at_end() || !read_line(sample, meanings, ignored)) return lines;
  }
  while (read_below(sample)) {
  }
  return lines;
}

HeaderGuess guess_header(const FirstLines& lines) {
  return Guesser(lines).guess();
}

}  // namespace knotwork::csv
