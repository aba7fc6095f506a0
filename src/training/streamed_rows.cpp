// SPDX-License-Identifier: MIT
#include "training/streamed_rows.hpp"

#include <array>
#include <numeric>

#include "base/exact_sum.hpp"
#include "training/identity.hpp"
#include "training/merge_ranks.hpp"
#include "training/rows.hpp"
#include "training/table_columns.hpp"
#include "training/table_plan.hpp"

namespace knotwork {
namespace {

SplitSets hold_out(const StreamedTable& table, const RowSet& rows, const TrainOptions& options) {
  const double fraction = options.validation_fraction;
  constexpr Purpose kPurpose = Purpose::validation_split;
  const TrainingData& data = table.description;
  if (data.in_time_order) return split_last(rows, fraction);
  if (!table.group_column.empty()) {
    return split_groups(rows, column_windows(table.windows, table.group_column), fraction, options.seed,
                        kPurpose);
  }
  if (!data.classes.empty()) {
    return split_stratified(rows, column_windows(table.windows, data.target_names.front()), fraction,
                            options.seed, kPurpose);
  }
  return split_rows(rows, fraction, options.seed, kPurpose);
}

// The sums of the weights of the parts.
struct Masses {
  std::array<ExactSum, 3> sums;
  PlainState state() const {
    PlainState state;
    for (const ExactSum& sum : sums) sum.put(state);
    return state;
  }
  void merge(std::span<const std::int64_t> other) {
    StateReader reader(other);
    for (ExactSum& sum : sums) sum.merge(reader);
    reader.finish();
  }
};

void check_weights(const StreamedTable& table, const std::array<const RowSet*, 3>& parts) {
  Masses masses;
  const auto [first, last] = own_rows(table.windows.rows(), table.ranks);
  table.windows.for_each(first, last, [&](const Table& window, std::size_t row) {
    const std::vector<double>& weights = complete_weights(window, table.weight_column);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (parts[p]->empty()) continue;
      parts[p]->for_each(row, row + window.rows(),
                         [&](std::size_t r) { masses.sums[p].add(weights[r - row]); });
    }
  });
  merge_over(table.ranks, masses);
  constexpr std::string_view kPurposes[] = {"train on", "validate on", "test on"};
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (!parts[p]->empty()) check_mass(masses.sums[p].value(), kPurposes[p]);
  }
}

std::unique_ptr<DividedRows> divided(const StreamedTable& table, const RowSet& rows,
                                     const RowSet& test, const TrainOptions& options) {
  SplitSets parts{rows, {}};
  if (options.validation_fraction > 0) {
    parts = hold_out(table, rows, options);
    check_validation_rows(options, parts.held_out.size(), parts.kept.size());
  }
  check_training_rows(parts.kept.size());
  if (!table.weight_column.empty()) check_weights(table, {&parts.kept, &parts.held_out, &test});
  return divided_stream(table, std::move(parts.kept), std::move(parts.held_out), test);
}

}  // namespace

std::string StreamedRows::data_sha256() const {
  return hash_of(table_.windows, table_.description, {table_.weight_column, table_.group_column},
                 table_.train, table_.test);
}

std::unique_ptr<DividedRows> StreamedRows::divide(const TrainOptions& options) const {
  return divided(table_, table_.train, table_.test, options);
}

std::unique_ptr<DividedRows> StreamedRows::divide_all(const TrainOptions& options) const {
  return divided(table_, RowSet::all(table_.windows.rows()), {}, options);
}

RowsInMemory StreamedRows::rows_to_compare(std::size_t most, std::uint64_t seed) const {
  // Drawn as Choice would.
  const double share = static_cast<double>(most) / static_cast<double>(table_.train.size());
  const RowSet drawn = table_.train.size() > most
                           ? split_rows(table_.train, share, seed, Purpose::folds).held_out
                           : table_.train;
  struct Kept {
    std::vector<std::size_t> numbers;
    std::vector<double> inputs, targets, weights, groups;
  };
  auto kept = std::make_shared<Kept>();
  drawn.for_each(0, drawn.table_rows(), [&](std::size_t row) { kept->numbers.push_back(row); });
  const std::size_t rows = kept->numbers.size();
  const Table table = table_.windows.read_rows(kept->numbers);
  const EncodedTable encoded(table, table_.description.encoding);
  for (std::size_t c = 0; c < encoded.inputs(); ++c) {
    for (std::size_t k = 0; k < rows; ++k) kept->inputs.push_back(encoded(k, c));
  }
  for (const std::string& name : table_.description.target_names) {
    const std::vector<double> values =
        true_values(table, {name, {}, {}, table_.description.classes});
    kept->targets.insert(kept->targets.end(), values.begin(), values.end());
  }
  if (!table_.weight_column.empty()) kept->weights = complete_weights(table, table_.weight_column);
  if (!table_.group_column.empty()) {
    kept->groups = table.columns[table.index_of(table_.group_column)];
  }
  RowsInMemory result{table_.description, {}, kept};
  result.data.inputs =
      column_major(std::span<const double>(kept->inputs), rows, encoded.inputs());
  result.data.targets = column_major(std::span<const double>(kept->targets), rows,
                                     table_.description.target_names.size());
  result.data.weights = kept->weights;
  result.data.groups = kept->groups;
  result.data.row_numbers = kept->numbers;
  result.rows.resize(rows);
  std::iota(result.rows.begin(), result.rows.end(), std::size_t{0});
  return result;
}

}  // namespace knotwork
