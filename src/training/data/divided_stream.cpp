// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "features/scaling_fit.hpp"
#include "features/target_values.hpp"
#include "model/prediction_pass.hpp"
#include "parallel/rank_merge.hpp"
#include "scoring/row_scores.hpp"
#include "scoring/units.hpp"
#include "training/data/fitted_columns.hpp"
#include "training/data/scaled_samples.hpp"
#include "training/data/score_rows.hpp"
#include "training/data/streamed_rows.hpp"
#include "training/data/streamed_samples.hpp"
#include "training/run/loss_choice.hpp"

namespace knotwork::training {
namespace {

class DividedStream final : public DividedRows {
 public:
  DividedStream(const StreamedTable& table, features::RowSet train, features::RowSet validation,
                features::RowSet test)
      : table_(table),
        train_(std::move(train)),
        validation_(std::move(validation)),
        test_(std::move(test)) {}

  std::size_t size(Part part) const override { return rows(part).size(); }

  void check_columns(const Model& start) const override {
    check_same_columns(start, table_.description);
  }

  std::vector<InputColumn> fit_inputs(const TrainOptions& options) const override {
    std::vector<InputColumn> inputs = table_.description.encoding;
    std::vector<features::ScalingFit> fits;
    for (const InputColumn& input : inputs) {
      // Of those that are 0 or 1 only the ends are asked for.
      const bool numeric = input.kind == InputKind::numeric;
      fits.emplace_back(numeric ? options.scale_inputs : ScalingKind::range, ColumnRole::input,
                        options.input_low, options.input_high);
    }
    fit(fits, [](const EncodedWindow& window, std::size_t row, std::size_t c) {
      return window.input(row, c);
    });
    for (std::size_t c = 0; c < inputs.size(); ++c) {
      const Scaling scaling = fits[c].finish();
      if (inputs[c].kind != InputKind::numeric) {
        if (scaling.scale == 0) inputs[c].scaling = scaling;
        continue;
      }
      inputs[c].scaling = scaling;
      inputs[c].low = fits[c].smallest();
      inputs[c].high = fits[c].largest();
    }
    return inputs;
  }

  std::vector<TargetColumn> fit_targets(const TrainOptions& options) const override {
    const TrainingData& data = table_.description;
    std::vector<features::ScalingFit> fits;
    for (std::size_t t = 0; t < data.target_names.size(); ++t) {
      fits.emplace_back(data.classes.empty() ? options.scale_target : ScalingKind::none,
                        ColumnRole::target, options.target_low, options.target_high);
    }
    fit(fits, [](const EncodedWindow& window, std::size_t row, std::size_t t) {
      return window.target(row, t);
    });
    std::vector<TargetColumn> targets;
    for (std::size_t t = 0; t < fits.size(); ++t) {
      targets.push_back(
          fitted_target(data, t, fits[t].smallest(), fits[t].largest(), fits[t].finish(), options));
    }
    return targets;
  }

  std::unique_ptr<OwnedSamples<float>> float_samples(Part part, const Model& model,
                                                     const TrainOptions& options) const override {
    return samples<float>(part, model, options);
  }
  std::unique_ptr<OwnedSamples<double>> double_samples(Part part, const Model& model,
                                                       const TrainOptions& options) const override {
    return samples<double>(part, model, options);
  }

  void score(Model& model, Part part, std::size_t threads) const override;

  std::vector<double> some_inputs(std::size_t most) const override {
    const std::size_t count = std::min(most, train_.size());
    std::vector<std::size_t> rows;
    for (std::size_t k = 0; k < count; ++k) rows.push_back(train_[k * train_.size() / count]);
    const Table table = table_.windows.read_rows(rows);
    const EncodedTable encoded(table, table_.description.encoding);
    std::vector<double> some;
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t c = 0; c < encoded.inputs(); ++c) some.push_back(encoded(k, c));
    }
    return some;
  }

