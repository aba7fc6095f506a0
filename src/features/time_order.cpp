// SPDX-License-Identifier: MIT
#include "features/time_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "table/csv/cell_value.hpp"

namespace knotwork::features {
namespace {

// The share of steps from one of some rows to the next that do not go back in time.
double share_of_steps_forward(const table::TableReader& table, std::size_t column) {
  constexpr std::size_t kSomeRows = 1000;
  const std::size_t count = std::min(table.rows(), kSomeRows);
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < count; ++k) rows.push_back(k * table.rows() / count);
  std::vector<double> times =
      table.with_columns(std::array{column}).read_rows(rows).columns.front();
  std::erase_if(times, [](double time) { return std::isnan(time); });
  if (times.size() < 2) return 0;
  std::size_t forward = 0;
  for (std::size_t k = 1; k < times.size(); ++k) forward += times[k] >= times[k - 1] ? 1 : 0;
  return static_cast<double>(forward) / static_cast<double>(times.size() - 1);
}

}  // namespace

std::optional<Remark> remark_on_time(const table::TableReader& table,
                                     std::span<const InputColumn> inputs) {
  constexpr double kMostly = 0.95;
  const Table& description = table.description();
  std::string first;
  for (const InputColumn& input : inputs) {
    const std::size_t column = description.index_of(input.column);
    if (!description.is_date(column)) continue;
    const bool is_new = first.empty() || input.column != first;
    if (first.empty()) first = input.column;
    if (!is_new || share_of_steps_forward(table, column) < kMostly) continue;
    return Remark(
        Hint{.purpose = "to test on the last rows instead",
             .settings = {{"test-last", "true"}}},
        fmt::format("The rows are in the order of their dates in column '{}', but the test rows "
                    "are drawn from all times.",
                    csv::shown(input.column)));
  }
  if (first.empty()) return std::nullopt;
  return Remark(
      Hint{.purpose = "to test on the last rows of a table that is sorted by it",
           .settings = {{"test-last", "true"}}},
      fmt::format("Column '{}' holds dates, but the test rows are drawn from all times.",
                  csv::shown(first)));
}

}  // namespace knotwork::features
