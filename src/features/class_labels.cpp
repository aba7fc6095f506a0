// SPDX-License-Identifier: MIT
#include "features/class_labels.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "features/target_values.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/number_lookalike.hpp"

namespace knotwork {

using namespace features;

namespace {

constexpr std::size_t kMostGuessedClasses = 10;

using Counts = std::map<double, std::size_t>;

bool look_like_classes(const Counts& counts) {
  return counts.size() >= 2 && counts.size() <= kMostGuessedClasses &&
         std::all_of(counts.begin(), counts.end(),
                     [](const auto& entry) { return entry.first == std::floor(entry.first); });
}

// Numbers written as text, such as 12 %, are reported as a mistake, unless classes are requested.
bool is_text_of_classes(const Table& table, std::size_t column, bool asked_for) {
  return table.is_text(column) &&
         (asked_for || csv::why_not_a_number(table.labels[column].front()).empty());
}

// For a column in which nearly every row has a text of its own.
[[noreturn]] void refuse_too_many_texts(const Table& table, std::size_t column, std::size_t rows) {
  const std::vector<std::string>& labels = table.labels[column];
  refuse_words_among_numbers(table, column);
  const Hint another{.purpose = "to predict another column", .settings = {{"target", ""}}};
  if (labels.size() > kMaxCategories) {
    fail(ErrorKind::bad_data, table.place(column), another,
         "the target has {} different texts in {} rows, but at most {} classes can be predicted.",
         labels.size(), rows, kMaxCategories);
  }
  fail(ErrorKind::bad_data, table.place(column), another,
       "the target has {} different texts in {} rows; texts that hardly repeat are not classes "
       "that can be learned.",
       labels.size(), rows);
}

// The row of a class that occurs once is either a training row or a test row.
void remark_on_single_rows(const std::string& name, const std::vector<std::string>& classes,
                           const std::vector<std::size_t>& rows, std::vector<Remark>& remarks) {
  std::vector<std::string> rare;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (rows[c] < 2) rare.push_back(classes[c]);
  }
  if (rare.empty()) return;
  if (rare.size() == 1) {
    remarks.push_back(fmt::format(
        "Class {} of column '{}' has fewer than two rows, so it cannot be both learned and tested; "
        "merge it with another class, or leave its row out.",
        shown_list(rare), csv::shown(name)));
    return;
  }
  remarks.push_back(fmt::format(
      "{} classes of column '{}' have fewer than two rows each ({}), so they cannot be both "
      "learned and tested; merge them with other classes, or leave their rows out.",
      rare.size(), csv::shown(name), shown_list(rare)));
}

}  // namespace

void DistinctNumbers::see(std::span<const double> cells) {
  for (const double cell : cells) {
    if (std::isnan(cell)) {
      gaps_ = true;
      continue;
    }
    ++rows_;
    if (counts_.size() > kMaxCategories) continue;
    const double number = cell + 0.0;  // turns -0 into 0, whichever comes first
    ++counts_[number];
  }
}

parallel::MergeState DistinctNumbers::state() const {
  parallel::MergeState state;
  parallel::put(state, rows_);
  parallel::put(state, std::size_t{gaps_});
  parallel::put(state, counts_.size());
  for (const auto& [number, count] : counts_) {
    parallel::put(state, number);
    parallel::put(state, count);
  }
  return state;
}

void DistinctNumbers::merge(std::span<const std::int64_t> state) {
  parallel::StateReader reader(state);
  rows_ += reader.size();
  gaps_ = reader.size() != 0 || gaps_;
  for (std::size_t left = reader.size(); left > 0; --left) {
    const double number = reader.number();
    counts_[number] += reader.size();
  }
  reader.finish();
}

std::vector<std::string> features::find_classes(const Table& table, std::size_t column,
                                                const DistinctNumbers& cells,
                                                std::optional<TaskKind> kind,
                                                std::vector<Remark>& remarks) {
  if (kind == TaskKind::regression) return {};
  const std::string& name = table.names[column];
  const Counts& counts = cells.counts();
  if (is_text_of_classes(table, column, kind.has_value())) {
    const std::vector<std::string>& labels = table.labels[column];
    if (labels.size() < 2) {
      const bool gaps = cells.has_gaps();
      fail(ErrorKind::bad_data, table.place(column), gaps ? word_hint(table) : Hint{},
           "the column is '{}' in every row{}; there is nothing to learn.",
           csv::shown(labels.front()), gaps ? " that is not missing" : "");
    }
    if (labels.size() > kMaxCategories || 2 * labels.size() > cells.rows()) {
      refuse_too_many_texts(table, column, cells.rows());
    }
    std::vector<std::size_t> rows(labels.size());
    for (const auto& [label, count] : counts) rows[static_cast<std::size_t>(label)] = count;
    remark_on_single_rows(name, labels, rows, remarks);
    return labels;
  }
  if (table.is_text(column)) return {};
  if (!kind && !look_like_classes(counts)) return {};
  if (counts.size() < 2 || counts.size() > kMaxCategories) {
    fail(ErrorKind::bad_data, table.place(column),
         "the column has {} different numbers, but classes must be from 2 to {}.",
         counts.size() > kMaxCategories ? "too many" : fmt::format("{}", counts.size()),
         kMaxCategories);
  }
  std::vector<std::string> classes;
  std::vector<std::size_t> rows;
  for (const auto& [number, count] : counts) {
    classes.push_back(class_label(table, column, number));
    rows.push_back(count);
  }
  if (!kind) {
    remarks.push_back(
        {{.purpose = "to predict them as numbers", .settings = {{"task", "regression"}}},
         fmt::format(
             "Column '{}' has only {} different whole numbers, so it is treated as classes.", name,
             classes.size())});
  }
  remark_on_single_rows(name, classes, rows, remarks);
  return classes;
}

}  // namespace knotwork
