// SPDX-License-Identifier: MIT
#include <knotwork/inspection.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "analysis/chosen_rows.hpp"
#include "base/fail.hpp"
#include "model/score_predictions.hpp"
#include "parallel/thread_pool.hpp"
#include "parallel/watched_work.hpp"

#include <knotwork/encoding.hpp>
#include <knotwork/metrics.hpp>
#include <knotwork/random.hpp>

namespace knotwork {

using namespace analysis;

namespace {

// For each row, the row from which it gets its cell (Fisher and Yates). The result depends on the
// three arguments alone.
std::vector<std::size_t> shuffle(std::size_t rows, std::uint64_t seed, std::size_t column,
                                 std::size_t repeat) {
  const Random column_seeds(seed, Purpose::importance);
  const Random repeat_seeds(column_seeds.bits(column), Purpose::importance);
  const Random random(repeat_seeds.bits(repeat), Purpose::importance);
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = rows; k > 1; --k) std::swap(order[k - 1], order[random.below(k, k)]);
  return order;
}

// The sampled rows, and the score of the model when a column of these rows is shuffled.
class Sample {
 public:
  Sample(const Model& model, const Table& table, std::vector<std::size_t> rows,
         const ImportanceOptions& options)
      : model_(model),
        monitor_(options.monitor.get()),
        rows_(rows.size()),
        inputs_(raw_inputs(EncodedTable(table, model.inputs), rows)),
        truth_(model::true_columns(model.targets, table, rows)),
        weights_(chosen_weights(table, options.weight_column, rows)) {}

  const std::vector<double>& inputs() const { return inputs_; }
  std::size_t rows() const { return rows_; }

  double score(std::span<const double> inputs) const {
    const auto truth = column_major(std::span<const double>(truth_), rows_, model_.targets.size());
    return model::score_predictions(model_.targets,
                                    predict_columns(model_, inputs, rows_, 1, monitor_), truth,
                                    weights_, nullptr)
        .to_compare();
  }

  // `copy` holds the inputs, and is restored before the function returns.
  double score_shuffled(const ColumnInputs& column, std::span<const std::size_t> order,
                        std::vector<double>& copy) const {
    for (const std::size_t input : column.inputs) {
      const double* const from = inputs_.data() + input * rows_;
      double* const to = copy.data() + input * rows_;
      for (std::size_t k = 0; k < rows_; ++k) to[k] = from[order[k]];
    }
    const double result = score(copy);
    for (const std::size_t input : column.inputs) {
      std::copy_n(inputs_.data() + input * rows_, rows_, copy.data() + input * rows_);
    }
    return result;
  }

 private:
  const Model& model_;
  const Monitor* monitor_;
  std::size_t rows_;
  std::vector<double> inputs_, truth_;  // column by column
  std::vector<double> weights_;
};

void check(const ImportanceOptions& options) {
  if (options.repeats == 0) {
    fail(ErrorKind::bad_option, "The importance of columns needs at least 1 repeat, not 0.");
  }
  if (options.most_rows < 2) {
    fail(ErrorKind::bad_option,
         "The importance of columns needs at least 2 rows to shuffle, not {}.", options.most_rows);
  }
}

// NaN comes last; importances are NaN if the targets do not vary.
bool more_important(const ColumnImportance& a, const ColumnImportance& b) {
  if (std::isnan(a.mean) || std::isnan(b.mean)) return std::isnan(b.mean) && !std::isnan(a.mean);
  return a.mean > b.mean;
}

}  // namespace

Importance permutation_importance(const Model& model, const Table& table,
                                  std::span<const std::size_t> rows,
                                  const ImportanceOptions& options) {
  check(options);
  model.check();
  const Sample sample(model, table,
                      sampled(chosen_rows(table, rows), options.most_rows, options.seed), options);
  const std::vector<ColumnInputs> columns = inputs_by_column(model);
  Importance result;
  result.rows = sample.rows();
  result.repeats = options.repeats;
  parallel::WatchedWork work(options.monitor.get(), Phase::explaining,
                             static_cast<double>(columns.size() * options.repeats));
  result.score = sample.score(sample.inputs());

  // Every shuffle is one task, so that a table with few columns keeps many threads busy too.
  std::vector<double> worse(columns.size() * options.repeats);
  parallel::ThreadPool pool(std::min(parallel::ThreadPool::resolve(options.threads), worse.size()));
  std::vector<std::vector<double>> copies(pool.workers());
  pool.run(worse.size(), [&](std::size_t task, std::size_t worker) {
    const std::size_t c = task / options.repeats, repeat = task % options.repeats;
    if (copies[worker].empty()) copies[worker] = sample.inputs();
    const auto order = shuffle(sample.rows(), options.seed, c, repeat);
    worse[task] = sample.score_shuffled(columns[c], order, copies[worker]) - result.score;
    work.advance();
  });

  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto own = std::span(worse).subspan(c * options.repeats, options.repeats);
    const MeanDeviation over_repeats = mean_deviation(own);
    result.columns.push_back({columns[c].column, over_repeats.mean, over_repeats.deviation});
  }
  std::stable_sort(result.columns.begin(), result.columns.end(), more_important);
  return result;
}

}  // namespace knotwork
