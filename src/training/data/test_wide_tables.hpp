// SPDX-License-Identifier: MIT
// Tables of so many columns that some 35 000 rows are a window of them, and models of their first
// rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <knotwork/training.hpp>

namespace knotwork {

enum class Wide { numbers, classes };

inline constexpr std::size_t kWideInputs = 60;  // x1, x2, ..., all of them floats
inline constexpr std::size_t kWideRows = 37'500;

// Cells of x2 are missing; of the classes those of a column of texts, too, and only late rows have
// some of these texts. Numbers are called as in a .npy file: the target is x61.
inline Table wide_table(Wide kind, std::size_t rows = kWideRows) {
  Table table{.source = "wide", .names = {}, .columns = {}};
  const auto add = [&](const std::string& name, const auto& cell_of) {
    table.names.push_back(name);
    std::vector<double>& cells = table.columns.emplace_back(rows);
    for (std::size_t r = 0; r < rows; ++r) cells[r] = cell_of(r);
  };
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t c = 1; c <= kWideInputs; ++c) {
    add("x" + std::to_string(c), [c](std::size_t r) {
      return c == 2 && r % 11 == 3 ? kMissing
                                   : static_cast<double>(r * (2 * c + 1) / 3 % (17 + c)) / 8;
    });
  }
  if (kind == Wide::numbers) {
    add("x" + std::to_string(kWideInputs + 1),
        [](std::size_t r) { return static_cast<double>(r % 13) / 4 + (r % 7 < 3 ? 1 : 0); });
    return table;
  }
  add("colour", [](std::size_t r) {
    if (r % 23 == 5) return kMissing;
    return static_cast<double>(r > 20'000 && r % 101 == 0 ? 3 + r % 2 : r % 3);
  });
  add("y", [](std::size_t r) { return static_cast<double>(r * r / 5 % 3); });
  table.labels.resize(table.names.size());
  table.labels[kWideInputs] = {"blue", "green", "red", "teal", "umber"};
  table.labels.back() = {"maybe", "no", "yes"};
  return table;
}

inline Model wide_model(const Table& table, std::vector<std::size_t> hidden = {2},
                        std::size_t networks = 1) {
  Table first_rows = table;
  for (std::vector<double>& column : first_rows.columns) column.resize(300);
  TrainOptions options;
  options.hidden = std::move(hidden);
  options.ensemble = networks;
  options.iterations = 2;
  return train(first_rows, TableTask{}, options);
}

}  // namespace knotwork
