// SPDX-License-Identifier: MIT
// Rows that ranges of knots are fitted to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel/message.hpp"

#include <knotwork/objective.hpp>
#include <knotwork/ranks.hpp>

namespace knotwork::training {

inline constexpr std::size_t kRangeRows = 16384;

// Scaled inputs in double, column by column: of all rows, or of so many at equal distances. Where
// processes have shares of the rows, all of them get the same.
template <class T>
std::vector<double> range_rows(const Samples<T>& samples, Ranks* ranks) {
  const std::size_t own = samples.inputs.rows, rows = std::max(own, samples.all_rows);
  const std::size_t taken = std::min(rows, kRangeRows), inputs = samples.inputs.columns;
  std::vector<std::uint64_t> places;  // of the rows that are here, and their values, row by row
  std::vector<double> values;
  for (std::size_t k = 0; k < taken; ++k) {
    const std::size_t row = k * rows / taken;
    if (row < samples.first || row >= samples.first + own) continue;
    places.push_back(k);
    for (std::size_t c = 0; c < inputs; ++c) {
      const ColumnScale scale =
          samples.input_scales.empty() ? ColumnScale{} : samples.input_scales[c];
      const auto x = static_cast<double>(samples.inputs(row - samples.first, c));
      values.push_back((x - scale.offset) * scale.scale);
    }
  }
  std::vector<double> columns(taken * inputs);
  const auto put = [&] {
    for (std::size_t k = 0; k < values.size(); ++k) {
      columns[k % inputs * taken + static_cast<std::size_t>(places[k / inputs])] = values[k];
    }
  };
  if (!ranks || !ranks->any(own < rows)) {
    put();
    return columns;
  }
  for (const Ranks::Bytes& bytes :
       ranks->gather(parallel::Packer().put(places).put(values).take())) {
    parallel::Unpacker theirs(bytes);
    places = theirs.get_list<std::uint64_t>();
    values = theirs.get_list<double>();
    put();
  }
  return columns;
}

}  // namespace knotwork::training
