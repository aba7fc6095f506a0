// SPDX-License-Identifier: MIT
#include "features/target_values.hpp"

#include <fmt/ranges.h>

#include <limits>

#include "features/encoding/date_fields.hpp"
#include "parallel/exact_sum.hpp"
#include "table/csv/number_lookalike.hpp"

namespace knotwork::features {
namespace {

// The cell in the units of the input's range: days for the elapsed time of a date.
double in_units_of_range(const InputColumn& input, double cell) {
  return input.kind == InputKind::date ? date_part(input.part, cell) : cell;
}

std::string cell_in_words(const InputColumn& input, double value) {
  return input.kind == InputKind::date ? short_date(value * kSecondsOfDay)
                                       : fmt::format("{}", value);
}

// Names the row whose prediction is not finite, and its cell that is farthest from the training
// range.
[[noreturn]] void refuse_row(const Table& table, std::size_t row,
                             std::span<const InputColumn> inputs) {
  const InputColumn* farthest = &inputs.front();
  double most = 0;
  for (const InputColumn& input : inputs) {
    const bool has_range =
        input.kind == InputKind::numeric ||
        (input.kind == InputKind::date && input.part == DatePart::elapsed);
    if (!has_range || !(input.low <= input.high)) continue;
    const double x =
        in_units_of_range(input, table.columns[table.index_of(input.column)][row]);
    const double distance =
        std::max(input.low / 2 - x / 2, x / 2 - input.high / 2) /
        std::max(std::numeric_limits<double>::min(), input.high / 2 - input.low / 2);
    if (distance > most) {
      most = distance;
      farthest = &input;
    }
  }
  const std::size_t column = table.index_of(farthest->column);
  if (most > 0) {
    fail(ErrorKind::bad_data, table.place(row, column),
         "the prediction for this row is not finite, because {} is too far outside the training "
         "range, {} to {}; correct the cell, or leave out the row.",
         cell_in_words(*farthest, in_units_of_range(*farthest, table.columns[column][row])),
         cell_in_words(*farthest, farthest->low), cell_in_words(*farthest, farthest->high));
  }
  fail(
      ErrorKind::bad_data, table.place(row, column),
      "the prediction for this row is not finite, because the outputs of the model are too large.");
}

}  // namespace

std::string shown_list(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(kShown, names.size()); ++k) {
    text += fmt::format("{}'{}'", k == 0 ? "" : ", ", csv::shown(names[k]));
  }
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

void refuse_words_among_numbers(const Table& table, std::size_t column) {
  const std::vector<std::string>& labels = table.labels[column];
  std::vector<std::string> words;
  double ignored = 0;
  for (const std::string& label : labels) {
    const auto text = csv::parse_number(label, ignored, table.cells.decimal_comma ? ',' : '.');
    if (text != csv::NumberText::number) words.push_back(label);
  }
  if (words.empty() || 2 * words.size() >= labels.size()) return;
  constexpr std::size_t kMostNamed = 3;
  Hint hint{.action = "correct those cells"};
  if (words.size() <= kMostNamed) {
    hint = {.purpose = "to read such a cell as missing",
            .settings = {{"missing", fmt::format("{}", fmt::join(words, ","))}}};
  }
  fail(ErrorKind::bad_data, table.place(column), std::move(hint),
       "the column has numbers, but also texts such as '{}'.", csv::shown(words.front()));
}

std::size_t number_column(const Table& table, const std::string& name) {
  const std::size_t c = table.index_of(name);
  if (!table.is_text(c)) return c;
  refuse_words_among_numbers(table, c);
  const std::string& text = table.labels[c].front();
  const std::string_view disguise = csv::why_not_a_number(text);
  if (!disguise.empty()) {
    fail(ErrorKind::bad_data, table.place(c), "the column must hold numbers, but '{}' {}.",
         csv::shown(text), disguise);
  }
  fail(ErrorKind::bad_data, table.place(c),
       Hint{.purpose = "to predict the classes of a single target",
            .settings = {{"task", "classification"}}},
       "the column holds text such as '{}', but it must hold numbers.", csv::shown(text));
}

namespace {

template <class Rows>
const std::vector<double>& checked_weights(const Table& table, const std::string& name,
                                           const Rows& rows) {
  const std::size_t c = number_column(table, name);
  check_complete(table, c, rows);
  for (const std::size_t r : rows) {
    const double weight = table.columns[c][r];
    if (weight >= 0 && std::isfinite(weight)) continue;
    fail(ErrorKind::bad_data, table.place(r, c),
         "the weight is {}, but weights must be finite and at least 0.", weight);
  }
  return table.columns[c];
}

}  // namespace

const std::vector<double>& complete_weights(const Table& table, const std::string& name) {
  return checked_weights(table, name, all_rows(table));
}

const std::vector<double>& complete_weights(const Table& table, const std::string& name,
                                            std::span<const std::size_t> rows) {
  return checked_weights(table, name, rows);
}

const std::vector<double>& weights_to_score_by(const Table& table, const std::string& name) {
  const std::vector<double>& weights = complete_weights(table, name);
  if (weights.empty()) return weights;
  parallel::ExactSum mass;
  for (const double weight : weights) mass.add(weight);
  check_total_weight(table.source, name, mass.value());
  return weights;
}

const std::vector<double>& weights_to_score_by(const Table& table, const std::string& name,
                                               std::span<const std::size_t> rows) {
  const std::vector<double>& weights = complete_weights(table, name, rows);
  parallel::ExactSum mass;
  for (const double weight : weights) {
    if (std::isfinite(weight)) mass.add(weight);
  }
  check_total_weight(table.source, name, mass.value());
  return weights;
}

void check_total_weight(const std::string& source, const std::string& name, double mass) {
  if (!(mass > 0)) {
    fail(ErrorKind::bad_data, Where{.file = source, .column_name = name},
         "all rows have weight 0; at least one weight must be above 0.");
  }
  if (!std::isfinite(mass)) {
    fail(ErrorKind::bad_data, Where{.file = source, .column_name = name},
         "the sum of the weights overflows; divide all of them by a power of ten.");
  }
}

void check_finite(const Table& table, std::span<const InputColumn> inputs,
                  std::span<const double> predictions, std::span<const std::size_t> rows) {
  for (std::size_t k = 0; k < predictions.size(); ++k) {
    if (std::isfinite(predictions[k])) continue;
    refuse_row(table, rows.empty() ? k : rows[k], inputs);
  }
}

}  // namespace knotwork::features
