// SPDX-License-Identifier: MIT
#include "training/data/training_rows.hpp"

#include <array>
#include <limits>
#include <utility>

#include "base/any_matrix.hpp"
#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "features/split/hold_out.hpp"
#include "features/target_values.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/rank_merge.hpp"
#include "training/data/data_origin.hpp"
#include "training/data/matrix_rows.hpp"
#include "training/data/training_plan.hpp"
#include "training/resume/fingerprint.hpp"

namespace knotwork::training {
namespace {

// The sum of the weights of each part.
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

// Throws unless the sum of the weights, which is a divisor, is above 0. `purpose` is "train on",
// for example.
void check_mass(double mass, std::string_view purpose) {
  if (!(mass > 0)) {
    fail(ErrorKind::bad_data, "All rows to {} have weight 0; at least one weight must be above 0.",
         purpose);
  }
  if (!std::isfinite(mass)) {
    fail(
        ErrorKind::bad_data,
        "The sum of the weights of the rows to {} overflows; divide all weights by a power of ten.",
        purpose);
  }
}

void check_masses(const TrainingRows& all, const RowSets& parts) {
  Masses masses;
  const table::TableReader& reader = all.truth().reader;
  reader.for_each_own(all.ranks(), parallel::own_rows(reader.rows(), all.ranks()),
                      [&](const Table& window, std::size_t first) {
                        const EncodedWindow rows(all.truth(), window, first);
                        for (std::size_t p = 0; p < parts.size(); ++p) {
                          if (parts[p]->empty()) continue;
                          parts[p]->for_each(first, first + window.rows(), [&](std::size_t row) {
                            masses.sums[p].add(rows.weight(row));
                          });
                        }
                      });
  parallel::merge_over(all.ranks(), masses);
  constexpr std::string_view kPurposes[] = {"train on", "validate on", "test on"};
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (!parts[p]->empty()) check_mass(masses.sums[p].value(), kPurposes[p]);
  }
}

RowDescription described(const TrainingData& data) {
  RowDescription rows;
  rows.input_count = columns_of(data.inputs);
  rows.target_count = columns_of(data.targets);
  rows.input_names = data.input_names;
  rows.target_names = data.target_names;
  rows.classes = data.classes;
  rows.in_time_order = data.in_time_order;
  if (!data.origin) return rows;
  rows.encoding = data.origin->encoding;
  rows.cells = data.origin->cells;
  rows.row_numbers = data.origin->row_numbers;
  return rows;
}

// For a table, whose columns are found by name.
NeededColumns needed_of(const PlannedRows& rows, const RowDescription& description,
                        bool has_inputs) {
  const Table& table = rows.table.description();
  std::vector<std::size_t> columns;
  std::vector<bool> is_taken(table.names.size());
  const auto take = [&](const std::string& name) {
    const std::size_t column = table.index_of(name);
    if (!is_taken[column]) columns.push_back(column);
    is_taken[column] = true;
  };
  if (has_inputs) {
    const std::string* previous = nullptr;
    for (const InputColumn& input : description.encoding) {
      if (!previous || *previous != input.column) take(input.column);
      previous = &input.column;
    }
  }
  std::vector<std::size_t> targets;
  for (const std::string& target : description.target_names) {
    targets.push_back(columns.size());
    take(target);
  }
  std::optional<std::size_t> weights;
  if (!rows.weight_column.empty()) {
    weights = columns.size();
    take(rows.weight_column);
  }
  NeededColumns needed{rows.table.with_columns(columns)};
  if (has_inputs) {
    needed.inputs = description.encoding;
    needed.out_of_fold = description.out_of_fold.get();
  }
  needed.targets = std::move(targets);
  needed.target_names = description.target_names;
  needed.classes = description.classes;
  needed.weights = weights;
  return needed;
}

// For matrices, whose first columns are the inputs.
NeededColumns needed_of(const table::TableReader& table, const RowDescription& description,
                        bool has_weights, bool has_inputs) {
  const std::size_t inputs = description.input_count, targets = description.target_count;
  std::vector<std::size_t> columns;
  for (std::size_t c = has_inputs ? 0 : inputs; c < inputs + targets + (has_weights ? 1 : 0); ++c) {
    columns.push_back(c);
  }
  NeededColumns needed{table.with_columns(columns)};
  needed.is_checked = true;
  const std::size_t first = has_inputs ? inputs : 0;
  for (std::size_t t = 0; t < targets; ++t) needed.targets.push_back(first + t);
  if (has_weights) needed.weights = first + targets;
  return needed;
}

files::MemoryLimit without_limit() {
  return {std::numeric_limits<std::size_t>::max(), {}};
}

}  // namespace

TrainingRows::TrainingRows(PlannedRows rows)
    : table_(rows.table),
      description_(std::move(rows.description)),
      weight_column_(rows.weight_column),
      group_column_(rows.group_column),
      needed_(needed_of(rows, description_, true)),
      truth_(needed_of(rows, description_, false)),
      train_(std::move(rows.train)),
      test_(std::move(rows.test)),
      memory_(std::move(rows.memory)),
      ranks_(rows.ranks) {
  if (!group_column_.empty()) groups_ = table_.description().index_of(group_column_);
}

TrainingRows::TrainingRows(const TrainingData& data, const Partition& partition)
    : matrices_(data),
      table_(rows_of_matrices(data)),
      description_(described(data)),
      needed_(needed_of(table_, description_, !data.weights.empty(), true)),
      truth_(needed_of(table_, description_, !data.weights.empty(), false)),
      train_(training_set(data, partition)),
      test_(test_set(data, partition)),
      has_partition_(!partition.train.empty() || !partition.test.empty()),
      memory_(without_limit()) {
  if (!data.groups.empty()) groups_ = table_.columns().size() - 1;
}