 private:
  const features::RowSet& rows(Part part) const {
    if (part == Part::train) return train_;
    return part == Part::validation ? validation_ : test_;
  }

  // Calls see(window) for windows of rows first .. last-1 of the table.
  template <class See>
  void for_each_window(std::size_t first, std::size_t last, const See& see) const {
    table_.windows.for_each(first, last, [&](const Table& window, std::size_t row) {
      see(EncodedWindow(table_, window, row));
    });
  }

  // Sees value(window, row, column) of the rows that scalings are fitted on, as often as asked.
  template <class Value>
  void fit(std::vector<features::ScalingFit>& fits, const Value& value) const {
    const auto [first, last] = parallel::own_rows(table_.windows.rows(), table_.ranks);
    std::vector<std::size_t> rows;
    std::vector<double> values;
    while (std::any_of(fits.begin(), fits.end(),
                       [](const features::ScalingFit& fit) { return fit.needs_another_pass(); })) {
      for_each_window(first, last, [&](const EncodedWindow& window) {
        rows.clear();
        train_.for_each(window.first_row(), window.first_row() + window.rows(),
                        [&](std::size_t row) {
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
        parallel::merge_over(table_.ranks, fit);
        fit.end_pass();
      }
    }
  }

  RowFacts facts_of(const features::RowSet& part) const {
    RowFacts facts;
    facts.classes.resize(table_.description.classes.size());
    const auto [first, last] = parallel::own_rows(table_.windows.rows(), table_.ranks);
    for_each_window(first, last, [&](const EncodedWindow& window) {
      part.for_each(window.first_row(), window.first_row() + window.rows(), [&](std::size_t row) {
        facts.largest_weight = std::max(facts.largest_weight, window.weight(row));
        if (!facts.classes.empty()) {
          ++facts.classes[static_cast<std::size_t>(window.target(row, 0))];
        }
      });
    });
    parallel::merge_over(table_.ranks, facts);
    return facts;
  }

  // The positions of a part that this process has samples of. Sets that are not large are had by
  // all, because the shares of a network's leaves are not known yet.
  RowRange own_positions(const features::RowSet& part, std::size_t batch) const {
    if (!table_.ranks || part.size() <= kManyRows) return {0, part.size()};
    return RowShares(part.size(), kChunkRows, batch)
        .own(table_.ranks->rank(), table_.ranks->size());
  }

  template <class T>
  std::unique_ptr<OwnedSamples<T>> samples(Part which, const Model& model,
                                           const TrainOptions& options) const {
    const features::RowSet& part = rows(which);
    const bool train = which == Part::train;
    const RowRange own = own_positions(part, train ? options.batch : 0);
    std::vector<double> factors;  // of the classes
    double unit = 1;
    const bool classes = train && !table_.description.classes.empty();
    if (classes || !table_.weight_column.empty()) {
      const RowFacts facts = facts_of(part);
      unit = scoring::unit_of_size(facts.largest_weight);
      const std::vector<double> counts(facts.classes.begin(), facts.classes.end());
      if (train) factors = class_weights(options, model.targets.front(), counts);
    }
    const bool weighted = !table_.weight_column.empty() || !factors.empty();
    const std::size_t inputs = model.inputs.size(), targets = model.targets.size();
    auto samples = std::make_unique<StreamedSamples<T>>(part.size(), own, inputs, targets, weighted,
                                                        table_.memory);
    RowFacts sums;
    std::size_t place = 0;
    if (own.size() > 0) {
      const std::size_t first = part[own.first], last = part[own.last - 1] + 1;
      for_each_window(first, last, [&](const EncodedWindow& window) {
        const std::size_t end = std::min(window.first_row() + window.rows(), last);
        const auto put_column = [&](std::size_t column, const Scaling& scaling,
                                    const std::string& name, const auto& value) {
          T* out = samples->column(column) + place;
          part.for_each(window.first_row(), end, [&](std::size_t row) {
            const double x = value(row);
            *out = static_cast<T>(scaling.apply(x));
            if (!std::isfinite(*out)) refuse_as_too_large(name, row, x);
            ++out;
          });
        };
        for (std::size_t c = 0; c < inputs; ++c) {
          put_column(c, model.inputs[c].scaling, model.inputs[c].column,
                     [&](std::size_t row) { return window.input(row, c); });
        }
        for (std::size_t t = 0; t < targets; ++t) {
          put_column(inputs + t, model.targets[t].scaling, model.targets[t].column,
                     [&](std::size_t row) { return window.target(row, t); });
        }
        std::size_t next = place;
        part.for_each(window.first_row(), end, [&](std::size_t row) {
          if (weighted) {
            T weight = static_cast<T>(window.weight(row) / unit);
            if (!factors.empty()) {
              weight *= static_cast<T>(factors[static_cast<std::size_t>(window.target(row, 0))]);
            }
            samples->weights()[next] = weight;
            sums.mass.add(static_cast<double>(weight));
          }
          ++next;
        });
        place = next;
      });
    }
    // Where all have all rows, each has the whole sum already.
    if (weighted && own.size() < part.size()) parallel::merge_over(table_.ranks, sums);
    if (weighted) samples->set_mass(sums.mass.value());
    return samples;
  }

  const StreamedTable& table_;
  features::RowSet train_, validation_, test_;
};

void DividedStream::score(Model& model, Part part, std::size_t threads) const {
  const features::RowSet& set = rows(part);
  const std::size_t targets = model.targets.size();
  scoring::RowScores scores(model.targets, set.size());
  const auto [first, last] = parallel::own_rows(table_.windows.rows(), table_.ranks);
  std::vector<std::size_t> rows;
  std::vector<double> truth, weights, predictions;
  // take(window) with rows, truth and weights of the part's rows in it.
  const auto each = [&](const auto& take) {
    for_each_window(first, last, [&](const EncodedWindow& window) {
      rows.clear();
      truth.clear();
      weights.clear();
      set.for_each(window.first_row(), window.first_row() + window.rows(),
                   [&](std::size_t row) { rows.push_back(row); });
      for (std::size_t t = 0; t < targets; ++t) {
        for (const std::size_t row : rows) truth.push_back(window.target(row, t));
      }
      if (!table_.weight_column.empty()) {
        for (const std::size_t row : rows) weights.push_back(window.weight(row));
      }
      take(window, column_major(std::span<const double>(truth), rows.size(), targets));
    });
  };
  each([&](const EncodedWindow&, MatrixView<const double> true_values) {
    scores.see_truth(true_values, weights);
  });
  parallel::merge_over(table_.ranks, scores);
  scores.begin_predictions();
  each([&](const EncodedWindow& window, MatrixView<const double> true_values) {
    const std::size_t count = rows.size();
    predictions.resize(count * model.predictions());
    model::predict_rows(
        model, count, threads,
        [&](std::size_t k, std::size_t c) { return window.input(rows[k], c); },
        [&](std::size_t k, std::size_t c, double y) { predictions[c * count + k] = y; });
    scores.see(column_major(std::span<const double>(predictions), count, model.predictions()),
               true_values, weights);
  });
  parallel::merge_over(table_.ranks, scores);
  store_scores(model, scores, set.size(), part);
}

}  // namespace

EncodedWindow::EncodedWindow(const StreamedTable& table, const Table& window, std::size_t first_row)
    : first_row_(first_row), inputs_(window, table.description.encoding) {
  for (const std::string& target : table.description.target_names) {
    targets_.push_back(features::true_values(window, {target, {}, {}, table.description.classes}));
  }
  if (!table.weight_column.empty())
    weights_ = features::complete_weights(window, table.weight_column);
}

std::unique_ptr<DividedRows> divided_stream(const StreamedTable& table, features::RowSet train,
                                            features::RowSet validation, features::RowSet test) {
  return std::make_unique<DividedStream>(table, std::move(train), std::move(validation),
                                         std::move(test));
}

}  // namespace knotwork::training
