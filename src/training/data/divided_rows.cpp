// SPDX-License-Identifier: MIT
#include "training/data/divided_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "features/known_targets.hpp"
#include "features/scaling_fit.hpp"
#include "model/prediction_pass.hpp"
#include "parallel/rank_merge.hpp"
#include "scoring/row_scores.hpp"
#include "training/data/fitted_columns.hpp"
#include "training/data/matrix_rows.hpp"
#include "training/data/store_scores.hpp"
#include "training/data/training_rows.hpp"

namespace knotwork::training {
namespace {

// Shows a monitor how far the scores are, and asks another one whether to stop.
class ScoringMonitor final : public Monitor {
 public:
  ScoringMonitor(std::shared_ptr<Monitor> shown, const Monitor* stop)
      : shown_(std::move(shown)), stop_(stop) {}
  void see(const Progress& progress) override {
    if (shown_) shown_->see(progress);
  }
  bool stop_requested() const override { return stop_ && stop_->stop_requested(); }

 private:
  std::shared_ptr<Monitor> shown_;
  const Monitor* stop_;
};

}  // namespace

EncodedWindow::EncodedWindow(const NeededColumns& needed, const Table& window,
                             std::size_t first_row)
    : window_(window), needed_(needed), first_row_(first_row) {
  if (!needed.inputs.empty()) encoded_.emplace(window, needed.inputs);
  if (needed.out_of_fold && !needed.inputs.empty()) {
    for (const std::vector<InputColumn>& inputs : needed.out_of_fold->of_fold) {
      out_of_fold_.emplace_back(window, inputs);
    }
  }
  looked_up_.reserve(needed.targets.size());
  for (std::size_t t = 0; t < needed.targets.size(); ++t) {
    if (needed.is_checked) {
      targets_.emplace_back(window.columns[needed.targets[t]]);
      continue;
    }
    looked_up_.push_back(features::values_where_known(
        window, {needed.target_names[t], {}, {}, {needed.classes.begin(), needed.classes.end()}}));
    targets_.emplace_back(looked_up_.back());
  }
  if (!needed.weights) return;
  weights_ = window.columns[*needed.weights];  // the plan has checked those of a table
}

std::optional<double> EncodedWindow::out_of_fold(std::size_t r, std::size_t column) const {
  const features::OutOfFold& means = *needed_.out_of_fold;
  const std::size_t place = means.places[column];
  if (place == features::OutOfFold::kNone) return std::nullopt;
  const std::size_t row = window_.row_numbers.empty() ? first_row_ + r : window_.row_numbers[r];
  if (!means.train.contains(row)) return std::nullopt;
  return out_of_fold_[means.folds[row]](r, place);
}

DividedRows::DividedRows(const TrainingRows& all, features::RowSet train,
                         features::RowSet validation, features::RowSet test,
                         std::shared_ptr<Monitor> monitor)
    : all_(all),
      train_(std::move(train)),
      validation_(std::move(validation)),
      test_(std::move(test)),
      monitor_(std::move(monitor)) {}

NeededColumns DividedRows::watched(NeededColumns columns) const {
  columns.reader = columns.reader.watched(monitor_, Phase::planning);
  return columns;
}

const features::RowSet& DividedRows::rows(Part part) const {
  if (part == Part::train) return train_;
  return part == Part::validation ? validation_ : test_;
}

void DividedRows::check_columns(const Model& start) const {
  check_same_columns(start, all_.description());
  if (!all_.matrices()) return;  // cells of tables are checked when they are read
  for (std::size_t c = 0; c < start.inputs.size(); ++c) {
    check_inputs(*all_.matrices(), c, start.inputs[c].column, parts());
  }
  for (std::size_t t = 0; t < start.targets.size(); ++t) {
    check_targets(*all_.matrices(), t, start.targets[t].column, parts());
  }
}

template <class Value>
void DividedRows::fit(std::vector<features::ScalingFit>& fits, const NeededColumns& columns,
                      const Value& value) const {
  std::vector<std::size_t> rows;
  std::vector<double> values;
  while (std::any_of(fits.begin(), fits.end(),
                     [](const features::ScalingFit& fit) { return fit.needs_another_pass(); })) {
    each_own_window(columns, all_.ranks(), [&](const EncodedWindow& window) {
      rows.clear();
      train_.for_each(window.first_row(), window.first_row() + window.rows(), [&](std::size_t row) {
        if (window.weight(row) > 0) rows.push_back(row);
      });
      for (std::size_t c = 0; c < fits.size(); ++c) {
        if (!fits[c].needs_another_pass()) continue;
        values.clear();
        for (const std::size_t row : rows) values.push_back(value(window, row, c));
        fits[c].see(values, rows);
      }
    });
    for (features::ScalingFit& fit : fits) {
      if (!fit.needs_another_pass()) continue;
      parallel::merge_over(all_.ranks(), fit);
      fit.end_pass();
    }
  }
}

std::vector<InputColumn> DividedRows::fit_inputs(const TrainOptions& options) const {
  std::vector<InputColumn> inputs = unscaled_inputs(all_.description());
  if (all_.matrices()) {
    for (std::size_t c = 0; c < inputs.size(); ++c) {
      check_inputs(*all_.matrices(), c, inputs[c].column, parts());
    }
  }
  std::vector<features::ScalingFit> fits;
  for (const InputColumn& input : inputs) {
    // Inputs that are not scaled need only the smallest and the largest value.
    fits.emplace_back(input.is_scaled() ? options.scale_inputs : ScalingKind::range, ColumnRole::input,
                      options.input_low, options.input_high);
  }
  fit(fits, watched(all_.needed()),
      [](const EncodedWindow& window, std::size_t row, std::size_t c) {
        return window.input(row, c);
      });
  for (std::size_t c = 0; c < inputs.size(); ++c) {
    const Scaling scaling = fits[c].finish();
    if (!inputs[c].is_scaled()) {
      // An input that is constant in training is scaled to zero; otherwise an untrained weight
      // would affect predictions.
      if (scaling.scale == 0) inputs[c].scaling = scaling;
      continue;
    }
    inputs[c].scaling = scaling;
    inputs[c].low = fits[c].smallest();
    inputs[c].high = fits[c].largest();
  }
  return inputs;
}

std::vector<TargetColumn> DividedRows::fit_targets(const TrainOptions& options) const {
  const RowDescription& description = all_.description();
  const std::vector<std::string> names = target_names(description);
  std::vector<features::ScalingFit> fits;
  for (std::size_t t = 0; t < names.size(); ++t) {
    if (all_.matrices()) check_targets(*all_.matrices(), t, names[t], parts());
    fits.emplace_back(description.classes.empty() ? options.scale_target : ScalingKind::none,
                      ColumnRole::target, options.target_low, options.target_high);
  }
  fit(fits, watched(all_.truth()), [](const EncodedWindow& window, std::size_t row, std::size_t t) {
    return window.target(row, t);
  });
  std::vector<TargetColumn> targets;
  for (std::size_t t = 0; t < fits.size(); ++t) {
    targets.push_back(fitted_target(description, t, fits[t].smallest(), fits[t].largest(),
                                    fits[t].finish(), options));
  }
  return targets;
}

void DividedRows::score(Model& model, Part part, std::size_t threads, const Monitor* stop) const {
  const features::RowSet& set = rows(part);
  const std::size_t targets = model.targets.size();
  // A rank that stopped alone would leave the others waiting for its sums.
  const auto monitor = std::make_shared<ScoringMonitor>(monitor_, all_.ranks() ? nullptr : stop);
  const auto scored = [&](NeededColumns columns) {
    columns.reader = columns.reader.watched(monitor, Phase::scoring);
    return columns;
  };
  scoring::RowScores scores(model.targets, set.size());
  std::vector<std::size_t> rows;
  std::vector<double> truth, weights, predictions;
  // Calls take(window) with the part's rows in each window, their truth and weights.
  const auto each = [&](const NeededColumns& columns, const auto& take) {
    each_own_window(columns, all_.ranks(), [&](const EncodedWindow& window) {
      rows.clear();
      truth.clear();
      weights.clear();
      set.for_each(window.first_row(), window.first_row() + window.rows(),
                   [&](std::size_t row) { rows.push_back(row); });
      for (std::size_t t = 0; t < targets; ++t) {
        for (const std::size_t row : rows) truth.push_back(window.target(row, t));
      }
      if (columns.weights) {
        for (const std::size_t row : rows) weights.push_back(window.weight(row));
      }
      take(window, column_major(std::span<const double>(truth), rows.size(), targets));
    });
  };
  each(scored(all_.truth()), [&](const EncodedWindow&, MatrixView<const double> true_values) {
    scores.see_truth(true_values, weights);
  });
  parallel::merge_over(all_.ranks(), scores);
  scores.begin_predictions();
  each(scored(all_.needed()),
       [&](const EncodedWindow& window, MatrixView<const double> true_values) {
         const std::size_t count = rows.size();
         predictions.resize(count * model.predictions());
         model::predict_rows(
             model, count, threads,
             [&](std::size_t k, std::size_t c) { return window.input(rows[k], c); },
             [&](std::size_t k, std::size_t c, double y) { predictions[c * count + k] = y; },
             monitor.get());
         scores.see(column_major(std::span<const double>(predictions), count, model.predictions()),
                    true_values, weights);
       });
  parallel::merge_over(all_.ranks(), scores);
  store_scores(model, scores, set.size(), part);
}

std::vector<double> DividedRows::some_inputs(std::size_t most) const {
  const std::size_t count = std::min(most, train_.size());
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < count; ++k) rows.push_back(train_[k * train_.size() / count]);
  const Table table = all_.needed().reader.read_rows(rows);
  const EncodedWindow window(all_.needed(), table, 0);
  std::vector<double> some;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t c = 0; c < all_.inputs(); ++c) some.push_back(window.input(k, c));
  }
  return some;
}

}  // namespace knotwork::training
