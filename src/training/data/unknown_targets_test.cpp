// SPDX-License-Identifier: MIT
// Tests that rows without a target are in no part of a training, and change nothing in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "parallel/test_ranks.hpp"
#include "training/data/test_sources.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/checkpoint.hpp>

namespace knotwork::training {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Weights and groups of rows without a target do not matter either.
Table with_gaps(Table table) {
  for (std::size_t r = 4; r < table.rows(); r += 9) {
    for (const std::size_t column : {2u, 3u, 5u}) table.columns[column][r] = NAN;
  }
  return table;
}

Table without_gaps(const Table& table) {
  Table known = table;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    known.columns[c].clear();
    for (std::size_t r = 0; r < table.rows(); ++r) {
      if (r % 9 != 4) known.columns[c].push_back(table.columns[c][r]);
    }
  }
  return known;
}

std::string complaint(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

class UnknownTargets : public StreamedTraining {};

// The same bits as for a table that never had the rows. The rows to train on must not depend on row
// numbers, so none is drawn.
TEST_F(UnknownTargets, AreAsIfTheirRowsWereNotThere) {
  for (const std::size_t k : {0u, 1u, 2u, 4u, 7u}) {
    const Case& one = kCases[k];
    SCOPED_TRACE(one.name);
    const Table table = with_gaps(mixed_table(3000, one.classes));
    const TrainOptions options = options_of(one);
    TableTask task = task_of(one);
    task.test_last = true;
    const Model found = train(PreparedData(table, task, options.seed), options);
    const Model wanted = train(PreparedData(without_gaps(table), task, options.seed), options);
    EXPECT_EQ(found.parameters_sha256(), wanted.parameters_sha256());
    EXPECT_EQ(found.training.train->to_compare(), wanted.training.train->to_compare());
    EXPECT_EQ(found.training.test->to_compare(), wanted.training.test->to_compare());
    EXPECT_EQ(found.training.test->rows, wanted.training.test->rows);
    ASSERT_EQ(found.training.remarks.size(), wanted.training.remarks.size() + 1);
    EXPECT_THAT(found.training.remarks.front(),
                HasSubstr("333 of 3000 rows have no value in the target column 'y'; they are left "
                          "out; to "));
    EXPECT_THAT(found.training.remarks.front(),
                HasSubstr(one.classes ? "no-missing-words" : "require-target"));
  }
}

TEST_F(UnknownTargets, AreLeftOutAlikeByStreamsAndRanks) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.name);
    const Table table = with_gaps(mixed_table(3000, one.classes));
    const TrainOptions options = options_of(one);
    const Model wanted = train(PreparedData(table, task_of(one), options.seed), options);
    const StoredTable file = stored(table);
    for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 30}) {
      const PreparedData prepared(file, {}, task_of(one), options.seed, nullptr, storage(memory));
      EXPECT_EQ(prepared.rows_without_target(), 333u);
      EXPECT_EQ(prepared.training_rows() + prepared.test_rows(), 2667u);
      expect_same(train(prepared, options), wanted);
    }
    parallel::run_ranks(3, [&](Ranks& ranks) {
      expect_same(train(PreparedData(file, {}, task_of(one), options.seed, nullptr,
                                     storage(1 << 20, &ranks)),
                        options),
                  wanted);
    });
  }
}

TEST_F(UnknownTargets, KeepTheNumbersOfOtherRows) {
  const Table table = with_gaps(mixed_table(200, false));
  TableTask task = task_of(kCases[0]);
  const PreparedData prepared(table, task, 1);
  std::vector<std::size_t> rows = prepared.partition().train;
  rows.insert(rows.end(), prepared.partition().test.begin(), prepared.partition().test.end());
  EXPECT_EQ(rows.size(), 178u);
  EXPECT_TRUE(std::none_of(rows.begin(), rows.end(), [](std::size_t r) { return r % 9 == 4; }));
  // Rows keep the fate that they have in the whole table, as far as the sizes of the parts allow.
  const PreparedData whole(mixed_table(200, false), task, 1);
  std::vector<std::size_t> moved;
  std::set_difference(prepared.partition().test.begin(), prepared.partition().test.end(),
                      whole.partition().test.begin(), whole.partition().test.end(),
                      std::back_inserter(moved));
  EXPECT_LE(moved.size(), 5u);

  task.test_fraction = 0;
  task.test_rows = {3, 4, 5, 13};
  EXPECT_THAT(PreparedData(table, task, 1).partition().test, ElementsAre(3, 5));
  task.test_rows = {4, 13};
  EXPECT_THAT(complaint([&] { PreparedData(table, task, 1); }),
              HasSubstr("mixed has no target in any of the listed test rows."));
}

