// SPDX-License-Identifier: MIT
#include "features/column_roles.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/fail.hpp"

#include <knotwork/names.hpp>

namespace knotwork {

using namespace features;

void TableTask::check() const {
  const auto exclude = [](bool a, bool b, std::string_view sentence) {
    if (a && b) throw Error(ErrorKind::bad_option, std::string(sentence));
  };
  const bool by_share = test_fraction > 0 || test_last;
  exclude(!test_rows.empty(), test_data != nullptr,
          "The test part is either a list of rows or a second table, not both.");
  exclude(!test_rows.empty() || test_data, by_share || !stratify_column.empty(),
          "With a list of test rows or a second table, no share of the rows can be the test part.");
  exclude(test_last, !group_column.empty() || !stratify_column.empty(),
          "The last rows are the test part, so groups and classes cannot choose it.");
  exclude(!group_column.empty(), !stratify_column.empty(),
          "The test part is chosen by groups or by classes, not by both.");
}

void features::check_start(const TableTask& task, std::span<const InputColumn> inputs) {
  for (const auto& [column, use] : {std::pair{&task.weight_column, "the weights"},
                                    std::pair{&task.group_column, "the groups"}}) {
    for (const InputColumn& input : inputs) {
      if (!column->empty() && input.column == *column) {
        fail(ErrorKind::bad_option,
             "Column '{}' cannot be {}: it is an input of the model to start from.", *column, use);
      }
    }
  }
}

namespace {

Where about_column(const Table& table, const std::string& name) {
  return {.file = table.source, .column_name = name, .is_in_sentence = true};
}

}  // namespace

Roles features::find_roles(const Table& table, const TableTask& task) {
  constexpr std::string_view kTarget = "a target";
  std::vector<std::string_view> roles(table.names.size());
  const auto give = [&](const std::string& name, std::string_view role) {
    const std::size_t c = table.index_of(name);
    if (roles[c] == role)
      fail(ErrorKind::bad_option, about_column(table, name), "Column '{}' is named twice as {}.",
           name, role);
    if (!roles[c].empty()) {
      fail(ErrorKind::bad_option, about_column(table, name),
           "Column '{}' cannot be both {} and {}.", name, roles[c], role);
    }
    roles[c] = role;
    return c;
  };
  Roles result;
  for (const std::string& name : task.targets) result.targets.push_back(give(name, kTarget));
  if (!task.weight_column.empty()) give(task.weight_column, "the weights");
  if (!task.group_column.empty()) give(task.group_column, "the groups");
  for (const std::string& name : task.drop) {
    const auto& unread = table.unread;
    if (std::find(unread.begin(), unread.end(), name) == unread.end()) {
      give(name, "a column to drop");
    }
  }
  if (task.targets.empty()) {
    result.targets.push_back(give(table.names.back(), kTarget));
  }
  for (std::size_t c = 0; c < roles.size(); ++c) {
    if (roles[c].empty()) result.inputs.push_back(c);
  }
  if (result.inputs.empty()) {
    fail(ErrorKind::bad_data, in_file(table.source),
         "has no input column left; training needs at least one input.");
  }
  return result;
}

std::size_t features::numeric_input(const std::vector<InputColumn>& inputs,
                                    std::string_view column) {
  const InputColumn* known = nullptr;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (!known && inputs[k].column == column) known = &inputs[k];
    if (inputs[k].column == column && inputs[k].kind == InputKind::numeric) return k;
    if (std::find(names.begin(), names.end(), inputs[k].column) == names.end()) {
      names.push_back(inputs[k].column);
    }
  }
  if (!known) {
    throw Error(ErrorKind::bad_option, unknown_name_message("input column", column, names));
  }
  fail(ErrorKind::bad_option,
       "Predictions cannot be monotone in the column '{}', {}; choose a column of numbers.", column,
       known->reads_text() ? "whose cells are texts"
       : known->kind == InputKind::missing
           ? "of which the model sees only whether cells are missing"
           : "whose dates become several inputs");
}

}  // namespace knotwork
