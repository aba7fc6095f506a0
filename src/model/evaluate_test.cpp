// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "model/merge_reports.hpp"
#include "parallel/test_monitors.hpp"
#include "parallel/test_ranks.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/predict.hpp>
#include <knotwork/training.hpp>

namespace knotwork::model {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

enum class Kind { numbers, several, classes, quantiles };

// A table with more rows than a window, a text column, missing cells and a weight.
Table long_table(Kind kind, std::size_t rows = 150'000) {
  Table table{.source = "long",
              .names = {"x", "colour", "weight", "z", "y"},
              .columns = std::vector(5, std::vector<double>(rows)),
              .labels = {{}, {"blue", "green", "red"}, {}, {}, {}}};
  for (std::size_t r = 0; r < rows; ++r) {
    const auto k = static_cast<double>(r);
    table.columns[0][r] = r % 11 == 0 ? NAN : std::sin(k);
    table.columns[1][r] = static_cast<double>(r % 3);
    table.columns[2][r] = 1 + static_cast<double>(r % 4);
    table.columns[3][r] = std::sin(2 * k) / 3;
    table.columns[4][r] = kind == Kind::classes ? static_cast<double>(r % 2)
                                                : std::cos(k) + static_cast<double>(r % 3);
  }
  return table;
}

Table first_rows(Table table, std::size_t rows) {
  for (std::vector<double>& column : table.columns) column.resize(rows);
  return table;
}

Model quick_model(const Table& table, Kind kind) {
  TrainOptions options;
  options.hidden = {3};
  options.iterations = 3;
  if (kind == Kind::several) options.ensemble = 2;
  TableTask task;
  task.drop = {"weight"};
  if (kind == Kind::several) task.targets = {"y", "z"};
  if (kind == Kind::quantiles) {
    task.targets = {"y", "z"};
    options.loss = "quantile";
    options.quantiles = {0.1, 0.5, 0.9};
  }
  return train(first_rows(table, 200), task, options);
}

void expect_same(const Scores& found, const Scores& wanted) {
  EXPECT_EQ(found.rows, wanted.rows);
  ASSERT_EQ(found.classes.has_value(), wanted.classes.has_value());
  ASSERT_EQ(found.pinball.has_value(), wanted.pinball.has_value());
  ASSERT_EQ(found.intervals.has_value(), wanted.intervals.has_value());
  if (found.classes) {
    EXPECT_EQ(found.classes->accuracy, wanted.classes->accuracy);
    EXPECT_EQ(found.classes->log_loss, wanted.classes->log_loss);
    EXPECT_EQ(found.classes->auc, wanted.classes->auc);
    EXPECT_EQ(found.classes->confusion, wanted.classes->confusion);
    return;
  }
  EXPECT_EQ(found.rmse, wanted.rmse);
  EXPECT_EQ(found.mae, wanted.mae);
  EXPECT_EQ(found.nrmse, wanted.nrmse);
  EXPECT_EQ(found.r2, wanted.r2);
  if (found.pinball) {
    EXPECT_EQ(found.pinball->loss, wanted.pinball->loss);
    EXPECT_EQ(found.pinball->deviation, wanted.pinball->deviation);
  }
  if (found.intervals) {
    EXPECT_EQ(found.intervals->coverage, wanted.intervals->coverage);
    EXPECT_EQ(found.intervals->width, wanted.intervals->width);
  }
}

void expect_same(const EncodingReport& found, const EncodingReport& wanted) {
  ASSERT_EQ(found.columns.size(), wanted.columns.size());
  for (std::size_t c = 0; c < wanted.columns.size(); ++c) {
    EXPECT_EQ(found.columns[c].name, wanted.columns[c].name);
    EXPECT_EQ(found.columns[c].cells, wanted.columns[c].cells);
    EXPECT_EQ(found.columns[c].missing, wanted.columns[c].missing);
    EXPECT_EQ(found.columns[c].outside, wanted.columns[c].outside);
    EXPECT_EQ(found.columns[c].unseen, wanted.columns[c].unseen);
    EXPECT_EQ(found.columns[c].unseen_cells, wanted.columns[c].unseen_cells);
  }
}

void expect_same(const Evaluation& found, const Evaluation& wanted) {
  expect_same(found.scores, wanted.scores);
  ASSERT_EQ(found.each.size(), wanted.each.size());
  for (std::size_t t = 0; t < wanted.each.size(); ++t) expect_same(found.each[t], wanted.each[t]);
  expect_same(found.report, wanted.report);
}

// The error message that all `count` ranks give for a table that they cannot evaluate.
std::string shared_sentence(std::size_t count, const Model& model, const StoredTable& stored) {
  std::vector<std::string> sentences(count);
  parallel::run_ranks(count, [&](Ranks& ranks) {
    try {
      try {
        evaluate(model, stored, {.ranks = &ranks, .require_target = true});
      } catch (const Error& error) {
        ranks.report_failure(error);
      }
    } catch (const SharedError& error) {
      sentences[ranks.rank()] = error.what();
    }
  });
  EXPECT_THAT(sentences, Each(sentences.front()));
  return sentences.front();
}

class EvaluateStored : public ::testing::TestWithParam<Kind> {
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
  const Model model = quick_model(table, GetParam());
  write_table_file(table, folder_ / "t");
  const StoredTable stored(folder_ / "t");
  for (const std::string weights : {"", "weight"}) {
    std::vector<Scores> each;
    const Scores wanted = model.evaluate(table, 1, weights, &each);
    const Evaluation found = evaluate(model, stored, {.threads = 2, .weight_column = weights});
    expect_same(found.scores, wanted);
    ASSERT_EQ(found.each.size(), each.size());
    for (std::size_t t = 0; t < each.size(); ++t) expect_same(found.each[t], each[t]);
    expect_same(found.report, EncodedTable(table, model.inputs).report());
    expect_same(evaluate(model, table, {.threads = 2, .weight_column = weights}), found);
  }
}

// Targets and weights span several windows too; classes have so few rows that the AUC is exact. The
// last windows have texts and numbers that training did not see.
TEST_P(EvaluateStored, AnyNumberOfRanksHasTheBitsOfOne) {
  const std::size_t rows = GetParam() == Kind::classes ? 1'000'000 : 375'000;
  Table table = long_table(GetParam(), rows);
  const Model model = quick_model(table, GetParam());
  table.labels[1] = {"blue", "green", "red", "teal", "umber", "violet", "white", "yellow"};
  for (std::size_t r = rows / 2; r < rows; r += 7) {
    table.columns[0][r] = 3;
    table.columns[1][r] = static_cast<double>(r < rows - rows / 4 ? 5 + r / 7 % 3 : r / 7 % 7);
  }
  write_table_file(table, folder_ / "t");
  const StoredTable stored(folder_ / "t");
  const Evaluation wanted = evaluate(model, stored, {.threads = 2, .weight_column = "weight"});
  EXPECT_THAT(wanted.report.columns[1].unseen,
              ElementsAre("teal", "umber", "violet", "white", "yellow"));
  for (const std::size_t count : {1, 2, 3, 5}) {
    parallel::run_ranks(count, [&](Ranks& ranks) {
      struct Noted : Monitor {
        void see(const Progress& now) override {
          EXPECT_EQ(now.phase, Phase::scoring);
          shares.push_back(now.share);
        }
        std::vector<double> shares;
      };
      const auto noted = std::make_shared<Noted>();
      expect_same(
          evaluate(model, stored, {.weight_column = "weight", .ranks = &ranks, .monitor = noted}),
          wanted);
      EXPECT_TRUE(std::is_sorted(noted->shares.begin(), noted->shares.end()));
      if (ranks.is_first()) {
        EXPECT_EQ(noted->shares.back(), 1);
      }
    });
  }
}
INSTANTIATE_TEST_SUITE_P(AllKinds, EvaluateStored,
                         ::testing::Values(Kind::numbers, Kind::several, Kind::classes,
                                           Kind::quantiles));

TEST_F(EvaluateStored, AStopIsHeardWithinAWindow) {
  const Table table = long_table(Kind::numbers, 20'000);
  const Model model = quick_model(table, Kind::numbers);
  parallel::expect_stops(20, [&](const std::shared_ptr<Monitor>& monitor) {
    evaluate(model, table, {.threads = 2, .monitor = monitor});
  });
}

// The stop may be at any rank and in either pass.
TEST_F(EvaluateStored, OneRankThatIsStoppedEndsAll) {
  const Table table = long_table(Kind::numbers, 375'000);
  const Model model = quick_model(table, Kind::numbers);
  write_table_file(table, folder_ / "t");
  const StoredTable stored(folder_ / "t");
  struct Stopping : Monitor {
    bool stop_requested() const override { return --left < 0; }
    mutable std::atomic<int> left = 0;
  };
  for (const std::size_t told : {0, 2}) {
    for (const int left : {0, 1, 2}) {
      std::vector<int> is_stopped(3, false);
      parallel::run_ranks(3, [&](Ranks& ranks) {
        const auto stopping = std::make_shared<Stopping>();
        stopping->left = left;
        EvaluateOptions options{.ranks = &ranks};
        if (ranks.rank() == told) options.monitor = stopping;
        try {
          evaluate(model, stored, options);
        } catch (const Error& error) {
          is_stopped[ranks.rank()] = error.kind() == ErrorKind::stopped;
        }
      });
      EXPECT_THAT(is_stopped, ::testing::Each(true));
    }
  }
}

using EvaluateStoredWeights = EvaluateStored;

TEST_P(EvaluateStoredWeights, ThatAreAllZeroAreRefused) {
  Table table = first_rows(long_table(GetParam()), 300);
  const Model model = quick_model(table, GetParam());
  std::fill(table.columns[2].begin(), table.columns[2].end(), 0.0);
  write_table_file(table, folder_ / "t");
  EXPECT_THROW(evaluate(model, StoredTable(folder_ / "t"), {.weight_column = "weight"}), Error);
}
INSTANTIATE_TEST_SUITE_P(Numbers, EvaluateStoredWeights, ::testing::Values(Kind::numbers));

using EvaluateStoredGaps = EvaluateStored;

TEST_P(EvaluateStoredGaps, InTargetsLeaveOutTheirRows) {
  Table table = long_table(GetParam(), 100'000);
  const Model model = quick_model(table, GetParam());
  std::vector<std::size_t> known;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    // The weight of a row that is not scored does not matter; one window has no targets.
    if (r % 7 == 3 || (r > 60'000 && r < 99'000)) {
      table.columns[r % 2 == 0 && GetParam() == Kind::several ? 3 : 4][r] = NAN;
      table.columns[2][r] = -1;
    } else {
      known.push_back(r);
    }
  }
  Table others = table;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    others.columns[c].clear();
    for (const std::size_t row : known) others.columns[c].push_back(table.columns[c][row]);
  }
  write_table_file(table, folder_ / "t");
  const StoredTable stored(folder_ / "t");
  for (const std::string& weight : {std::string(), std::string("weight")}) {
    const Evaluation wanted = evaluate(model, others, {.weight_column = weight});
    EXPECT_EQ(wanted.without_target, 0u);
    const Evaluation found = evaluate(model, stored, {.weight_column = weight});
    expect_same(found, wanted);
    EXPECT_EQ(found.without_target, table.rows() - known.size());
    std::vector<Scores> each;
    expect_same(model.evaluate(table, 1, weight, &each), wanted.scores);
    EXPECT_EQ(each.size(), model.targets.size());
    parallel::run_ranks(3, [&](Ranks& ranks) {
      const Evaluation shared =
          evaluate(model, stored, {.weight_column = weight, .ranks = &ranks});
      expect_same(shared, wanted);
      EXPECT_EQ(shared.without_target, found.without_target);
    });
  }
  EXPECT_THROW(evaluate(model, table, {.require_target = true}), Error);
  std::fill(table.columns[4].begin(), table.columns[4].end(), NAN);
  EXPECT_THROW(evaluate(model, table), Error);
  EXPECT_THROW(model.evaluate(table), Error);
}
INSTANTIATE_TEST_SUITE_P(Kinds, EvaluateStoredGaps,
                         ::testing::Values(Kind::numbers, Kind::several, Kind::classes,
                                           Kind::quantiles));

using EvaluateStoredFailures = EvaluateStored;

TEST_P(EvaluateStoredFailures, OfRanksNameTheFirstPlaceAsOneProcessDoes) {
  Table table = long_table(GetParam(), 375'000);
  const Model model = quick_model(table, GetParam());
  table.columns[4][350'000] = NAN;
  table.columns[4][300'000] = NAN;
  write_table_file(table, folder_ / "t");
  const StoredTable stored(folder_ / "t");
  const std::string alone = shared_sentence(1, model, stored);
  EXPECT_THAT(alone, HasSubstr(", row 300000, column 5 ('y'): the cell is missing"));
  for (const std::size_t count : {2, 3, 5}) {
    const std::string sentence = shared_sentence(count, model, stored);
    EXPECT_THAT(sentence, ::testing::EndsWith(": " + alone));
    EXPECT_THAT(sentence, ::testing::MatchesRegex("Rank [1-9]: .*"));
  }
}

TEST_P(EvaluateStoredFailures, OfATableThatIsCutOffAreOneSentence) {
  const Table table = long_table(GetParam(), 375'000);
  const Model model = quick_model(table, GetParam());
  write_table_file(table, folder_ / "t");
  const StoredTable stored(folder_ / "t");
  // The texts are last in the file, so only the second pass reaches the end.
  std::filesystem::resize_file(folder_ / "t", std::filesystem::file_size(folder_ / "t") - 9);
  const std::string alone = shared_sentence(1, model, stored);
  EXPECT_THAT(alone, HasSubstr("t"));
  EXPECT_EQ(shared_sentence(3, model, stored), "Rank 2: " + alone);
  EXPECT_EQ(shared_sentence(5, model, stored), "Rank 3: " + alone);  // the fifth rank has no rows
}
INSTANTIATE_TEST_SUITE_P(Several, EvaluateStoredFailures, ::testing::Values(Kind::several));

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
}  // namespace knotwork::model
