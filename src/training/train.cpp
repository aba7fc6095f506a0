// SPDX-License-Identifier: MIT
// From the caller's rows to a model: parts, scaling, network, optimization, scores.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "base/fail.hpp"
#include "training/predict.hpp"
#include "training/samples.hpp"
#include "training/stages.hpp"

#include <knotwork/random.hpp>
#include <knotwork/split.hpp>
#include <knotwork/training.hpp>
#include <knotwork/version.hpp>

namespace knotwork {
namespace {

std::vector<std::string> names_or_numbers(const std::vector<std::string>& names,
                                          std::size_t columns, std::string_view prefix) {
  if (!names.empty()) {
    if (names.size() != columns) {
      fail(ErrorKind::bad_data, "There are {} columns but {} names for them.", columns,
           names.size());
    }
    return names;
  }
  if (prefix == "y" && columns == 1) return {"y"};
  std::vector<std::string> numbered;
  for (std::size_t c = 0; c < columns; ++c) numbered.push_back(fmt::format("{}{}", prefix, c + 1));
  return numbered;
}

// Predictions of tables find columns by name.
void check_unique(std::vector<std::string> names, const std::vector<std::string>& more) {
  names.insert(names.end(), more.begin(), more.end());
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end()) {
    fail(ErrorKind::bad_data, "Two columns are called '{}'; every column needs a name of its own.",
         *twice);
  }
}

struct Rows {
  std::vector<std::size_t> train, validation, test;
  std::vector<std::size_t> weighty;  // those of train whose weight is not 0
};

void check_finite(const AnyMatrixView& view, std::size_t column, const std::string& name,
                  std::span<const std::size_t> rows) {
  const std::vector<double> values = column_values(view, column, rows);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) {
      fail(ErrorKind::bad_data, "The value of column '{}' in row {} is {}; it must be finite.",
           name, rows[k], values[k]);
    }
  }
}

// Fits each column's scaling on the training rows, those of weight 0 left out. Rows that are only
// scored must be finite too: one NaN would spoil every score.
std::vector<ColumnScaling> fit_columns(const AnyMatrixView& view,
                                       const std::vector<std::string>& names, ColumnRole role,
                                       const Rows& rows, const TrainOptions& options) {
  const bool input = role == ColumnRole::input;
  std::vector<ColumnScaling> columns;
  for (std::size_t c = 0; c < names.size(); ++c) {
    for (const auto* part : {&rows.train, &rows.validation, &rows.test}) {
      check_finite(view, c, names[c], *part);
    }
    const std::vector<double> values = column_values(view, c, rows.weighty);
    if (!input &&
        std::all_of(values.begin(), values.end(), [&](double y) { return y == values.front(); })) {
      fail(ErrorKind::bad_data,
           "The target '{}' is {} in every row to train on; there is nothing to learn.", names[c],
           values.front());
    }
    columns.push_back(
        {names[c], fit_scaling(input ? options.scale_inputs : options.scale_target, values, role,
                               input ? options.input_low : options.target_low,
                               input ? options.input_high : options.target_high)});
  }
  return columns;
}

Network build_network(std::size_t inputs, std::size_t outputs, const TrainOptions& options) {
  const ActivationTable& table = options.activations ? *options.activations : builtin_activations();
  const Settings spline_settings = make_spline_activation(options.spline)->settings();
  auto make = [&](const std::string& name) {
    return table.at(name).make(name == "spline" ? spline_settings : Settings{});
  };
  std::string output = options.output_activation;
  if (output == "same") output = options.activation;
  if (output == "auto") output = options.activation == "spline" ? "spline" : "identity";
  std::vector<std::size_t> sizes = {inputs};
  sizes.insert(sizes.end(), options.hidden.begin(), options.hidden.end());
  sizes.push_back(outputs);
  Network network = make_network(sizes, make(options.activation), make(output));
  network.initialise(options.seed);
  return network;
}

