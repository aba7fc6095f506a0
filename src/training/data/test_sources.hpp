// SPDX-License-Identifier: MIT
// Tables in files, and trainings on them, for tests.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/training.hpp>

namespace knotwork::training {

// Numbers, texts, missing cells, weights and groups.
inline Table mixed_table(std::size_t rows, bool classes) {
  Table table{.source = "mixed",
              .names = {"x", "colour", "weight", "group", "z", "y"},
              .columns = std::vector(6, std::vector<double>(rows)),
              .labels = {{}, {"blue", "green", "red"}, {}, {}, {}, {}}};
  if (classes) table.labels.back() = {"high", "low"};
  for (std::size_t r = 0; r < rows; ++r) {
    const auto k = static_cast<double>(r);
    table.columns[0][r] = r % 11 == 0 ? NAN : std::sin(k);
    table.columns[1][r] = r % 13 == 0 ? NAN : static_cast<double>(r * r % 3);
    table.columns[2][r] = static_cast<double>(r % 4) / 3;
    table.columns[3][r] = static_cast<double>(r / 7);
    table.columns[4][r] = std::sin(2 * k) / 3 + 100;
    const double y = std::cos(k) + static_cast<double>(r * r % 3) + std::pow(std::sin(k), 2);
    table.columns[5][r] = classes ? (y > 1.2 ? 0 : 1) : y;
  }
  return table;
}

struct Case {
  const char* name;
  std::vector<std::pair<const char*, const char*>> options;
  bool classes = false;
  const char* weight = "";
  const char* group = "";
};

inline TrainOptions options_of(const Case& one) {
  TrainOptions options;
  options.hidden = {4};
  options.iterations = 6;
  options.seed = 3;
  for (const auto& [name, text] : one.options) set_option(options, name, text);
  return options;
}

inline TableTask task_of(const Case& one) {
  TableTask task;
  task.weight_column = one.weight;
  task.group_column = one.group;
  task.test_fraction = 0.25;
  if (!*one.weight) task.drop.emplace_back("weight");
  if (!*one.group) task.drop.emplace_back("group");
  return task;
}

class StreamedTraining : public ::testing::Test {
 protected:
  StreamedTraining() {
    std::string name = (std::filesystem::path(::testing::TempDir()) / "knotwork-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  ~StreamedTraining() override { std::filesystem::remove_all(folder_); }

  StoredTable stored(const Table& table) const {
    write_table_file(table, folder_ / "t");
    return StoredTable(folder_ / "t");
  }
  TableStorage storage(std::size_t memory, Ranks* ranks = nullptr) const {
    return {memory, folder_, ranks};
  }

  std::filesystem::path folder_;
};

inline const Case kCases[] = {
    {"cg", {{"optimizer", "cg"}}},
    {"lbfgs", {{"optimizer", "lbfgs"}, {"scale-inputs", "quantile"}}},
    {"adam", {{"optimizer", "adam"}, {"batch", "64"}}},
    {"many lanes", {{"optimizer", "adam"}, {"batch", "600"}, {"scale-inputs", "uniform"}}},
    {"weights", {{"optimizer", "cg"}, {"scale-inputs", "range"}}, false, "weight"},
    {"groups", {{"validation-fraction", "0.2"}, {"patience", "3"}}, false, "", "group"},
    {"early stopping and refit",
     {{"optimizer", "adam"}, {"batch", "64"}, {"validation-fraction", "0.2"}, {"refit", "true"}}},
    {"classes", {{"optimizer", "lbfgs"}, {"class-weights", "balanced"}}, true},
    {"classes with weights", {{"validation-fraction", "0.2"}}, true, "weight"},
    {"an ensemble whose ranges are fitted", {{"ensemble", "2"}, {"fit-range", "layer"}}},
    {"monotone in a column",
     {{"optimizer", "adam"}, {"batch", "64"}, {"basis", "b-spline"}, {"monotone-in", "z"}}},
};

// Compares what must not depend on where the rows are and on which processes train.
inline void expect_same(const Model& found, const Model& wanted) {
  EXPECT_EQ(found.parameters_sha256(), wanted.parameters_sha256());
  EXPECT_EQ(found.training.rows_sha256, wanted.training.rows_sha256);
  EXPECT_EQ(found.training.remarks, wanted.training.remarks);
  EXPECT_EQ(found.training.iterations, wanted.training.iterations);
  ASSERT_EQ(found.inputs.size(), wanted.inputs.size());
  for (std::size_t c = 0; c < found.inputs.size(); ++c) {
    EXPECT_EQ(found.inputs[c].scaling.offset, wanted.inputs[c].scaling.offset);
    EXPECT_EQ(found.inputs[c].scaling.scale, wanted.inputs[c].scaling.scale);
    EXPECT_EQ(found.inputs[c].scaling.quantiles, wanted.inputs[c].scaling.quantiles);
    EXPECT_EQ(found.inputs[c].category, wanted.inputs[c].category);
  }
  for (const auto part : {&Summary::train, &Summary::validation, &Summary::test}) {
    ASSERT_EQ((found.training.*part).has_value(), (wanted.training.*part).has_value());
    if (!(wanted.training.*part)) continue;
    EXPECT_EQ((found.training.*part)->rows, (wanted.training.*part)->rows);
    EXPECT_EQ((found.training.*part)->to_compare(), (wanted.training.*part)->to_compare());
  }
}

}  // namespace knotwork::training
