// SPDX-License-Identifier: MIT
#include <knotwork/predictor.hpp>

#include <gtest/gtest.h>

#include <cstring>

#include <knotwork/builtin_data.hpp>
#include <knotwork/table_training.hpp>

namespace knotwork {
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
  for (const Precision precision : {Precision::single_, Precision::double_}) {
    for (const std::size_t members : {1u, 3u}) {
      for (const ScalingKind scaling : {ScalingKind::standard, ScalingKind::quantile}) {
        const Model model = small_model(precision, members, scaling);
        expect_the_models_bits<float>(model);
        expect_the_models_bits<double>(model);
      }
    }
  }
}

TEST(Predictor, ColumnsInOnePieceGiveTheSameBitsAsRows) {
  const Model model = small_model(Precision::single_, 1, ScalingKind::standard);
  const Table table = make_builtin("friedman1", 700);
  const auto rows = raw_inputs<float>(table, model);
  std::vector<float> columns, from_rows(700), from_columns(700);
  for (std::size_t c = 0; c < model.inputs.size(); ++c) {
    for (std::size_t r = 0; r < 700; ++r) columns.push_back(rows[r * model.inputs.size() + c]);
  }
  Predictor predictor(model);
  predictor.predict(row_major(std::span<const float>(rows), 700, model.inputs.size()),
                    row_major(std::span<float>(from_rows), 700, 1));
  predictor.predict(column_major(std::span<const float>(columns), 700, model.inputs.size()),
                    column_major(std::span<float>(from_columns), 700, 1));
  EXPECT_EQ(from_rows, from_columns);
}

TEST(Predictor, MovesAndKeepsItsModel) {
  Predictor first(small_model(Precision::double_, 1, ScalingKind::range));
  const std::vector<double> row(first.model().inputs.size(), 0.5);
  double before, after;
  first.predict(std::span(row), std::span(&before, 1));
  Predictor second(std::move(first));
  second.predict(std::span(row), std::span(&after, 1));
  EXPECT_EQ(before, after);
}

TEST(Predictor, RefusesWhatDoesNotFit) {
  EXPECT_THROW(Predictor(Model{}), Error);
  Predictor predictor(small_model(Precision::single_, 1, ScalingKind::standard));
  const std::vector<float> row(predictor.model().inputs.size() + 1);
  float prediction;
  EXPECT_THROW(predictor.predict(std::span(row), std::span(&prediction, 1)), Error);
}

}  // namespace
}  // namespace knotwork