TEST_F(UnknownTargets, OfOneOfSeveralColumnsLeaveOutTheRow) {
  Table table = mixed_table(300, false);
  table.columns[4][7] = NAN;
  table.columns[5][9] = NAN;
  TableTask task = task_of(kCases[0]);
  task.targets = {"z", "y"};
  const PreparedData prepared(table, task, 1);
  EXPECT_EQ(prepared.rows_without_target(), 2u);
  EXPECT_THAT(prepared.remarks(),
              Contains(HasSubstr("2 of 300 rows have no value in one or more of the target")));
  EXPECT_EQ(train(prepared, options_of(kCases[0])).training.train->rows, 223u);
  task.require_target = true;
  EXPECT_THAT(complaint([&] { PreparedData(table, task, 1); }),
              HasSubstr("row 7, column 5 ('z'): the cell is missing"));
}

TEST_F(UnknownTargets, AreRefusedIfTargetsAreRequired) {
  for (const bool classes : {false, true}) {
    const Table table = with_gaps(mixed_table(300, classes));
    TableTask task = task_of(kCases[0]);
    task.require_target = true;
    EXPECT_THAT(complaint([&] { PreparedData(table, task, 1); }),
                AllOf(HasSubstr("row 4, column 6 ('y'): the cell is missing, but every row must"),
                      HasSubstr("fill it in or remove the row")));
    EXPECT_NO_THROW(PreparedData(mixed_table(300, classes), task, 1));
  }
}

TEST_F(UnknownTargets, InEveryRowAreRefused) {
  Table table = mixed_table(300, false);
  table.columns[5].assign(300, NAN);
  const TableTask task = task_of(kCases[0]);
  EXPECT_THAT(complaint([&] { PreparedData(table, task, 1); }),
              HasSubstr("column 6 ('y'): the target is missing in every row."));
  for (std::size_t r = 0; r < 9; ++r) table.columns[5][r] = static_cast<double>(r);
  EXPECT_THAT(complaint([&] { PreparedData(table, task, 1); }),
              HasSubstr("training rows (2 for the test, 291 without a target); at least 10"));
}

TEST_F(UnknownTargets, OfASecondTableAreNotScored) {
  const Table table = mixed_table(300, false);
  TableTask task = task_of(kCases[0]);
  task.test_fraction = 0;
  const auto second = std::make_shared<const Table>(with_gaps(mixed_table(90, false)));
  task.test_data = second;
  const Model found = train(PreparedData(table, task, 1), options_of(kCases[0]));
  EXPECT_EQ(found.training.test->rows, 80u);
  EXPECT_THAT(found.training.remarks,
              Contains("In the second table 10 of 90 rows have no value in the target column 'y'; "
                       "they are not scored."));
  task.test_data = std::make_shared<const Table>(without_gaps(*second));
  const Model wanted = train(PreparedData(table, task, 1), options_of(kCases[0]));
  EXPECT_EQ(found.training.test->rmse, wanted.training.test->rmse);
}

TEST_F(UnknownTargets, AreInNoFoldAndNoRefit) {
  const Table table = with_gaps(mixed_table(300, true));
  TableTask task = task_of(kCases[7]);
  task.test_fraction = 0;
  const PreparedData prepared(table, task, 1);
  const std::vector<std::size_t>& rows = prepared.partition().train;
  const std::vector<std::size_t> folds = training_folds(prepared.data(), rows, 3, 1);
  TrainOptions options = options_of(kCases[7]);
  const Scores scores = validate_fold(prepared.data(), rows, folds, 1, options);
  EXPECT_EQ(scores.rows, static_cast<std::size_t>(std::count(folds.begin(), folds.end(), 1)));
  options.validation_fraction = 0.2;
  options.refit = true;
  const Model stayed = train(prepared, options);
  EXPECT_TRUE(stayed.training.refitted);
  const Model copied = train({prepared.data(), prepared.partition()}, options);
  EXPECT_EQ(copied.parameters_sha256(), stayed.parameters_sha256());
}

