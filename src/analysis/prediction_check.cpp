// SPDX-License-Identifier: MIT
#include <knotwork/prediction_check.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/chosen_rows.hpp"
#include "analysis/input_histogram.hpp"
#include "features/target_values.hpp"
#include "model/score_predictions.hpp"
#include "parallel/watched_work.hpp"

#include <knotwork/encoding.hpp>

namespace knotwork {

using namespace analysis;

namespace {

using Column = std::span<const double>;

// One column of predictions for each level; the middle level represents the target.
PredictedTarget describe(const TargetColumn& target, Column truth, std::span<const Column> levels,
                         const CheckOptions& options) {
  PredictedTarget result;
  result.column = target.column;
  result.levels = target.quantiles;
  std::vector<std::size_t> positions(truth.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  const std::vector<std::size_t> points = sampled(positions, options.most_points, options.seed);
  const auto at_points = [&](Column column) {
    std::vector<double> some;
    for (const std::size_t k : points) some.push_back(column[k]);
    return some;
  };
  result.truth = at_points(truth);
  for (const Column level : levels) result.predicted.push_back(at_points(level));

  const Column middle = levels[levels.size() == 1 ? 0 : middle_level(target.quantiles)];
  Limits limits;
  for (std::size_t k = 0; k < truth.size(); ++k) limits.take(truth[k] - middle[k]);
  InputHistogram residuals = empty_histogram(limits, options.residual_bins);
  for (std::size_t k = 0; k < truth.size(); ++k) count(residuals, truth[k] - middle[k]);
  result.residual_edges = std::move(residuals.edges);
  result.residual_counts = std::move(residuals.counts);
  return result;
}

Reliability reliability_of(const std::string& label, double number, Column truth,
                           Column probabilities, std::size_t bins) {
  Reliability result{label, std::vector<ReliabilityBin>(bins)};
  for (std::size_t k = 0; k < truth.size(); ++k) {
    const double p = probabilities[k];
    if (!(p >= 0)) continue;  // of inputs that are not numbers
    const auto bin = static_cast<std::size_t>(p * static_cast<double>(bins));
    ReliabilityBin& own = result.bins[std::min(bin, bins - 1)];
    own.predicted += p;
    own.observed += truth[k] == number ? 1 : 0;
    ++own.rows;
  }
  std::erase_if(result.bins, [](const ReliabilityBin& bin) { return bin.rows == 0; });
  for (ReliabilityBin& bin : result.bins) {
    bin.predicted /= static_cast<double>(bin.rows);
    bin.observed /= static_cast<double>(bin.rows);
  }
  return result;
}

// Does what Model::evaluate() does, for rows that have already been read.
class ReadRows {
 public:
  ReadRows(const Model& model, const Table& table, std::span<const std::size_t> rows,
           const CheckOptions& options)
      : rows_(rows),
        threads_(options.threads),
        monitor_(options.monitor.get()),
        encoded_(table, model.inputs),
        truth_(model::true_columns(model.targets, table, rows)),
        weights_(chosen_weights(table, options.weight_column, rows)) {}

  std::vector<double> predict(const Model& model) const {
    return predict_columns(model, encoded_, rows_, threads_, monitor_);
  }
  Scores score(const Model& model, const std::vector<double>& predictions,
               std::vector<Scores>* each = nullptr) const {
    const auto truth =
        column_major(std::span<const double>(truth_), rows_.size(), model.targets.size());
    return model::score_predictions(model.targets, predictions, truth, weights_, each);
  }
  Column truth(std::size_t target) const {
    return Column(truth_).subspan(target * rows_.size(), rows_.size());
  }

 private:
  std::span<const std::size_t> rows_;
  std::size_t threads_;
  const Monitor* monitor_;
  EncodedTable encoded_;
  std::vector<double> truth_;  // column by column
  std::vector<double> weights_;
};

}  // namespace

PredictionCheck check_predictions(const Model& model, const Table& table,
                                  std::span<const std::size_t> rows, const CheckOptions& options) {
  check_bins(options.bins);
  check_bins(options.residual_bins);
  model.check();
  const std::vector<std::size_t> chosen = chosen_rows(table, rows);
  const bool has_parts = model.members.size() > 1;
  parallel::WatchedWork work(options.monitor.get(), Phase::scoring,
                             2 + static_cast<double>(has_parts ? model.members.size() : 0));
  const ReadRows read(model, table, chosen, options);
  const std::vector<double> predictions = read.predict(model);
  work.advance();
  for (std::size_t c = 0; c < model.predictions(); ++c) {
    features::check_finite(table, model.inputs,
                           Column(predictions).subspan(c * chosen.size(), chosen.size()), chosen);
  }

  PredictionCheck result;
  result.rows = chosen.size();
  std::vector<Scores> each;
  result.scores = read.score(model, predictions, &each);
  work.advance();
  for (std::size_t t = 0; t < model.targets.size() && model.targets.size() > 1; ++t) {
    result.targets.push_back({.column = model.targets[t].column, .test = each[t]});
  }
  for (std::size_t m = 0; m < model.members.size() && has_parts; ++m) {
    const Model alone{{model.members[m]}, model.precision, model.inputs, model.targets, {}};
    result.members.push_back(read.score(alone, read.predict(alone)));
    work.advance();
  }

  std::size_t first = 0;
  for (std::size_t t = 0; t < model.targets.size(); ++t) {
    const TargetColumn& target = model.targets[t];
    std::vector<Column> columns;
    for (std::size_t c = 0; c < target.predictions(); ++c) {
      columns.push_back(Column(predictions).subspan((first + c) * chosen.size(), chosen.size()));
    }
    first += target.predictions();
    if (target.classes.empty()) {
      result.numbers.push_back(describe(target, read.truth(t), columns, options));
      continue;
    }
    for (std::size_t c = target.classes.size() == 2 ? 1 : 0; c < columns.size(); ++c) {
      result.reliability.push_back(reliability_of(target.classes[c], static_cast<double>(c),
                                                  read.truth(t), columns[c], options.bins));
    }
  }
  return result;
}

}  // namespace knotwork