std::string TrainingRows::data_sha256(const std::shared_ptr<Monitor>& monitor) const {
  return hash_of(*this, monitor);
}

features::SplitSets TrainingRows::held_out(const features::RowSet& rows,
                                           const TrainOptions& options,
                                           const std::shared_ptr<Monitor>& monitor) const {
  const table::TableReader table = table_.watched(monitor, Phase::planning);
  features::RowTies ties{description_.in_time_order, {}, {}, monitor.get()};
  if (groups_) ties.groups = column_windows(table, *groups_);
  if (!description_.classes.empty()) {
    const std::size_t target = matrices_
                                   ? description_.input_count
                                   : table_.description().index_of(description_.target_names[0]);
    ties.classes = column_windows(table, target);
  }
  return hold_out(rows, ties, options.validation_fraction, options.seed, Purpose::validation_split,
                  description_.row_numbers);
}

std::unique_ptr<DividedRows> TrainingRows::divided(const features::RowSet& rows,
                                                   const features::RowSet& test,
                                                   const TrainOptions& options,
                                                   std::shared_ptr<Monitor> monitor) const {
  // Passes over few rows in memory are too short to be stopped.
  constexpr std::size_t kLongPass = std::size_t{1} << 22;  // cells
  const std::size_t cells = table_.rows() * table_.columns().size();
  if (table_.is_in_memory() && cells < kLongPass) monitor = nullptr;
  features::SplitSets parts{rows, {}};
  if (options.validation_fraction > 0) {
    table::TableReader::together(ranks_, [&] { parts = held_out(rows, options, monitor); });
    if (parts.held_out.empty()) {
      fail(ErrorKind::bad_data,
           "A validation-fraction of {} of {} rows leaves no row to validate on.",
           options.validation_fraction, parts.kept.size());
    }
  }
  if (parts.kept.size() < 2) {
    fail(ErrorKind::bad_data, "There are {} training rows; at least 2 are needed.",
         parts.kept.size());
  }
  const RowSets sets{&parts.kept, &parts.held_out, &test};
  if (matrices_) check_weights(*matrices_, sets);
  if (truth_.weights) check_masses(*this, sets);
  return std::make_unique<DividedRows>(*this, std::move(parts.kept), std::move(parts.held_out),
                                       test, std::move(monitor));
}

std::unique_ptr<DividedRows> TrainingRows::divide(const TrainOptions& options,
                                                  const std::shared_ptr<Monitor>& monitor) const {
  return divided(train_, test_, options, monitor);
}

std::unique_ptr<DividedRows> TrainingRows::divide_all(
    const TrainOptions& options, const std::shared_ptr<Monitor>& monitor) const {
  // Rows without a target are in neither part.
  const auto is_in_a_part = [&](std::size_t row) {
    return train_.contains(row) || (!test_.empty() && test_.contains(row));
  };
  return divided(features::RowSet(table_.rows(), is_in_a_part), {}, options, monitor);
}

NeededColumns TrainingRows::only_input(std::size_t input) const {
  if (matrices_) {
    NeededColumns one{table_.with_columns(std::array{input})};
    one.is_checked = true;
    return one;
  }
  const InputColumn& column = description_.encoding[input];
  NeededColumns one{table_.with_columns(std::array{table_.description().index_of(column.column)})};
  one.inputs = {&column, 1};
  return one;
}

RowsInMemory TrainingRows::rows_to_compare(std::size_t most, std::uint64_t seed) const {
  if (matrices_) return {*matrices_, list_of(train_), nullptr};
  // Draws like OptionDescent.
  const double share = static_cast<double>(most) / static_cast<double>(train_.size());
  return copy_of(list_of(
      train_.size() > most ? split_rows(train_, share, seed, Purpose::folds).held_out : train_));
}

RowsInMemory TrainingRows::copy_of(const std::vector<std::size_t>& numbers) const {
  struct Kept {
    std::vector<double> inputs, targets, weights, groups;
  };
  auto kept = std::make_shared<Kept>();
  const std::size_t rows = numbers.size();
  {
    const Table table = needed_.reader.read_rows(numbers);
    const EncodedWindow window(needed_, table, 0);
    kept->inputs.reserve(rows * inputs());
    for (std::size_t c = 0; c < inputs(); ++c) {
      for (std::size_t k = 0; k < rows; ++k) kept->inputs.push_back(window.input(k, c));
    }
    for (std::size_t t = 0; t < description_.target_count; ++t) {
      for (std::size_t k = 0; k < rows; ++k) kept->targets.push_back(window.target(k, t));
    }
    for (std::size_t k = 0; k < rows && needed_.weights; ++k) {
      kept->weights.push_back(window.weight(k));
    }
  }
  if (groups_) {
    kept->groups =
        std::move(table_.with_columns(std::array{*groups_}).read_rows(numbers).columns.front());
  }
  RowsInMemory result{{}, std::vector<std::size_t>(rows), kept};
  for (std::size_t k = 0; k < rows; ++k) result.rows[k] = k;
  TrainingData& data = result.data;
  data.inputs = column_major(std::span<const double>(kept->inputs), rows, inputs());
  data.targets =
      column_major(std::span<const double>(kept->targets), rows, description_.target_count);
  data.weights = kept->weights;
  data.groups = kept->groups;
  data.input_names = description_.input_names;
  data.target_names = description_.target_names;
  data.classes = description_.classes;
  data.in_time_order = description_.in_time_order;
  DataOrigin origin{description_.encoding, description_.cells, {}};
  if (rows < table_.rows()) origin.row_numbers = numbers;
  data.origin = std::make_shared<const DataOrigin>(std::move(origin));
  return result;
}

}  // namespace knotwork::training
