// SPDX-License-Identifier: MIT
#include "features/encoding/target_means.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <knotwork/random.hpp>

namespace knotwork::features {
namespace {

// Equal numbers have equal keys.
std::uint64_t key_of(double group) {
  return std::bit_cast<std::uint64_t>(group + 0.0);
}

}  // namespace

std::vector<std::uint8_t> mean_folds(std::size_t rows, std::span<const double> groups,
                                     std::uint64_t seed) {
  const Random random(seed, Purpose::target_means);
  std::vector<std::uint8_t> folds(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint64_t key = groups.empty() ? row : key_of(groups[row]);
    folds[row] = static_cast<std::uint8_t>(random.below(kMeanFolds, key));
  }
  return folds;
}

TargetMeans::TargetMeans(const Table& description, std::size_t classes,
                         std::span<const InputColumn> inputs,
                         const std::vector<std::uint8_t>& folds)
    : classes_(classes), folds_(folds) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].kind != InputKind::target_mean) continue;
    if (i > 0 && inputs[i - 1].kind == InputKind::target_mean &&
        inputs[i - 1].column == inputs[i].column) {
      continue;
    }
    Column column{description.index_of(inputs[i].column), i, {}, {}};
    const std::vector<std::string>& levels = *inputs[i].levels;
    for (const std::string& label : description.labels[column.column]) {
      const auto found = std::lower_bound(levels.begin(), levels.end(), label);
      const bool is_level = found != levels.end() && *found == label;
      column.of_label.push_back(
          is_level ? static_cast<std::size_t>(found - levels.begin()) : levels.size());
    }
    column.sums.resize(levels.size() + 2);
    means_ = 0;
    for (std::size_t m = i; m < inputs.size() && inputs[m].kind == InputKind::target_mean &&
                            inputs[m].column == inputs[i].column;
         ++m) {
      ++means_;
    }
    columns_.push_back(std::move(column));
  }
  squares_.resize(means_);
}

double TargetMeans::target_of(std::span<const std::vector<double>> targets, std::size_t mean,
                              std::size_t row) const {
  if (classes_ == 0) return targets[mean][row];
  return targets[0][row] == static_cast<double>(mean + 1) ? 1.0 : 0.0;
}

void TargetMeans::see(const Table& window, std::size_t first_row,
                      std::span<const std::size_t> rows,
                      std::span<const std::vector<double>> targets) {
  for (const std::size_t row : rows) {
    for (std::size_t m = 0; m < means_; ++m) {
      const double target = target_of(targets, m, row - first_row);
      squares_[m].add(target * target);
    }
  }
  for (Column& column : columns_) {
    const std::vector<double>& cells = window.columns[column.column];
    for (const std::size_t row : rows) {
      const double cell = cells[row - first_row];
      const std::size_t place = std::isnan(cell)
                                    ? column.sums.size() - 1
                                    : column.of_label[static_cast<std::size_t>(cell)];
      Sums& sums = column.sums[place];
      const std::size_t fold = folds_[row];
      ++sums.rows[fold];
      if (sums.targets.empty()) sums.targets.resize(kMeanFolds * means_);
      for (std::size_t m = 0; m < means_; ++m) {
        sums.targets[fold * means_ + m].add(target_of(targets, m, row - first_row));
      }
    }
  }
}

parallel::MergeState TargetMeans::state() const {
  parallel::MergeState state;
  for (const parallel::ExactSum& squares : squares_) squares.put(state);
  for (const Column& column : columns_) {
    for (const Sums& sums : column.sums) {
      for (const std::size_t rows : sums.rows) parallel::put(state, rows);
      parallel::put(state, sums.targets.size());
      for (const parallel::ExactSum& sum : sums.targets) sum.put(state);
    }
  }
  return state;
}

void TargetMeans::merge(std::span<const std::int64_t> state) {
  parallel::StateReader reader(state);
  for (parallel::ExactSum& squares : squares_) squares.merge(reader);
  for (Column& column : columns_) {
    for (Sums& sums : column.sums) {
      for (std::size_t& rows : sums.rows) rows += reader.size();
      if (reader.below(kMeanFolds * means_ + 1) == 0) continue;
      sums.targets.resize(kMeanFolds * means_);
      for (parallel::ExactSum& sum : sums.targets) sum.merge(reader);
    }
  }
  reader.finish();
}

// The rows and sums of targets of the texts of a column, with rare texts joined.
struct TargetMeans::Totals {
  struct Group {
    double rows[kMeanFolds] = {};
    std::vector<double> sums;  // kMeanFolds for each target mean
    double all_rows = 0;
    std::vector<double> all_sums;

