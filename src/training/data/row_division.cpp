// SPDX-License-Identifier: MIT
#include "training/data/row_division.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/fail.hpp"
#include "features/split/split_rows.hpp"
#include "training/data/scaled_samples.hpp"

#include <knotwork/split.hpp>

namespace knotwork::training {
namespace {

void check_weights(std::span<const double> weights, const Rows& rows) {
  if (weights.empty()) return;
  for (const auto& [name, part] :
       {std::pair{"train on", &rows.train}, std::pair{"validate on", &rows.validation},
        std::pair{"test on", &rows.test}}) {
    double mass = 0;
    for (std::size_t row : *part) {
      if (!(weights[row] >= 0) || !std::isfinite(weights[row])) {
        fail(ErrorKind::bad_data,
             "The weight of row {} is {}; weights must be finite and at least 0.", row,
             weights[row]);
      }
      mass += weights[row];
    }
    if (!part->empty()) check_mass(mass, name);
  }
}

std::vector<double> classes_of(const TrainingData& data, std::span<const std::size_t> rows) {
  std::vector<double> classes(rows_of(data.targets));
  for (const std::size_t row : rows) classes[row] = element(data.targets, row, 0);
  return classes;
}

// Rows that were drawn from a larger table are divided by their numbers there.
SplitRows hold_out_by_numbers(const TrainingData& data, std::span<const std::size_t> rows,
                              double fraction, std::uint64_t seed, Purpose purpose) {
  std::vector<std::size_t> numbers;
  for (const std::size_t row : rows) numbers.push_back(data.row_numbers[row]);
  const features::RowSet set = features::RowSet::of(numbers.back() + 1, numbers);
  const auto windows = [&](const auto& values) -> features::ColumnWindows {
    return [&](const features::SeeValues& see) {
      for (std::size_t k = 0; k < rows.size(); ++k) see(numbers[k], {&values[rows[k]], 1});
    };
  };
  features::SplitSets parts;
  if (!data.groups.empty()) {
    parts = split_groups(set, windows(data.groups), fraction, seed, purpose);
  } else if (!data.classes.empty()) {
    const std::vector<double> classes = classes_of(data, rows);
    parts = split_stratified(set, windows(classes), fraction, seed, purpose);
  } else {
    parts = split_rows(set, fraction, seed, purpose);
  }
  SplitRows split;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    (parts.kept.contains(numbers[k]) ? split.kept : split.held_out).push_back(rows[k]);
  }
  return split;
}

SplitRows hold_out(const TrainingData& data, std::span<const std::size_t> rows,
                   const TrainOptions& options) {
  const double fraction = options.validation_fraction;
  constexpr Purpose kPurpose = Purpose::validation_split;
  if (data.in_time_order) return split_last(rows, fraction);
  if (!data.row_numbers.empty() && !rows.empty()) {
    return hold_out_by_numbers(data, rows, fraction, options.seed, kPurpose);
  }
  if (!data.groups.empty()) {
    return split_groups(rows, data.groups, fraction, options.seed, kPurpose);
  }
  if (!data.classes.empty()) {
    return split_stratified(rows, classes_of(data, rows), fraction, options.seed, kPurpose);
  }
  return split_rows(rows, fraction, options.seed, kPurpose);
}

}  // namespace

void check_mass(double mass, std::string_view purpose) {
  if (!(mass > 0)) {
    fail(ErrorKind::bad_data, "All rows to {} have weight 0; at least one must have more.",
         purpose);
  }
  if (!std::isfinite(mass)) {
    fail(ErrorKind::bad_data,
         "The weights of the rows to {} are too large to be summed; divide all of them by a power "
         "of ten.",
         purpose);
  }
}

void check_validation_rows(const TrainOptions& options, std::size_t rows, std::size_t kept) {
  if (rows > 0) return;
  fail(ErrorKind::bad_data, "A validation-fraction of {} of {} rows leaves no row to validate on.",
       options.validation_fraction, kept);
}

void check_training_rows(std::size_t rows) {
  if (rows >= 2) return;
  fail(ErrorKind::bad_data, "There are {} rows to train on; at least 2 are needed.", rows);
}

Rows divide_rows(const TrainingData& data, const Partition& partition,
                 const TrainOptions& options) {
  const std::size_t rows = rows_of(data.inputs);
  if (rows_of(data.targets) != rows) {
    fail(ErrorKind::bad_data, "There are {} rows of inputs but {} rows of targets.", rows,
         rows_of(data.targets));
  }
  if (columns_of(data.inputs) == 0 || columns_of(data.targets) == 0) {
    fail(ErrorKind::bad_data, "Training needs at least one input column and one target column.");
  }
  if (!data.weights.empty() && data.weights.size() != rows) {
    fail(ErrorKind::bad_data, "There are {} rows but {} sample weights.", rows,
         data.weights.size());
  }
  if (!data.groups.empty() && data.groups.size() != rows) {
    fail(ErrorKind::bad_data, "There are {} rows but groups for {}.", rows, data.groups.size());
  }
  if (!data.groups.empty() && data.in_time_order) {
    fail(ErrorKind::bad_data,
         "Rows are held out by time or by groups, not by both; leave one of them out.");
  }
  std::vector<bool> taken(rows);
  for (const auto* part : {&partition.train, &partition.test}) {
    for (std::size_t k = 0; k < part->size(); ++k) {
      const std::size_t row = (*part)[k];
      if (row >= rows) {
        fail(ErrorKind::bad_data, "Row {} was asked for, but there are only {} rows.", row, rows);
      }
      if (taken[row] || (k > 0 && row < (*part)[k - 1])) {
        fail(ErrorKind::bad_data,
             "Row {} stands twice or out of order; the rows of each part must be ascending and of "
             "one part only.",
             row);
      }
      taken[row] = true;
    }
  }
  Rows result{partition.train, {}, partition.test, {}};
  if (result.train.empty() && result.test.empty()) {
    result.train.resize(rows);
    std::iota(result.train.begin(), result.train.end(), std::size_t{0});
  }
  if (options.validation_fraction > 0) {
    SplitRows split = hold_out(data, result.train, options);
    result.train = std::move(split.kept);
    result.validation = std::move(split.held_out);
    check_validation_rows(options, result.validation.size(), result.train.size());
  }
  check_training_rows(result.train.size());
  check_weights(data.weights, result);
  const auto weighs = [&](std::size_t row) { return data.weights[row] > 0; };
  if (!data.weights.empty() && !std::all_of(result.train.begin(), result.train.end(), weighs)) {
    std::copy_if(result.train.begin(), result.train.end(), std::back_inserter(result.weighty),
                 weighs);
  }
  return result;
}

}  // namespace knotwork::training
