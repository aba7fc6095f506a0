// SPDX-License-Identifier: MIT
#include "training/run/test_trainings.hpp"

#include <knotwork/predict.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include <knotwork/builtin_data.hpp>
#include <knotwork/training.hpp>

namespace knotwork::model {
namespace {

Model small_model(Precision precision, std::size_t members, ScalingKind scaling) {
  TrainOptions options;
  options.hidden = {4};
  options.iterations = 5;
  options.precision = precision;
  options.ensemble = members;
  options.scale_inputs = scaling;
  return train(make_builtin("friedman1", 200), {}, options);
}

template <class V>
std::vector<V> raw_inputs(const Table& table, const Model& model) {
  std::vector<V> rows;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    for (std::size_t c = 0; c < model.inputs.size(); ++c) {
      rows.push_back(static_cast<V>(table.columns[c][r]));
    }
  }
  return rows;
}

template <class V>
void expect_the_models_bits(const Model& model) {
  const Table table = make_builtin("friedman1", 1200);
  const std::size_t inputs = model.inputs.size();
  const auto rows = raw_inputs<V>(table, model);
  std::vector<V> wanted(table.rows()), many(table.rows()), one(table.rows());
  const auto view = row_major(std::span<const V>(rows), table.rows(), inputs);
  model.predict(view, row_major(std::span<V>(wanted), table.rows(), 1));
  Predictor predictor(model);
  predictor.predict(view, row_major(std::span<V>(many), table.rows(), 1));
  for (std::size_t r = 0; r < table.rows(); ++r) {
    predictor.predict(std::span<const V>(rows).subspan(r * inputs, inputs),
                      std::span<V>(one).subspan(r, 1));
  }
  const std::size_t bytes = wanted.size() * sizeof(V);
  EXPECT_EQ(std::memcmp(many.data(), wanted.data(), bytes), 0);
  EXPECT_EQ(std::memcmp(one.data(), wanted.data(), bytes), 0);
}

TEST(Predictor, HasTheBitsOfTheModelForOneRowAndForMany) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    for (const std::size_t members : {1u, 3u}) {
      for (const ScalingKind scaling : {ScalingKind::standard, ScalingKind::quantile}) {
        const Model model = small_model(precision, members, scaling);
        expect_the_models_bits<float>(model);
        expect_the_models_bits<double>(model);
      }
    }
  }
}

template <class T>
void expect_the_same_bits_from_columns(Model model) {
  constexpr std::size_t kRows = 700;
  // Every kind of scaling in one model: linear, constant in training, none, by quantiles.
  model.inputs[0].scaling = {ScalingKind::range, 0.5, 0, {}};
  model.inputs[1].scaling = {};
  model.inputs[2].scaling = {ScalingKind::uniform, 0, 1, {0.1, 0.2, 0.5, 0.9}};
  const std::size_t inputs = model.inputs.size();
  auto rows = raw_inputs<T>(make_builtin("friedman1", kRows), model);
  rows[3 * inputs + 1] = std::numeric_limits<T>::quiet_NaN();
  rows[9 * inputs + 3] = std::numeric_limits<T>::infinity();
  std::vector<T> columns, from_rows(kRows), from_columns(kRows);
  for (std::size_t c = 0; c < inputs; ++c) {
    for (std::size_t r = 0; r < kRows; ++r) columns.push_back(rows[r * inputs + c]);
  }
  Predictor predictor(model);
  predictor.predict(row_major(std::span<const T>(rows), kRows, inputs),
                    row_major(std::span<T>(from_rows), kRows, 1));
  predictor.predict(column_major(std::span<const T>(columns), kRows, inputs),
                    column_major(std::span<T>(from_columns), kRows, 1));
  EXPECT_EQ(std::memcmp(from_rows.data(), from_columns.data(), kRows * sizeof(T)), 0);
}

TEST(Predictor, ColumnsInOnePieceGiveTheSameBitsAsRows) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    for (const ScalingKind scaling :
         {ScalingKind::none, ScalingKind::range, ScalingKind::standard, ScalingKind::quantile}) {
      const Model model = small_model(precision, 1, scaling);
      expect_the_same_bits_from_columns<float>(model);
      expect_the_same_bits_from_columns<double>(model);
    }
  }
}

TEST(Predictor, MovesAndKeepsItsModel) {
  Predictor first(small_model(Precision::float64, 1, ScalingKind::range));
  const std::vector<double> row(first.model().inputs.size(), 0.5);
  double before, after;
  first.predict(std::span(row), std::span(&before, 1));
  Predictor second(std::move(first));
  second.predict(std::span(row), std::span(&after, 1));
  EXPECT_EQ(before, after);
}

TEST(Predictor, RefusesWhatDoesNotFit) {
  EXPECT_THROW(Predictor(Model{}), Error);
  Predictor predictor(small_model(Precision::float32, 1, ScalingKind::standard));
  const std::vector<float> row(predictor.model().inputs.size() + 1);
  float prediction;
  EXPECT_THROW(predictor.predict(std::span(row), std::span(&prediction, 1)), Error);
}

}  // namespace
}  // namespace knotwork::model
