// SPDX-License-Identifier: MIT
// Tests of training and predicting from the caller's memory.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "training/data/training_rows.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/random.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

constexpr std::size_t kTestedRows = 130, kInputs = 3;

struct Memory {
  std::vector<double> by_column = std::vector<double>(kTestedRows * kInputs),
                      targets = std::vector<double>(kTestedRows);
  std::vector<double> by_row = by_column;
  std::vector<float> by_row_float = std::vector<float>(by_column.size()), targets_float;

  Memory() {
    const Random random(4, Purpose::builtin_inputs);
    for (std::size_t r = 0; r < kTestedRows; ++r) {
      for (std::size_t c = 0; c < kInputs; ++c) {
        // Numbers that are exactly floats, so that both types have the same table.
        const double x = static_cast<double>(static_cast<float>(random.normal(r * kInputs + c)));
        by_column[c * kTestedRows + r] = x;
        by_row[r * kInputs + c] = x;
        by_row_float[r * kInputs + c] = static_cast<float>(x);
        targets[r] += c == 0 ? std::sin(3 * x) : x * x;
      }
      targets[r] = static_cast<double>(static_cast<float>(targets[r]));
    }
    targets_float.assign(targets.begin(), targets.end());
  }
};

TrainOptions quick() {
  TrainOptions options;
  options.hidden = {5};
  options.iterations = 20;
  return options;
}

// The training rows with inputs scaled in this way; the targets are not scaled.
template <class T>
std::unique_ptr<OwnedSamples<T>> samples_with(const TrainingRows& rows,
                                              const std::vector<InputColumn>& inputs) {
  Model model;
  model.inputs = inputs;
  model.targets.emplace_back().column = "y";
  return samples_of<T>(*rows.divide({}), Part::train, model, {});
}

TEST(Memory, LayoutAndTypeOfTheCallersMemoryDoNotMatter) {
  const Memory memory;
  TrainingData columns, rows, floats;
  columns.inputs = column_major(std::span<const double>(memory.by_column), kTestedRows, kInputs);
  rows.inputs = row_major(std::span<const double>(memory.by_row), kTestedRows, kInputs);
  floats.inputs = row_major(std::span<const float>(memory.by_row_float), kTestedRows, kInputs);
  columns.targets = rows.targets =
      column_major(std::span<const double>(memory.targets), kTestedRows, 1);
  floats.targets = column_major(std::span<const float>(memory.targets_float), kTestedRows, 1);
  for (ScalingKind scaling : {ScalingKind::none, ScalingKind::standard}) {
    TrainOptions options = quick();
    options.scale_inputs = options.scale_target = scaling;
    const std::string sha = train(columns, options).parameters_sha256();
    EXPECT_EQ(train(rows, options).parameters_sha256(), sha);
    EXPECT_EQ(train(floats, options).parameters_sha256(), sha);
  }
}

TEST(Memory, NothingIsCopiedWhereTheLayoutAllows) {
  const Memory memory;
  TrainingData columns, rows;
  columns.inputs = column_major(std::span<const double>(memory.by_column), kTestedRows, kInputs);
  rows.inputs = row_major(std::span<const double>(memory.by_row), kTestedRows, kInputs);
  columns.targets = rows.targets =
      column_major(std::span<const double>(memory.targets), kTestedRows, 1);
  const std::vector<InputColumn> unscaled(kInputs);
  std::vector<InputColumn> scaled = unscaled;
  scaled[1].scaling = {ScalingKind::standard, 0, 2, {}};
  const double* own = memory.by_column.data();
  const TrainingRows all(columns, {});
  const auto as_they_are = samples_with<double>(all, unscaled);
  EXPECT_EQ(as_they_are->view().inputs.data, own);
  EXPECT_EQ(as_they_are->view().inputs.column_stride, kTestedRows);
  EXPECT_EQ(as_they_are->view().targets.data, memory.targets.data());
  const auto copied = samples_with<double>(all, scaled);
  EXPECT_NE(copied->view().inputs.data, own);
  EXPECT_EQ(copied->view().targets.data, memory.targets.data());
  EXPECT_NE(samples_with<double>(TrainingRows(rows, {}), unscaled)->view().inputs.data,
            memory.by_row.data());
  const auto part = samples_with<double>(TrainingRows(columns, {{2, 5}, {}}), scaled);
  EXPECT_EQ(part->view().inputs.rows, 2u);
  EXPECT_EQ(part->view().inputs(1, 1), 2 * memory.by_column[kTestedRows + 5]);
  EXPECT_EQ(samples_with<float>(all, unscaled)->view().inputs(7, 2),
            static_cast<float>(memory.by_column[2 * kTestedRows + 7]));
}

// Each column of a table has memory of its own, so only a single column is a matrix.
TEST(Memory, AColumnOfATableIsNotCopied) {
  const Memory memory;
  const auto table = std::make_shared<Table>();
  table->names = {"x", "y"};
  table->columns = {{memory.by_column.begin(), memory.by_column.begin() + kTestedRows},
                    memory.targets};
  PlannedRows planned{table::TableReader(rows_of(std::shared_ptr<const Table>(table))),
                      {1, 1, {}, {"y"}, {}, {{"x"}}, {}, {}, false, {}},
                      "",
                      "",
                      features::RowSet::all(kTestedRows),
                      {},
                      {std::size_t{1} << 30, {}}};
  const TrainingRows rows(planned);
  EXPECT_EQ(samples_with<double>(rows, {{"x"}})->view().inputs.data, table->columns[0].data());
  // A missing cell is refused.
  table->columns[0][3] = std::nan("");
  EXPECT_THROW(samples_with<double>(rows, {{"x"}}), Error);
}

