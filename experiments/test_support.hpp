// SPDX-License-Identifier: MIT
// This header makes small synthetic data sets of the paper's shape, and a watch that counts and
// stops.
#pragma once

#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "experiments/scenarios.hpp"

namespace knotwork::experiments {

inline Table made_table(std::size_t rows, double shift = 0) {
  Table table{"made.csv", {}, {}};
  for (std::size_t c = 0; c <= kPaperInputs; ++c) {
    table.names.push_back("c" + std::to_string(c + 1));
    std::vector<double> column;
    for (std::size_t r = 0; r < rows; ++r) {
      column.push_back(std::sin(static_cast<double>(r * (c + 2)) + shift));
    }
    table.columns.push_back(std::move(column));
  }
  for (std::size_t r = 0; r < rows; ++r) {
    table.columns.back()[r] = table.columns[0][r] - 0.5 * table.columns[1][r];
  }
  return table;
}

inline std::vector<Dataset> made_datasets() {
  std::vector<Dataset> datasets;
  for (const DatasetEntry& entry : paper_datasets().entries()) {
    datasets.push_back(make_dataset(entry, made_table(40, static_cast<double>(datasets.size()))));
  }
  return datasets;
}

// Counts the trainings that were run, not found, and stops after a given number.
struct Counter {
  explicit Counter(std::size_t most = std::numeric_limits<std::size_t>::max())
      : watch{[this, most] { return trained < most; },
              [this](std::size_t now, std::size_t all, bool found) {
                if (!found) ++trained;
                done = now;
                planned = all;
              }} {}
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  std::atomic<std::size_t> trained = 0;  // read while other threads train
  std::size_t done = 0, planned = 0;
  Watch watch;
};

inline std::string message_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace knotwork::experiments
