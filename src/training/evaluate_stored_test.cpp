// SPDX-License-Identifier: MIT
#include "training/evaluate_stored.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>

#include <knotwork/table_training.hpp>

namespace knotwork {
namespace {

using ::testing::ElementsAre;

// More rows than a window has, with a text, cells that are missing and a weight.
Table long_table(bool classes) {
  const std::size_t rows = 600'000;
  Table table{.source = "long",
              .names = {"x", "colour", "weight", "y"},
              .columns = std::vector(4, std::vector<double>(rows)),
              .labels = {{}, {"blue", "green", "red"}, {}, {}}};
  for (std::size_t r = 0; r < rows; ++r) {
    const auto k = static_cast<double>(r);
    table.columns[0][r] = r % 11 == 0 ? NAN : std::sin(k);
    table.columns[1][r] = static_cast<double>(r % 3);
    table.columns[2][r] = 1 + static_cast<double>(r % 4);
    table.columns[3][r] =
        classes ? static_cast<double>(r % 2) : std::cos(k) + static_cast<double>(r % 3);
  }
  return table;
}

Table first_rows(Table table, std::size_t rows) {
  for (std::vector<double>& column : table.columns) column.resize(rows);
  return table;
}

class EvaluateStored : public ::testing::TestWithParam<bool> {
 protected:
  EvaluateStored() {
    std::string name = (std::filesystem::path(::testing::TempDir()) / "knotwork-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  ~EvaluateStored() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_P(EvaluateStored, ScoresHaveTheBitsOfTheTableInMemory) {
  const Table table = long_table(GetParam());
  TrainOptions options;
  options.hidden = {3};
  options.iterations = 3;
  TableTask task;
  task.drop = {"weight"};
  const Model model = train(first_rows(table, 200), task, options);
  write_table_file(table, folder_ / "t");
  const StoredTable stored(folder_ / "t");
  for (const std::string weights : {"", "weight"}) {
    std::vector<Scores> each;
    const Scores wanted = model.evaluate(table, 1, weights, &each);
    const StoredEvaluation found = evaluate_stored(model, stored, {}, 2, weights);
    EXPECT_EQ(found.scores.rows, wanted.rows);
    EXPECT_EQ(found.each.size(), each.size());
    if (GetParam()) {
      EXPECT_EQ(found.scores.classes->log_loss, wanted.classes->log_loss);
      EXPECT_EQ(found.scores.classes->auc, wanted.classes->auc);
    } else {
      EXPECT_EQ(found.scores.rmse, wanted.rmse);
      EXPECT_EQ(found.scores.mae, wanted.mae);
      EXPECT_EQ(found.scores.nrmse, wanted.nrmse);
    }
    const EncodingReport report = EncodedTable(table, model.inputs).report();
    ASSERT_EQ(found.report.columns.size(), report.columns.size());
    for (std::size_t c = 0; c < report.columns.size(); ++c) {
      EXPECT_EQ(found.report.columns[c].cells, report.columns[c].cells);
      EXPECT_EQ(found.report.columns[c].missing, report.columns[c].missing);
      EXPECT_EQ(found.report.columns[c].outside, report.columns[c].outside);
      EXPECT_EQ(found.report.columns[c].unseen, report.columns[c].unseen);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(NumbersAndClasses, EvaluateStored, ::testing::Bool());

TEST(MergedReports, KeepTheFirstTextsOfAll) {
  EncodingReport all;
  merge(all, {{{.name = "c",
                .cells = 3,
                .missing = 1,
                .outside = 0,
                .unseen = {"b", "d", "f"},
                .unseen_cells = 3}}});
  merge(all, {{{.name = "c",
                .cells = 4,
                .missing = 2,
                .outside = 1,
                .unseen = {"a", "b", "c", "e", "g"},
                .unseen_cells = 9}}});
  EXPECT_THAT(all.columns[0].unseen, ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_EQ(all.columns[0].cells, 7u);
  EXPECT_EQ(all.columns[0].missing, 3u);
  EXPECT_EQ(all.columns[0].outside, 1u);
  EXPECT_EQ(all.columns[0].unseen_cells, 12u);
}

}  // namespace
}  // namespace knotwork
