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

// Numbers in disguise, such as 12 %, are a mistake to be told of, unless classes are asked for.
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
      numbers_.insert(cell + 0.0);  // -0 is 0, whichever comes first
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
                                                std::vector<std::string>& remarks) {
  if (kind == TaskKind::regression) return {};
  const std::string& name = table.names[column];
  if (is_text_of_classes(table, column, kind.has_value())) {
    const std::vector<std::string>& labels = table.labels[column];
    if (labels.size() < 2) {
      const bool gaps = cells.has_gaps();
      fail(ErrorKind::bad_data,
           "{}: column '{}' says '{}' in every row{}; there is nothing to learn{}.", table.source,
           name, csv::shown(labels.front()), gaps ? " that says anything" : "",
           gaps ? word_hint(table) : "");
    }
    if (labels.size() > kMaxCategories || 2 * labels.size() > cells.rows()) {
      fail(ErrorKind::bad_data,
           "{}: column '{}' has {} different texts in {} rows, too many to be classes.",
           table.source, name, labels.size(), cells.rows());
    }
    return labels;
  }
  if (table.is_text(column)) return {};
  const std::set<double>& numbers = cells.numbers();
  if (!kind && !look_like_classes(numbers)) return {};
  if (numbers.size() < 2 || numbers.size() > kMaxCategories) {
    fail(ErrorKind::bad_data,
         "{}: column '{}' has {} different numbers, but classes must be from 2 to {}.",
         table.source, name,
         numbers.size() > kMaxCategories ? "too many" : fmt::format("{}", numbers.size()),
         kMaxCategories);
  }
  std::vector<std::string> classes;
  for (const double number : numbers) classes.push_back(class_label(table, column, number));
  if (!kind) {
    remarks.push_back(fmt::format(
        "Column '{}' has {} different whole numbers, so they are taken for classes; with --task "
        "regression they are numbers.",
        name, classes.size()));
  }
  return classes;
}

}  // namespace knotwork
