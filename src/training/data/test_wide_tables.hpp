// SPDX-License-Identifier: MIT
// Tables with so many columns that a window has only some 35 000 rows, and models trained on their
// first rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "training/run/test_trainings.hpp"

#include <knotwork/training.hpp>

namespace knotwork {

enum class Wide { numbers, classes };

inline constexpr std::size_t kWideInputs = 60;  // x1, x2, ..., all of them floats
inline constexpr std::size_t kWideRows = 37'500;

// Some cells of x2 are missing, and for classes also some of a text column; some of its texts are
// only in late rows. Names are those of a .npy file: the target is x61.
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
