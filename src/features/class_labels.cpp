// SPDX-License-Identifier: MIT
#include "features/class_labels.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/fail.hpp"
#include "features/target_values.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/number_lookalike.hpp"

namespace knotwork {

using namespace features;

namespace {

constexpr std::size_t kMostGuessedClasses = 10;

bool look_like_classes(const std::set<double>& numbers) {
  return numbers.size() >= 2 && numbers.size() <= kMostGuessedClasses &&
         std::all_of(numbers.begin(), numbers.end(),
                     [](double number) { return number == std::floor(number); });
}

// Numbers written as text, such as 12 %, are reported as a mistake, unless classes are requested.
bool is_text_of_classes(const Table& table, std::size_t column, bool asked_for) {
  return table.is_text(column) &&
         (asked_for || csv::why_not_a_number(table.labels[column].front()).empty());
}

}  // namespace

void DistinctNumbers::see(std::span<const double> cells) {
  rows_ += cells.size();
  for (const double cell : cells) {
    if (std::isnan(cell)) {
      gaps_ = true;
    } else if (numbers_.size() <= kMaxCategories) {
      numbers_.insert(cell + 0.0);  // turns -0 into 0, whichever comes first
    }
  }
}

parallel::MergeState DistinctNumbers::state() const {
  parallel::MergeState state;
  parallel::put(state, rows_);
  parallel::put(state, std::size_t{gaps_});
  parallel::put(state, numbers_.size());
  for (const double number : numbers_) parallel::put(state, number);
  return state;
}

void DistinctNumbers::merge(std::span<const std::int64_t> state) {
  parallel::StateReader reader(state);
  rows_ += reader.size();
  gaps_ = reader.size() != 0 || gaps_;
  for (std::size_t left = reader.size(); left > 0; --left) numbers_.insert(reader.number());
  reader.finish();
}

std::vector<std::string> features::find_classes(const Table& table, std::size_t column,
                                                const DistinctNumbers& cells,
                                                std::optional<TaskKind> kind,
                                                std::vector<Remark>& remarks) {
  if (kind == TaskKind::regression) return {};
  const std::string& name = table.names[column];
  if (is_text_of_classes(table, column, kind.has_value())) {
    const std::vector<std::string>& labels = table.labels[column];
    if (labels.size() < 2) {
      const bool gaps = cells.has_gaps();
      fail(ErrorKind::bad_data, table.place(column), gaps ? word_hint(table) : Hint{},
           "the column is '{}' in every row{}; there is nothing to learn.",
           csv::shown(labels.front()), gaps ? " that is not missing" : "");
    }
    if (labels.size() > kMaxCategories || 2 * labels.size() > cells.rows()) {
      fail(ErrorKind::bad_data, table.place(column),
           "the column has {} different texts in {} rows, too many to be classes.", labels.size(),
           cells.rows());
    }
    return labels;
  }
  if (table.is_text(column)) return {};
  const std::set<double>& numbers = cells.numbers();
  if (!kind && !look_like_classes(numbers)) return {};
  if (numbers.size() < 2 || numbers.size() > kMaxCategories) {
    fail(ErrorKind::bad_data, table.place(column),
         "the column has {} different numbers, but classes must be from 2 to {}.",
         numbers.size() > kMaxCategories ? "too many" : fmt::format("{}", numbers.size()),
         kMaxCategories);
  }
  std::vector<std::string> classes;
  for (const double number : numbers) classes.push_back(class_label(table, column, number));
  if (!kind) {
    remarks.push_back(
        {{.purpose = "to predict them as numbers", .settings = {{"task", "regression"}}},
         fmt::format(
             "Column '{}' has only {} different whole numbers, so it is treated as classes.", name,
             classes.size())});
  }
  return classes;
}

}  // namespace knotwork
