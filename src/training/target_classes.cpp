// SPDX-License-Identifier: MIT
#include "training/target_classes.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/fail.hpp"
#include "data/csv_disguise.hpp"
#include "data/csv_text.hpp"
#include "training/table_columns.hpp"

namespace knotwork {
namespace {

constexpr std::size_t kMostGuessedClasses = 10;

// Different numbers in the column, as far as they are few.
std::set<double> few_numbers(const std::vector<double>& column, std::size_t most) {
  std::set<double> numbers;
  for (const double cell : column) {
    if (!std::isnan(cell)) numbers.insert(cell);
    if (numbers.size() > most) break;
  }
  return numbers;
}

bool look_like_classes(const std::set<double>& numbers) {
  return numbers.size() >= 2 && numbers.size() <= kMostGuessedClasses &&
         std::all_of(numbers.begin(), numbers.end(),
                     [](double number) { return number == std::floor(number); });
}

// Numbers in disguise, such as 12 %, are a mistake to be told of, unless classes are asked for.
bool is_text_of_classes(const Table& table, std::size_t column, bool asked_for) {
  return table.is_text(column) &&
         (asked_for || csv::disguise_of(table.labels[column].front()).empty());
}

}  // namespace

std::string_view to_string(TaskKind kind) {
  return kind == TaskKind::regression ? "regression" : "classification";
}

std::vector<std::string> find_classes(const Table& table, std::size_t column,
                                      std::optional<TaskKind> kind,
                                      std::vector<std::string>& remarks) {
  if (kind == TaskKind::regression) return {};
  const std::string& name = table.names[column];
  if (is_text_of_classes(table, column, kind.has_value())) {
    const std::vector<std::string>& labels = table.labels[column];
    if (labels.size() < 2) {
      const auto& cells = table.columns[column];
      const bool gaps = std::any_of(cells.begin(), cells.end(), [](double x) { return x != x; });
      fail(ErrorKind::bad_data,
           "{}: column '{}' says '{}' in every row{}; there is nothing to learn{}.", table.source,
           name, csv::shown(labels.front()), gaps ? " that says anything" : "",
           gaps ? word_hint(table) : "");
    }
    if (labels.size() > kMaxCategories || 2 * labels.size() > table.rows()) {
      fail(ErrorKind::bad_data,
           "{}: column '{}' has {} different texts in {} rows, too many to be classes.",
           table.source, name, labels.size(), table.rows());
    }
    return labels;
  }
  if (table.is_text(column)) return {};
  const std::set<double> numbers = few_numbers(table.columns[column], kMaxCategories);
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
