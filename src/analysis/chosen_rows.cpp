// SPDX-License-Identifier: MIT
#include "analysis/chosen_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/fail.hpp"
#include "features/target_values.hpp"
#include "parallel/thread_pool.hpp"
#include "parallel/watched_work.hpp"

#include <knotwork/matrix_view.hpp>
#include <knotwork/random.hpp>

namespace knotwork::analysis {

std::vector<std::size_t> chosen_rows(const Table& table, std::span<const std::size_t> rows) {
  std::vector<std::size_t> chosen(rows.begin(), rows.end());
  if (chosen.empty()) {
    chosen.resize(table.rows());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  }
  for (const std::size_t row : chosen) {
    if (row < table.rows()) continue;
    fail(ErrorKind::bad_data, "Row {} was requested, but {} has only {} rows, numbered from 0.",
         row, table.source, table.rows());
  }
  return chosen;
}

std::vector<std::size_t> sampled(std::span<const std::size_t> rows, std::size_t most,
                                 std::uint64_t seed) {
  if (rows.size() <= most) return {rows.begin(), rows.end()};
  // The rows with the smallest random numbers. A number depends on the row's position, so the draw
  // does not depend on the order of work.
  const Random random(seed, Purpose::row_sample);
  std::vector<std::pair<std::uint64_t, std::size_t>> drawn(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) drawn[k] = {random.bits(k), k};
  std::nth_element(drawn.begin(), drawn.begin() + static_cast<std::ptrdiff_t>(most), drawn.end());
  drawn.resize(most);
  std::vector<std::size_t> places;
  for (const auto& [number, place] : drawn) places.push_back(place);
  std::sort(places.begin(), places.end());
  for (std::size_t& place : places) place = rows[place];
  return places;
}

std::vector<double> chosen_weights(const Table& table, const std::string& weight_column,
                                   std::span<const std::size_t> rows) {
  std::vector<double> weights;
  if (weight_column.empty()) return weights;
  const std::vector<double>& all = features::weights_to_score_by(table, weight_column, rows);
  for (const std::size_t row : rows) weights.push_back(all[row]);
  return weights;
}

std::vector<ColumnInputs> inputs_by_column(const Model& model) {
  std::vector<ColumnInputs> columns;
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const std::string& name = model.inputs[i].column;
    // Inputs of one column are mostly adjacent, so the search starts with the newest column.
    auto own = std::find_if(columns.rbegin(), columns.rend(),
                            [&](const ColumnInputs& column) { return column.column == name; });
    if (own == columns.rend()) {
      columns.push_back({name, {}});
      own = columns.rbegin();
    }
    own->inputs.push_back(i);
  }
  return columns;
}

std::vector<double> raw_inputs(const EncodedTable& table, std::span<const std::size_t> rows) {
  std::vector<double> inputs;
  inputs.reserve(rows.size() * table.inputs());
  for (std::size_t i = 0; i < table.inputs(); ++i) {
    for (const std::size_t row : rows) inputs.push_back(table(row, i));
  }
  return inputs;
}

std::size_t rows_at_once(std::size_t parameters, std::size_t threads, std::size_t most) {
  constexpr std::size_t kMultiplications = std::size_t{1} << 24;  // for each thread
  constexpr std::size_t kFewest = 64;
  const std::size_t workers = parallel::ThreadPool::resolve(threads);
  return std::clamp(kMultiplications / (parameters + 1) * workers, kFewest, most);
}

namespace {

constexpr std::size_t kRowsAtOnce = 32768;

std::size_t parameters_of(const Model& model) {
  return model.members.size() * model.members.front().parameters().size();
}

}  // namespace

std::vector<double> predict_columns(const Model& model, std::span<const double> inputs,
                                    std::size_t rows, std::size_t threads, const Monitor* monitor) {
  std::vector<double> predictions(rows * model.predictions());
  const auto all_inputs = column_major(inputs, rows, model.inputs.size());
  const auto all = column_major(std::span<double>(predictions), rows, model.predictions());
  const auto part = [](auto view, std::size_t first, std::size_t count) {
    view.data += first * view.row_stride;
    view.rows = count;
    return view;
  };
  const std::size_t most = rows_at_once(parameters_of(model), threads, kRowsAtOnce);
  for (std::size_t first = 0; first < rows; first += most) {
    parallel::check_stop(monitor);
    const std::size_t count = std::min(most, rows - first);
    model.predict(part(all_inputs, first, count), part(all, first, count), threads);
  }
  return predictions;
}

std::vector<double> predict_columns(const Model& model, const EncodedTable& table,
                                    std::span<const std::size_t> rows, std::size_t threads,
                                    const Monitor* monitor) {
  const std::size_t columns = model.predictions();
  std::vector<double> all(rows.size() * columns);
  for (std::size_t first = 0; first < rows.size(); first += kRowsAtOnce) {
    const auto part = rows.subspan(first, std::min(kRowsAtOnce, rows.size() - first));
    const std::vector<double> some =
        predict_columns(model, raw_inputs(table, part), part.size(), threads, monitor);
    for (std::size_t c = 0; c < columns; ++c) {
      std::copy_n(some.data() + c * part.size(), part.size(), all.data() + c * rows.size() + first);
    }
  }
  return all;
}

}  // namespace knotwork::analysis
