// SPDX-License-Identifier: MIT
// Training and predicting from the caller's memory.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "training/data/scaled_samples.hpp"

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
        // Numbers that float holds exactly, so that both types carry the same table.
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

std::vector<std::size_t> all_rows() {
  std::vector<std::size_t> rows(kTestedRows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
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
  const AnyMatrixView columns =
      column_major(std::span<const double>(memory.by_column), kTestedRows, kInputs);
  const AnyMatrixView rows =
      row_major(std::span<const double>(memory.by_row), kTestedRows, kInputs);
  const std::vector<InputColumn> unscaled(kInputs);
  std::vector<InputColumn> scaled = unscaled;
  scaled[1].scaling = {ScalingKind::standard, 0, 2, {}};
  const auto everything = all_rows();
  const double* own = memory.by_column.data();
  EXPECT_EQ(ScaledColumns<double>(columns, everything, unscaled).view().data, own);
  EXPECT_NE(ScaledColumns<double>(columns, everything, scaled).view().data, own);
  EXPECT_NE(ScaledColumns<double>(rows, everything, unscaled).view().data, memory.by_row.data());
  const ScaledColumns<double> part(columns, std::vector<std::size_t>{2, 5}, scaled);
  EXPECT_EQ(part.view().rows, 2u);
  EXPECT_EQ(part.view()(1, 1), 2 * memory.by_column[kTestedRows + 5]);
  EXPECT_EQ(ScaledColumns<float>(columns, everything, unscaled).view()(7, 2),
            static_cast<float>(memory.by_column[2 * kTestedRows + 7]));
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

// Large tables are scaled block by block instead of being copied.
TEST(Memory, ScalingInPlaceGivesTheBitsOfAScaledCopy) {
  const Memory memory;
  const auto inputs = column_major(std::span<const double>(memory.by_column), kTestedRows, kInputs);
  std::vector<InputColumn> columns(kInputs);
  for (std::size_t c = 0; c < kInputs; ++c) {
    columns[c].scaling = {ScalingKind::standard, 0.1 * static_cast<double>(c), 1.3, {}};
  }
  const ScaledColumns<double> copy(inputs, all_rows(), columns),
      in_place(inputs, all_rows(), columns, 1);
  ASSERT_TRUE(copy.scales().empty());
  ASSERT_EQ(in_place.scales().size(), kInputs);
  ASSERT_EQ(in_place.view().data, memory.by_column.data());
  const auto spline = make_spline_activation();
  Network network = make_network({kInputs, 4, 1}, spline, spline);
  network.initialize(1);
  const auto targets = column_major(std::span<const double>(memory.targets), kTestedRows, 1);
  for (const std::size_t batch : {0u, 40u}) {
    ObjectiveOptions options;
    options.batch = batch;
    Objective of_copy(network, Samples<double>{copy.view(), targets}, options);
    Objective of_rows(network, Samples<double>{in_place.view(), targets, {}, in_place.scales()},
                      options);
    std::vector<double> wanted(of_copy.size()), got(of_copy.size());
    of_copy.begin_epoch(1);
    of_rows.begin_epoch(1);
    EXPECT_EQ(of_copy.evaluate_batch(0, network.parameters(), wanted),
              of_rows.evaluate_batch(0, network.parameters(), got));
    EXPECT_EQ(wanted, got);
  }
}

TEST(Memory, QuantilesAreNeverScaledInPlace) {
  const Memory memory;
  std::vector<InputColumn> columns(kInputs);
  columns[1].scaling = {ScalingKind::quantile, 0, 1, {-1, 0, 1}};
  const ScaledColumns<double> scaled(
      column_major(std::span<const double>(memory.by_column), kTestedRows, kInputs), all_rows(),
      columns, 1);
  EXPECT_TRUE(scaled.scales().empty());
  EXPECT_NE(scaled.view().data, memory.by_column.data());
}

}  // namespace
}  // namespace knotwork::training