    // The shrunk mean without a fold; kMeanFolds: of all rows.
    double mean(std::size_t m, std::size_t without, double shrinking, double overall) const {
      const std::size_t means = all_sums.size();
      double n = all_rows, sum = all_sums[m];
      if (without < kMeanFolds) {
        n -= rows[without];
        sum -= sums[without * means + m];
      }
      // Texts without rows, and texts that say nothing, have the mean of all rows.
      if (!(n > 0) || std::isinf(shrinking)) return overall;
      return (sum + shrinking * overall) / (n + shrinking);
    }
  };
  std::vector<Group> groups;            // the last one is of rare texts
  std::vector<std::size_t> group_of;    // of each place in the sums of the column
  std::vector<double> prior, strength;  // for each target mean
};

TargetMeans::Totals TargetMeans::totals_of(const Column& column) const {
  Totals totals;
  std::vector<Sums> joined;
  Sums rare;
  rare.targets.resize(kMeanFolds * means_);
  const auto rows_of = [](const Sums& sums) {
    std::size_t rows = 0;
    for (const std::size_t more : sums.rows) rows += more;
    return rows;
  };
  constexpr std::size_t kRare = OutOfFold::kNone;
  for (const Sums& sums : column.sums) {
    if (rows_of(sums) >= kFewestRowsOfText) {
      totals.group_of.push_back(joined.size());
      joined.push_back(sums);
      continue;
    }
    totals.group_of.push_back(kRare);
    for (std::size_t fold = 0; fold < kMeanFolds; ++fold) rare.rows[fold] += sums.rows[fold];
    for (std::size_t k = 0; k < sums.targets.size(); ++k) rare.targets[k].merge(sums.targets[k]);
  }
  std::replace(totals.group_of.begin(), totals.group_of.end(), kRare, joined.size());
  joined.push_back(std::move(rare));

  std::vector<parallel::ExactSum> all(means_);
  double rows = 0, squared_rows = 0;
  for (const Sums& sums : joined) {
    Totals::Group group;
    group.all_rows = static_cast<double>(rows_of(sums));
    for (std::size_t fold = 0; fold < kMeanFolds; ++fold) {
      group.rows[fold] = static_cast<double>(sums.rows[fold]);
    }
    for (const parallel::ExactSum& sum : sums.targets) group.sums.push_back(sum.value());
    for (std::size_t m = 0; m < means_; ++m) {
      parallel::ExactSum sum;
      for (std::size_t fold = 0; fold < kMeanFolds; ++fold) {
        sum.merge(sums.targets[fold * means_ + m]);
      }
      all[m].merge(sum);
      group.all_sums.push_back(sum.value());
    }
    rows += group.all_rows;
    squared_rows += group.all_rows * group.all_rows;
    totals.groups.push_back(std::move(group));
  }
  for (std::size_t m = 0; m < means_; ++m) {
    const double mean = all[m].value() / rows;
    // The sum of squares between texts is exact, so that the order of texts does not matter.
    parallel::ExactSum squares_between;
    double groups = 0;
    for (const Totals::Group& group : totals.groups) {
      if (!(group.all_rows > 0)) continue;
      const double difference = group.all_sums[m] / group.all_rows - mean;
      squares_between.add(group.all_rows * difference * difference);
      ++groups;
    }
    const double between = squares_between.value();
    const double total = std::max(0.0, squares_[m].value() - rows * mean * mean);
    const double within = std::max(0.0, total - between) / std::max(1.0, rows - groups);
    const double between_texts =
        (between - (groups - 1) * within) / std::max(1.0, rows - squared_rows / rows);
    totals.prior.push_back(mean);
    // Texts that differ no more than by chance say nothing.
    totals.strength.push_back(between_texts > 0 ? within / between_texts
                                                : std::numeric_limits<double>::infinity());
  }
  return totals;
}

void TargetMeans::finish(std::vector<InputColumn>& inputs, OutOfFold& out_of_fold) const {
  out_of_fold.folds = folds_;
  out_of_fold.places.assign(inputs.size(), OutOfFold::kNone);
  out_of_fold.of_fold.assign(kMeanFolds, {});
  for (const Column& column : columns_) {
    const Totals totals = totals_of(column);
    for (std::size_t m = 0; m < means_; ++m) {
      InputColumn& input = inputs[column.first_input + m];
      const auto fitted = [&](std::size_t without) {
        InputColumn result = input;
        const auto value = [&](std::size_t place) {
          return totals.groups[totals.group_of[place]].mean(m, without, totals.strength[m],
                                                            totals.prior[m]);
        };
        result.values.clear();
        for (std::size_t l = 0; l < input.levels->size(); ++l) result.values.push_back(value(l));
        result.unseen = totals.prior[m];
        const bool has_missing = column.sums.back().targets.size() > 0;
        result.fill = has_missing ? value(column.sums.size() - 1) : totals.prior[m];
        return result;
      };
      out_of_fold.places[column.first_input + m] = out_of_fold.of_fold.front().size();
      for (std::size_t fold = 0; fold < kMeanFolds; ++fold) {
        out_of_fold.of_fold[fold].push_back(fitted(fold));
      }
      input = fitted(kMeanFolds);
    }
  }
}

}  // namespace knotwork::features
