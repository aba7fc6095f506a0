// SPDX-License-Identifier: MIT
// These functions set up a stage of training: its objective, the schedules of penalties, its
// optimizer, and the rows that ranges of knots are fitted to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "parallel/message.hpp"

#include <knotwork/network.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/options.hpp>
#include <knotwork/ranks.hpp>

namespace knotwork::training {

// The caller adds loss, ranks and monitor.
ObjectiveOptions objective_options(const Network& network, const TrainOptions& options);

using ProximalSteps = std::vector<std::shared_ptr<const ProximalStep>>;
// For a stage of `epochs` epochs.
std::unique_ptr<Optimizer> make_optimizer(const TrainOptions& options, const Network& network,
                                          std::size_t epochs, const ProximalSteps& steps);

// The limits that remain after `evaluations` evaluations; the caller enforces the time limit.
StopRules stop_rules(const TrainOptions& options, std::size_t iterations,
                     std::size_t evaluations_done);

// The options with the last value of every scheduled penalty weight.
TrainOptions with_last_penalties(TrainOptions options);

// Gives the objective the schedules of the penalties, for a run that starts after `before` of all
// `epochs`.
void set_courses(Objective& objective, const TrainOptions& options, std::size_t epochs,
                 std::size_t before);

// The proximal step of the terms that are not smooth; null if there are none. It refers to the
// objective and uses its current weights.
std::shared_ptr<const ProximalStep> shrinking_step(const Objective& objective,
                                                   const TrainOptions& options);

inline constexpr std::size_t kRangeRows = 16384;

// Scaled inputs in double, column by column: of all rows, or of kRangeRows of them at equal
// distances. If processes have shares of the rows, all processes get the same inputs.
template <class T>
std::vector<double> range_rows(const Samples<T>& samples, Ranks* ranks) {
  const std::size_t own = samples.inputs.rows, rows = std::max(own, samples.all_rows);
  const std::size_t taken = std::min(rows, kRangeRows), inputs = samples.inputs.columns;
  std::vector<std::uint64_t> places;  // of the rows of this process, and their values, row by row
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