Scores score_rows(const Model& model, const TrainingData& data, std::span<const std::size_t> rows,
                  std::size_t threads) {
  const std::size_t outputs = model.targets.size();
  std::vector<double> predictions(rows.size() * outputs), truth(rows.size() * outputs), weights;
  predict_rows(
      model, rows.size(), threads,
      [&](std::size_t k, std::size_t c) { return element(data.inputs, rows[k], c); },
      [&](std::size_t k, std::size_t o, double y) { predictions[o * rows.size() + k] = y; });
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      truth[o * rows.size() + k] = element(data.targets, rows[k], o);
    }
  }
  if (!data.weights.empty()) {
    for (std::size_t row : rows) weights.push_back(data.weights[row]);
  }
  return score(column_major(std::span<const double>(predictions), rows.size(), outputs),
               column_major(std::span<const double>(truth), rows.size(), outputs), weights);
}

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
    if (!part->empty() && !(mass > 0)) {
      fail(ErrorKind::bad_data, "All rows to {} have weight 0; at least one must have more.", name);
    }
  }
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
    SplitRows split = split_rows(result.train, options.validation_fraction, options.seed,
                                 Purpose::validation_split);
    result.train = std::move(split.kept);
    result.validation = std::move(split.held_out);
    if (result.validation.empty()) {
      fail(ErrorKind::bad_data,
           "A validation-fraction of {} of {} rows leaves no row to validate on.",
           options.validation_fraction, result.train.size());
    }
  }
  if (result.train.size() < 2) {
    fail(ErrorKind::bad_data, "There are {} rows to train on; at least 2 are needed.",
         result.train.size());
  }
  check_weights(data.weights, result);
  for (std::size_t row : result.train) {
    if (data.weights.empty() || data.weights[row] > 0) result.weighty.push_back(row);
  }
  return result;
}

template <class T>
struct PreparedSamples {
  PreparedSamples(const TrainingData& data, std::span<const std::size_t> rows, const Model& model)
      : inputs(data.inputs, rows, model.inputs), targets(data.targets, rows, model.targets) {
    if (data.weights.empty()) return;
    for (std::size_t row : rows) weights.push_back(static_cast<T>(data.weights[row]));
  }
  Samples<T> samples() const { return {inputs.view(), targets.view(), weights}; }

  ScaledColumns<T> inputs, targets;
  std::vector<T> weights;
};

// Parameters as the model's arithmetic sees them, so that a saved model is the one in memory.
void round_to_precision(Network& network, Precision precision) {
  if (precision == Precision::double_) return;
  for (std::span<double> values : {network.parameters(), network.constants()}) {
    for (double& value : values) value = static_cast<double>(static_cast<float>(value));
  }
}

template <class T>
void optimize(Model& model, const TrainingData& data, const Rows& rows, const TrainOptions& options,
              const TrainObserver& observer) {
  const PreparedSamples<T> training(data, rows.train, model);
  std::optional<PreparedSamples<T>> validation;
  if (!rows.validation.empty()) validation.emplace(data, rows.validation, model);
  run_stages<T>(model, training.samples(),
                validation ? std::optional(validation->samples()) : std::nullopt, options,
                observer);
}

}  // namespace

Model train(const TrainingData& data, const Partition& partition, const TrainOptions& options,
            const TrainObserver& observer) {
  const auto start = std::chrono::steady_clock::now();
  check(options);
  const Rows rows = divide_rows(data, partition, options);
  const std::size_t inputs = columns_of(data.inputs), outputs = columns_of(data.targets);
  const auto input_names = names_or_numbers(data.input_names, inputs, "x");
  const auto target_names = names_or_numbers(data.target_names, outputs, "y");
  check_unique(input_names, target_names);
  Model model{
      build_network(inputs, outputs, options),
      options.precision.value_or(options.batch > 0 ? Precision::single_ : Precision::double_),
      fit_columns(data.inputs, input_names, ColumnRole::input, rows, options),
      fit_columns(data.targets, target_names, ColumnRole::target, rows, options),
      {}};
  model.training.version = KNOTWORK_VERSION_STRING;
  model.training.seed = options.seed;
  model.training.optimizer = options.optimizer;
  for (const TrainOptionField& field : train_option_fields()) {
    model.training.options.emplace_back(field.name, field.get(options));
  }
  round_to_precision(model.network, model.precision);
  if (model.precision == Precision::single_) {
    optimize<float>(model, data, rows, options, observer);
  } else {
    optimize<double>(model, data, rows, options, observer);
  }
  round_to_precision(model.network, model.precision);
  model.training.train = score_rows(model, data, rows.train, options.threads);
  if (!rows.validation.empty()) {
    model.training.validation = score_rows(model, data, rows.validation, options.threads);
  }
  if (!rows.test.empty()) {
    model.training.test = score_rows(model, data, rows.test, options.threads);
  }
  model.training.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return model;
}

Model train(const TrainingData& data, const TrainOptions& options, const TrainObserver& observer) {
  return train(data, Partition{}, options, observer);
}

}  // namespace knotwork