TEST_F(UnknownTargets, LeaveCheckpointsAndStartsAsTheyAre) {
  const Table table = with_gaps(mixed_table(300, false));
  const TrainOptions options = options_of(kCases[0]);
  const PreparedData prepared(table, task_of(kCases[0]), options.seed);
  TrainingState kept;
  Checkpoints keeping([&](const TrainingState& state) { kept = state; }, 2);
  const Model wanted = train(prepared, options, {.checkpoints = lent(keeping)});
  Checkpoints resumed([](const TrainingState&) {}, 0, kept);
  EXPECT_EQ(train(prepared, options, {.checkpoints = lent(resumed)}).parameters_sha256(),
            wanted.parameters_sha256());
  const PreparedData again(table, task_of(kCases[0]), options.seed, &wanted);
  const Model more = train(again, options, {.start = lent(wanted)});
  EXPECT_EQ(more.training.rows_sha256, wanted.training.rows_sha256);
  EXPECT_THAT(more.training.remarks, Not(Contains(HasSubstr("too good"))));
}

// --- What else a target can be ------------------------------------------------------------------

Table of_targets(const std::vector<std::string>& cells) {
  std::string text = "x,y\n";
  for (std::size_t r = 0; r < cells.size(); ++r) {
    text += std::to_string(r * 7 % 11) + "," + cells[r] + "\n";
  }
  return parse_csv(text, "t.csv");
}

TEST(Targets, ThatAreNearlyUniqueTextsAreRefused) {
  std::vector<std::string> cells;
  for (int r = 0; r < 60; ++r) cells.push_back("name" + std::to_string(r / 60 + r));
  EXPECT_THAT(complaint([&] { PreparedData(of_targets(cells), {}, 1); }),
              HasSubstr("column 2 ('y'): the target has 60 different texts in 60 rows; texts that "
                        "hardly repeat are not classes that can be learned; to predict another "
                        "column, set the option target."));
  for (int r = 60; r < 4000; ++r) cells.push_back("name" + std::to_string(r % 1500));
  EXPECT_THAT(complaint([&] { PreparedData(of_targets(cells), {}, 1); }),
              HasSubstr("the target has 1500 different texts in 4000 rows, but at most 1000"));
}

TEST(Targets, OfNumbersWithWordsSayWhichWords) {
  // One word among many different numbers is a missing cell for the reader of the table.
  std::vector<std::string> cells;
  for (int r = 0; r < 60; ++r) cells.push_back(r % 5 == 0 ? "unknown" : std::to_string(r) + ".5");
  EXPECT_THAT(PreparedData(of_targets(cells), {}, 1).remarks(),
              ::testing::Contains(HasSubstr("12 of 60 rows have no value in the target column")));
  // Among few different numbers it is a text.
  for (std::size_t r = 0; r < 60; ++r) {
    if (r % 5 != 0) cells[r] = std::to_string(r % 7) + ".5";
  }
  TableTask numbers;
  numbers.kind = TaskKind::regression;
  EXPECT_THAT(complaint([&] { PreparedData(of_targets(cells), numbers, 1); }),
              HasSubstr("column 2 ('y'): the column has numbers, but also texts such as "
                        "'unknown'; to read such a cell as missing, set the option missing to "
                        "unknown."));
  for (std::size_t r = 0; r < 60; ++r) cells[r] = std::to_string(r) + ".5";
  for (int r = 0; r < 60; r += 5) cells[static_cast<std::size_t>(r)] = "no" + std::to_string(r);
  EXPECT_THAT(complaint([&] { PreparedData(of_targets(cells), {}, 1); }),
              HasSubstr("such as 'no0'; correct those cells."));
}

TEST(Targets, WithClassesOfOneRowGetARemark) {
  std::vector<std::string> cells;
  for (int r = 0; r < 60; ++r) cells.push_back(r % 2 == 0 ? "oak" : "elm");
  EXPECT_THAT(PreparedData(of_targets(cells), {}, 1).remarks(), ::testing::IsEmpty());
  cells[7] = "ash";
  EXPECT_THAT(PreparedData(of_targets(cells), {}, 1).remarks(),
              ElementsAre("Class 'ash' of column 'y' has fewer than two rows, so it cannot be both "
                          "learned and tested; merge it with another class, or leave its row "
                          "out."));
  cells[9] = "fir";
  EXPECT_THAT(PreparedData(of_targets(cells), {}, 1).remarks(),
              ElementsAre(HasSubstr("2 classes of column 'y' have fewer than two rows each ('ash', "
                                    "'fir'), so they")));
  for (int r = 0; r < 60; ++r) cells[static_cast<std::size_t>(r)] = std::to_string(r % 2);
  cells[7] = "2";
  EXPECT_THAT(PreparedData(of_targets(cells), {}, 1).remarks(),
              ElementsAre(HasSubstr("treated as classes"), HasSubstr("Class '2' of column 'y'")));
}

}  // namespace
}  // namespace knotwork::training