TEST(Memory, PredictionsAreTheSameFromEveryLayout) {
  const Memory memory;
  TrainingData data;
  data.inputs = column_major(std::span<const double>(memory.by_column), kTestedRows, kInputs);
  data.targets = column_major(std::span<const double>(memory.targets), kTestedRows, 1);
  const Model model = train(data, quick());
  EXPECT_EQ(model.inputs[2].column, "x3");
  EXPECT_EQ(model.targets[0].column, "y");
  std::vector<double> from_columns(kTestedRows), from_rows(kTestedRows), alone(1);
  model.predict(column_major(std::span<const double>(memory.by_column), kTestedRows, kInputs),
                column_major(std::span(from_columns), kTestedRows, 1));
  model.predict(row_major(std::span<const double>(memory.by_row), kTestedRows, kInputs),
                row_major(std::span(from_rows), kTestedRows, 1), 3);
  EXPECT_EQ(from_columns, from_rows);
  for (std::size_t r = 0; r < kTestedRows; r += 17) {
    model.predict(
        row_major(std::span<const double>(memory.by_row).subspan(r * kInputs, kInputs), 1, kInputs),
        row_major(std::span(alone), 1, 1));
    EXPECT_EQ(alone[0], from_rows[r]);
  }
  std::vector<float> small(kTestedRows);
  model.predict(row_major(std::span<const float>(memory.by_row_float), kTestedRows, kInputs),
                row_major(std::span(small), kTestedRows, 1));
  for (std::size_t r = 0; r < kTestedRows; ++r)
    EXPECT_EQ(small[r], static_cast<float>(from_rows[r]));
}

TEST(Memory, ShapesThatDoNotFitAreRefused) {
  const Memory memory;
  EXPECT_THROW(row_major(std::span<const double>(memory.by_row), kTestedRows, kInputs + 1), Error);
  EXPECT_THROW(column_major(std::span<const double>(memory.by_row), kTestedRows + 1, kInputs),
               Error);
  TrainingData data;
  data.inputs = column_major(std::span<const double>(memory.by_column), kTestedRows, kInputs);
  data.targets = column_major(std::span<const double>(memory.targets).first(10), 10, 1);
  EXPECT_THROW(train(data, quick()), Error);
  data.targets = column_major(std::span<const double>(memory.targets), kTestedRows, 1);
  data.input_names = {"only", "two"};
  EXPECT_THROW(train(data, quick()), Error);
  data.input_names.clear();
  const std::vector<double> few(3, 1.0);
  data.weights = few;
  EXPECT_THROW(train(data, quick()), Error);
  data.weights = {};
  EXPECT_THROW(train(data, Partition{{1, 2, kTestedRows}, {}}, quick()), Error);
  const Model model = train(data, quick());
  std::vector<double> out(kTestedRows);
  EXPECT_THROW(
      model.predict(column_major(std::span<const double>(memory.by_column), kTestedRows, kInputs),
                    column_major(std::span(out).first(5), 5, 1)),
      Error);
}

// Large matrices are scaled block by block instead of being copied.
TEST(Memory, ScalingInPlaceGivesTheBitsOfAScaledCopy) {
  constexpr std::size_t kRows = 3'000'000;  // 72 MB of inputs
  std::vector<double> numbers(kRows * kInputs), targets(kRows);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    numbers[k] = static_cast<double>(k * 7919 % 1001);
  for (std::size_t r = 0; r < kRows; ++r) targets[r] = static_cast<double>(r % 11);
  TrainingData data;
  const auto inputs = column_major(std::span<const double>(numbers), kRows, kInputs);
  data.inputs = inputs;
  data.targets = column_major(std::span<const double>(targets), kRows, 1);
  std::vector<InputColumn> columns(kInputs);
  for (std::size_t c = 0; c < kInputs; ++c) {
    columns[c].scaling = {ScalingKind::standard, 0.1 * static_cast<double>(c), 0.0013, {}};
  }
  const TrainingRows rows(data, {});
  const auto in_place = samples_with<double>(rows, columns);
  ASSERT_EQ(in_place->view().input_scales.size(), kInputs);
  ASSERT_EQ(in_place->view().inputs.data, numbers.data());
  std::vector<double> copy(numbers.size());
  for (std::size_t c = 0; c < kInputs; ++c) {
    for (std::size_t r = 0; r < kRows; ++r) {
      copy[c * kRows + r] = columns[c].scaling.apply(inputs(r, c));
    }
  }
  const auto spline = make_spline_activation();
  Network network = make_network({kInputs, 2, 1}, spline, spline);
  network.initialize(1);
  for (const std::size_t batch : {0u, 40u}) {
    ObjectiveOptions options;
    options.batch = batch;
    Objective of_copy(network,
                      Samples<double>{column_major(std::span<const double>(copy), kRows, kInputs),
                                      in_place->view().targets},
                      options);
    Objective of_rows(network, in_place->view(), options);
    std::vector<double> wanted(of_copy.size()), got(of_copy.size());
    of_copy.begin_epoch(1);
    of_rows.begin_epoch(1);
    EXPECT_EQ(of_copy.evaluate_batch(0, network.parameters(), wanted),
              of_rows.evaluate_batch(0, network.parameters(), got));
    EXPECT_EQ(wanted, got);
  }
  // Quantiles have no single scale.
  columns[1].scaling = {ScalingKind::quantile, 0, 1, {-1, 0, 1e4}};
  const auto by_quantiles = samples_with<double>(rows, columns);
  EXPECT_TRUE(by_quantiles->view().input_scales.empty());
  EXPECT_NE(by_quantiles->view().inputs.data, numbers.data());
}

}  // namespace
}  // namespace knotwork::training
