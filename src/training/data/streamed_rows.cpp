// SPDX-License-Identifier: MIT
#include "training/data/streamed_rows.hpp"

#include <array>
#include <numeric>

#include "features/target_values.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/rank_merge.hpp"
#include "training/data/row_division.hpp"
#include "training/data/training_plan.hpp"
#include "training/resume/fingerprint.hpp"

namespace knotwork::training {
namespace {

features::SplitSets hold_out(const StreamedTable& table, const features::RowSet& rows,
                             const TrainOptions& options) {
  const double fraction = options.validation_fraction;
  constexpr Purpose kPurpose = Purpose::validation_split;
  const TrainingData& data = table.description;
  if (data.in_time_order) return split_last(rows, fraction);
  if (!table.group_column.empty()) {
    return split_groups(rows, column_windows(table.windows, table.group_column), fraction,
                        options.seed, kPurpose);
  }
  if (!data.classes.empty()) {
    return split_stratified(rows, column_windows(table.windows, data.target_names.front()),
                            fraction, options.seed, kPurpose);
  }
  return split_rows(rows, fraction, options.seed, kPurpose);
}

// The sums of the weights of the parts.
struct Masses {
  std::array<parallel::ExactSum, 3> sums;
  parallel::MergeState state() const {
    parallel::MergeState state;
    for (const parallel::ExactSum& sum : sums) sum.put(state);
    return state;
  }
  void merge(std::span<const std::int64_t> other) {
    parallel::StateReader reader(other);
    for (parallel::ExactSum& sum : sums) sum.merge(reader);
    reader.finish();
  }
};

void check_weights(const StreamedTable& table,
                   const std::array<const features::RowSet*, 3>& parts) {
  Masses masses;
  const auto [first, last] = parallel::own_rows(table.windows.rows(), table.ranks);
  table.windows.for_each(first, last, [&](const Table& window, std::size_t row) {
    const std::vector<double>& weights = features::complete_weights(window, table.weight_column);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (parts[p]->empty()) continue;
      parts[p]->for_each(row, row + window.rows(),
                         [&](std::size_t r) { masses.sums[p].add(weights[r - row]); });
    }
  });
  parallel::merge_over(table.ranks, masses);
  constexpr std::string_view kPurposes[] = {"train on", "validate on", "test on"};
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (!parts[p]->empty()) check_mass(masses.sums[p].value(), kPurposes[p]);
  }
}

std::unique_ptr<DividedRows> divided(const StreamedTable& table, const features::RowSet& rows,
                                     const features::RowSet& test, const TrainOptions& options) {
  features::SplitSets parts{rows, {}};
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
  return divided(table_, features::RowSet::all(table_.windows.rows()), {}, options);
}

RowsInMemory StreamedRows::rows_to_compare(std::size_t most, std::uint64_t seed) const {
  // Drawn as OptionDescent would.
  const double share = static_cast<double>(most) / static_cast<double>(table_.train.size());
  const features::RowSet drawn =
      table_.train.size() > most ? split_rows(table_.train, share, seed, Purpose::folds).held_out
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
        features::true_values(table, {name, {}, {}, table_.description.classes});
    kept->targets.insert(kept->targets.end(), values.begin(), values.end());
  }
  if (!table_.weight_column.empty())
    kept->weights = features::complete_weights(table, table_.weight_column);
  if (!table_.group_column.empty()) {
    kept->groups = table.columns[table.index_of(table_.group_column)];
  }
  RowsInMemory result{table_.description, {}, kept};
  result.data.inputs = column_major(std::span<const double>(kept->inputs), rows, encoded.inputs());
  result.data.targets = column_major(std::span<const double>(kept->targets), rows,
                                     table_.description.target_names.size());
  result.data.weights = kept->weights;
  result.data.groups = kept->groups;
  result.data.row_numbers = kept->numbers;
  result.rows.resize(rows);
  std::iota(result.rows.begin(), result.rows.end(), std::size_t{0});
  return result;
}

}  // namespace knotwork::training
