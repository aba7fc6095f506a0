// SPDX-License-Identifier: MIT
#include <knotwork/inspection.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "analysis/chosen_rows.hpp"
#include "base/fail.hpp"
#include "parallel/thread_pool.hpp"
#include "parallel/watched_work.hpp"

#include <knotwork/encoding.hpp>
#include <knotwork/metrics.hpp>
#include <knotwork/names.hpp>

namespace knotwork {

using namespace analysis;

namespace {

const ColumnInputs& inputs_of(const std::vector<ColumnInputs>& columns, const std::string& name) {
  std::vector<std::string> names;
  for (const ColumnInputs& column : columns) {
    if (column.column == name) return column;
    names.push_back(column.column);
  }
  throw Error(ErrorKind::bad_data, unknown_name_message("input column", name, names));
}

std::vector<double> sorted_cells(const Table& table, const std::string& column,
                                 std::span<const std::size_t> rows) {
  const std::vector<double>& cells = table.columns[table.index_of(column)];
  std::vector<double> sorted;
  for (const std::size_t row : rows) {
    if (!std::isnan(cells[row])) sorted.push_back(cells[row]);
  }
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// Values of the column with about equally many rows between neighbors. A value that many rows share
// takes one place, so that the other values get the remaining places even in a column of mostly
// zeros.
std::vector<double> quantile_places(std::span<const double> sorted, std::size_t most) {
  std::vector<double> places;
  std::unique_copy(sorted.begin(), sorted.end(), std::back_inserter(places));
  if (places.size() <= most) return places;
  places.clear();
  auto rest = sorted.begin();
  std::size_t step = 1;
  while (rest != sorted.end()) {
    places.push_back(rest[static_cast<std::ptrdiff_t>(step) - 1]);
    rest = std::upper_bound(rest, sorted.end(), places.back());
    // Whole steps use up the remaining places: the last place is the largest value.
    const std::size_t left = most - places.size();
    const auto rows = static_cast<std::size_t>(sorted.end() - rest);
    if (rows > 0) step = (rows + left - 1) / left;
  }
  return places;
}

std::vector<double> deciles_of(std::span<const double> sorted) {
  std::vector<double> deciles;
  for (int k = 1; k <= 9 && !sorted.empty(); ++k) {
    const double at = static_cast<double>(sorted.size() - 1) * k / 10;
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    deciles.push_back(std::lerp(sorted[below], sorted[above], at - static_cast<double>(below)));
  }
  return deciles;
}

std::size_t shown_prediction(const Model& model) {
  const TargetColumn& target = model.targets.front();
  if (target.classes.size() == 2) return 1;
  return target.quantiles.empty() ? 0 : middle_level(target.quantiles);
}

void check(const DependenceOptions& options) {
  if (options.most_places < 2) {
    fail(ErrorKind::bad_option, "A dependence needs at least 2 points, not {}.",
         options.most_places);
  }
  if (options.most_texts == 0) {
    fail(ErrorKind::bad_option, "A dependence on texts needs at least 1 text, not 0.");
  }
  if (options.most_rows == 0) {
    fail(ErrorKind::bad_option, "A dependence is a mean over at least 1 row, not 0.");
  }
}

// The levels that most rows have, the most frequent first; the first levels if no row has one.
std::vector<std::string> frequent_levels(const Table& table, const std::string& name,
                                         const std::vector<std::string>& levels,
                                         std::span<const std::size_t> rows, std::size_t most) {
  const std::size_t column = table.index_of(name);
  std::vector<std::string> frequent;
  if (table.is_text(column)) {
    const std::vector<std::string>& labels = table.labels[column];
    std::vector<std::size_t> counts(labels.size(), 0), order;
    for (const std::size_t row : rows) {
      const double cell = table.columns[column][row];
      if (!std::isnan(cell)) ++counts[static_cast<std::size_t>(cell)];
    }
    for (std::size_t l = 0; l < labels.size(); ++l) {
      const bool known = std::binary_search(levels.begin(), levels.end(), labels[l]);
      if (counts[l] > 0 && known) order.push_back(l);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
    for (const std::size_t l : order) {
      if (frequent.size() < most) frequent.push_back(labels[l]);
    }
  }
  if (!frequent.empty()) return frequent;
  return {levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(
                                               std::min(most, levels.size()))};
}

// The inputs of a text column that `most` places leave room for: those whose texts are in the most
// rows, in the order of the model.
std::vector<std::size_t> shown_categories(const Model& model, const Table& table,
                                          const ColumnInputs& own,
                                          std::span<const std::size_t> rows, std::size_t most) {
  std::vector<std::size_t> inputs;
  for (const std::size_t input : own.inputs) {
    if (model.inputs[input].kind == InputKind::category) inputs.push_back(input);
  }
  if (inputs.size() <= most) return inputs;
  const std::size_t column = table.index_of(own.column);
  std::unordered_map<std::string_view, std::size_t> counts;
  for (const std::size_t row : rows) {
    const double cell = table.columns[column][row];
    if (!std::isnan(cell)) ++counts[table.labels[column][static_cast<std::size_t>(cell)]];
  }
  std::stable_sort(inputs.begin(), inputs.end(), [&](std::size_t a, std::size_t b) {
    return counts[model.inputs[a].category] > counts[model.inputs[b].category];
  });
  inputs.resize(most);
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

// The places: the values of the rows, or the texts that the model knows.
void find_places(const Model& model, const Table& table, const ColumnInputs& own,
                 std::span<const std::size_t> rows, const DependenceOptions& options,
                 PartialDependence& result) {
  for (const std::size_t i : shown_categories(model, table, own, rows, options.most_places)) {
    result.categories.push_back(model.inputs[i].category);
  }
  for (const std::size_t i : own.inputs) {
    const InputColumn& input = model.inputs[i];
    if (input.kind == InputKind::date) result.dates = true;
    if (!input.has_levels() || result.texts > 0) continue;
    result.texts = input.levels->size();
    result.categories =
        frequent_levels(table, own.column, *input.levels, rows, options.most_texts);
  }
  if (!result.categories.empty()) {
    result.texts = std::max(result.texts, result.categories.size());
    result.places.resize(result.categories.size());
    std::iota(result.places.begin(), result.places.end(), 0.0);
    return;
  }
  const std::vector<double> sorted = sorted_cells(table, own.column, rows);
  result.places = quantile_places(sorted, options.most_places);
  result.deciles = deciles_of(sorted);
}

// The value of an input when its column is set to one of the places.
double input_at(const InputColumn& input, const PartialDependence& dependence, std::size_t place) {
  switch (input.kind) {
    case InputKind::numeric:
      return dependence.places[place];
    case InputKind::category:
      return input.category == dependence.categories[place] ? 1 : 0;
    case InputKind::date:
      return date_part(input.part, dependence.places[place]);
    case InputKind::target_mean:
    case InputKind::frequency:
      return input.level_value(dependence.categories[place]);
    case InputKind::missing:
      break;
  }
  return 0;
}

// The value of an input when the cell of its column is missing; NaN if the model refuses that.
double input_if_missing(const InputColumn& input) {
  if (input.kind == InputKind::missing) return 1;
  return input.kind == InputKind::category ? 0 : input.fill;
}

// Whether there is a missing cell to show: an input for missing cells, or a cell of the rows.
bool has_missing_cells(const Model& model, const Table& table, const ColumnInputs& own,
                       std::span<const std::size_t> rows) {
  const std::vector<double>& cells = table.columns[table.index_of(own.column)];
  return std::any_of(own.inputs.begin(), own.inputs.end(),
                     [&](std::size_t input) {
                       return model.inputs[input].kind == InputKind::missing;
                     }) ||
         std::any_of(rows.begin(), rows.end(),
                     [&](std::size_t row) { return std::isnan(cells[row]); });
}

// The means of the predictions with the cell of the column missing in every row; `rows` has the
// inputs of the rows.
std::vector<double> means_if_missing(const Model& model, const ColumnInputs& own,
                                     std::vector<double> rows, std::size_t n,
                                     const DependenceOptions& options) {
  for (const std::size_t input : own.inputs) {
    const double value = input_if_missing(model.inputs[input]);
    if (std::isnan(value)) return {};
    std::fill_n(rows.data() + input * n, n, value);
  }
  const std::vector<double> predictions =
      predict_columns(model, rows, n, 1, options.monitor.get());
  std::vector<double> means;
  for (std::size_t c = 0; c < model.predictions(); ++c) {
    const double* const first = predictions.data() + c * n;
    means.push_back(std::accumulate(first, first + n, 0.0) / static_cast<double>(n));
  }
  return means;
}

// Means and single curves from predictions with the column set to each of the places.
void fill_curves(const Model& model, std::span<const std::size_t> inputs,
                 const std::vector<double>& rows, const DependenceOptions& options,
                 PartialDependence& result) {
  const std::size_t n = result.rows, places = result.places.size();
  std::vector<std::size_t> positions(n);
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  const std::vector<std::size_t> single = sampled(positions, options.most_curves, options.seed);
  result.means.assign(model.predictions(), std::vector<double>(places));
  result.curves.assign(single.size(), std::vector<double>(places));

  const std::size_t workers = std::min(parallel::ThreadPool::resolve(options.threads), places);
  parallel::ThreadPool pool(std::max<std::size_t>(workers, 1));
  std::vector<std::vector<double>> copies(pool.workers());
  parallel::WatchedWork work(options.monitor.get(), Phase::explaining, static_cast<double>(places));
  pool.run(places, [&](std::size_t place, std::size_t worker) {
    std::vector<double>& copy = copies[worker];
    if (copy.empty()) copy = rows;
    for (const std::size_t input : inputs) {
      std::fill_n(copy.data() + input * n, n, input_at(model.inputs[input], result, place));
    }
    const std::vector<double> predictions =
        predict_columns(model, copy, n, 1, options.monitor.get());
    for (std::size_t c = 0; c < result.means.size(); ++c) {
      const double* const first = predictions.data() + c * n;
      result.means[c][place] = std::accumulate(first, first + n, 0.0) / static_cast<double>(n);
    }
    for (std::size_t k = 0; k < single.size(); ++k) {
      result.curves[k][place] = predictions[result.shown * n + single[k]];
    }
    work.advance();
  });
}

}  // namespace

PartialDependence partial_dependence(const Model& model, const Table& table,
                                     const std::string& column, std::span<const std::size_t> rows,
                                     const DependenceOptions& options) {
  check(options);
  model.check();
  const EncodedTable encoded(table, model.inputs);
  const std::vector<ColumnInputs> columns = inputs_by_column(model);
  const ColumnInputs& own = inputs_of(columns, column);
  const std::vector<std::size_t> all = chosen_rows(table, rows);
  const std::vector<std::size_t> taken = sampled(all, options.most_rows, options.seed);

  PartialDependence result;
  result.column = column;
  result.rows = taken.size();
  result.shown = shown_prediction(model);
  find_places(model, table, own, all, options, result);
  const std::vector<double> inputs = raw_inputs(encoded, taken);
  fill_curves(model, own.inputs, inputs, options, result);
  if (has_missing_cells(model, table, own, all)) {
    result.missing = means_if_missing(model, own, inputs, taken.size(), options);
  }
  return result;
}

}  // namespace knotwork
