// SPDX-License-Identifier: MIT
#include "training/data/owned_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"
#include "parallel/rank_merge.hpp"
#include "scoring/units.hpp"
#include "training/data/divided_rows.hpp"
#include "training/data/training_rows.hpp"
#include "training/run/loss_choice.hpp"

namespace knotwork::training {
namespace {

// Columns of at least this size are not copied to be scaled, but scaled block by block, if
// possible.
constexpr std::size_t kLargeColumns = std::size_t{64} << 20;
constexpr std::size_t kNeverLarge = std::numeric_limits<std::size_t>::max();

// For a number that becomes infinite by scaling or as a float.
[[noreturn]] void refuse_as_too_large(const std::string& column, std::size_t row, double value) {
  fail(ErrorKind::bad_data, Where{.row = row, .column_name = column, .is_in_sentence = true},
       "The value of column '{}' in row {} is {}, which is too large to compute with; correct it, "
       "scale the column, or use double precision.",
       column, row, value);
}

template <class T>
bool all_finite(const MatrixView<const T>& view) {
  for (std::size_t c = 0; c < view.columns; ++c) {
    const auto column = std::span(view.column(c), view.rows);
    if (!std::all_of(column.begin(), column.end(), [](T x) { return std::isfinite(x); })) {
      return false;
    }
  }
  return true;
}

// Whether the source already has what training computes with: numeric columns without missing
// cells.
std::optional<std::vector<std::size_t>> plain_columns(const TrainingRows& rows, bool of_inputs) {
  const RowDescription& description = rows.description();
  std::vector<std::size_t> columns;
  if (rows.matrices()) {
    const std::size_t first = of_inputs ? 0 : description.input_count;
    const std::size_t count = of_inputs ? description.input_count : description.target_count;
    for (std::size_t c = 0; c < count; ++c) columns.push_back(first + c);
    return columns;
  }
  const Table& table = rows.table().description();
  if (of_inputs) {
    for (const InputColumn& input : description.encoding) {
      if (input.kind != InputKind::numeric || !std::isnan(input.fill)) return std::nullopt;
      columns.push_back(table.index_of(input.column));
    }
    return columns;
  }
  if (!description.classes.empty()) return std::nullopt;
  for (const std::string& target : description.target_names) {
    columns.push_back(table.index_of(target));
  }
  return columns;
}

}  // namespace

RowFacts DividedRows::facts_of(const features::RowSet& part) const {
  RowFacts facts;
  facts.classes.resize(all_.description().classes.size());
  each_own_window(watched(all_.truth()), all_.ranks(), [&](const EncodedWindow& window) {
    part.for_each(window.first_row(), window.first_row() + window.rows(), [&](std::size_t row) {
      facts.largest_weight = std::max(facts.largest_weight, window.weight(row));
      if (facts.classes.empty()) return;
      facts.classes[static_cast<std::size_t>(window.target(row, 0))].add(window.weight(row));
    });
  });
  parallel::merge_over(all_.ranks(), facts);
  return facts;
}

// The positions of a part for which this process has samples. All processes have small parts as a
// whole, because the shares of a network's leaves are not known yet.
RowRange DividedRows::own_positions(const features::RowSet& part, std::size_t batch) const {
  if (!all_.ranks() || part.size() <= kManyRows) return {0, part.size()};
  return RowShares(part.size(), kChunkRows, batch).own(all_.ranks()->rank(), all_.ranks()->size());
}

// Columns that can be used in place: all rows are used, the type is that of the arithmetic, and
// they need no scaling, or the walk over large columns scales them.
template <class T, class Columns>
std::optional<LentColumns<T>> DividedRows::lent(const Columns& scalings, bool of_inputs,
                                                Part part) const {
  const std::size_t rows = all_.table().rows();
  if (this->rows(part).size() != rows) return std::nullopt;
  bool is_scaled = true, is_linear = true;
  for (const auto& column : scalings) {
    is_scaled = is_scaled && column.scaling.is_identity();
    is_linear = is_linear && column.scaling.quantiles.empty();
  }
  // The score of a validation part needs scaled rows.
  const std::size_t large = part == Part::validation ? kNeverLarge : kLargeColumns;
  if (!is_scaled && !(is_linear && rows * scalings.size() * sizeof(T) >= large)) {
    return std::nullopt;
  }
  const auto columns = plain_columns(all_, of_inputs);
  if (!columns) return std::nullopt;
  const auto view = matrix_in_memory<T>(all_.table().source(), *columns);
  // Matrices have been checked before; a missing cell is refused when it is read.
  if (!view || (!all_.matrices() && !all_finite(*view))) return std::nullopt;
  LentColumns<T> lent{*view};
  if (is_scaled) return lent;
  for (const auto& column : scalings) {
    const Scaling& own = column.scaling;
    lent.scales.push_back(own.is_identity() ? ColumnScale{} : ColumnScale{own.offset, own.scale});
  }
  return lent;
}

template <class T>
std::unique_ptr<OwnedSamples<T>> DividedRows::samples(Part which, const Model& model,
                                                      const TrainOptions& options) const {
  const features::RowSet& part = rows(which);
  const bool train = which == Part::train, has_weights = all_.truth().weights.has_value();
  const RowRange own = own_positions(part, train ? options.batch : 0);
  RowFacts facts;
  if (has_weights || (train && !all_.description().classes.empty())) facts = facts_of(part);
  const double unit = has_weights ? scoring::unit_of_size(facts.largest_weight) : 1;
  std::vector<double> factors;  // for each class
  if (train) {
    std::vector<double> masses;
    for (const parallel::ExactSum& sum : facts.classes) {
      masses.push_back(sum.value(-std::ilogb(unit)));
    }
    factors = class_weights(options, model.targets.front(), masses);
  }
  const bool weighted = has_weights || !factors.empty();
  const std::size_t inputs = model.inputs.size(), targets = model.targets.size();
  auto samples = std::make_unique<OwnedSamples<T>>(
      part.size(), own, inputs, targets, weighted, lent<T>(model.inputs, true, which),
      lent<T>(model.targets, false, which), all_.memory());
  if (!samples->owns_inputs() && !samples->owns_targets() && !weighted) return samples;
  const NeededColumns columns = watched(samples->owns_inputs() ? all_.needed() : all_.truth());
  RowFacts sums;
  std::size_t place = 0;
  const auto put_window = [&](const EncodedWindow& window, std::size_t last) {
    const std::size_t end = std::min(window.first_row() + window.rows(), last);
    const auto put_column = [&](T* column, const Scaling& scaling, const std::string& name,
                                const auto& value) {
      T* out = column + place;
      part.for_each(window.first_row(), end, [&](std::size_t row) {
        const double x = value(row);
        *out = static_cast<T>(scaling.apply(x));
        if (!std::isfinite(*out)) refuse_as_too_large(name, row, x);
        ++out;
      });
    };
    for (std::size_t c = 0; c < inputs && samples->owns_inputs(); ++c) {
      put_column(samples->input(c), model.inputs[c].scaling, model.inputs[c].column,
                 [&](std::size_t row) { return window.input(row, c); });
    }
    for (std::size_t t = 0; t < targets && samples->owns_targets(); ++t) {
      put_column(samples->target(t), model.targets[t].scaling, model.targets[t].column,
                 [&](std::size_t row) { return window.target(row, t); });
    }
    part.for_each(window.first_row(), end, [&](std::size_t row) {
      if (weighted) {
        T weight = static_cast<T>(window.weight(row) / unit);
        if (!factors.empty()) {
          weight *= static_cast<T>(factors[static_cast<std::size_t>(window.target(row, 0))]);
        }
        samples->weights()[place] = weight;
        sums.mass.add(static_cast<double>(weight));
      }
      ++place;
    });
  };
  table::TableReader::together(all_.ranks(), [&] {
    if (own.size() == 0) return;
    const std::size_t last = part[own.last - 1] + 1;
    each_window(columns, part[own.first], last,
                [&](const EncodedWindow& window) { put_window(window, last); });
  });
  // If all processes have all rows, each already has the whole sum.
  if (weighted && own.size() < part.size()) parallel::merge_over(all_.ranks(), sums);
  if (weighted) samples->set_mass(sums.mass.value());
  return samples;
}
template std::unique_ptr<OwnedSamples<float>> DividedRows::samples(Part, const Model&,
                                                                   const TrainOptions&) const;
template std::unique_ptr<OwnedSamples<double>> DividedRows::samples(Part, const Model&,
                                                                    const TrainOptions&) const;

}  // namespace knotwork::training
