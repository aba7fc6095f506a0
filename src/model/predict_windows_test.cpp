// SPDX-License-Identifier: MIT
// Tests of predictions by ranks, with threads in place of processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "parallel/test_monitors.hpp"
#include "parallel/test_ranks.hpp"
#include "training/data/test_wide_tables.hpp"

#include <knotwork/predict.hpp>

namespace knotwork::model {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::StrEq;

class PredictWindows : public ::testing::Test {
 protected:
  PredictWindows() {
    std::string name = (std::filesystem::path(::testing::TempDir()) / "knotwork-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  ~PredictWindows() override { std::filesystem::remove_all(folder_); }
  StoredTable stored(const Table& table) const {
    write_table_file(table, folder_ / "t");
    return StoredTable(folder_ / "t");
  }
  std::filesystem::path folder_;
};

// The facts about the table that were new to the model, as text.
std::vector<std::string> facts(const EncodingReport& report) {
  std::vector<std::string> facts;
  for (const EncodingReport::Column& column : report.columns) {
    std::string text = column.name;
    for (const std::size_t count :
         {column.cells, column.missing, column.outside, column.unseen_cells}) {
      text += " " + std::to_string(count);
    }
    for (const std::string& unseen : column.unseen) text += " " + unseen;
    facts.push_back(text);
  }
  return facts;
}

// The facts that the last of `count` ranks reports; `text` is what the first rank writes.
std::vector<std::string> facts_of(std::size_t count, const Model& model, const auto& table,
                                  PredictOptions options, std::string& text) {
  std::vector<std::string> found;
  parallel::run_ranks(count, [&](Ranks& ranks) {
    const auto write = [&](std::string_view lines) {
      EXPECT_TRUE(ranks.is_first());
      text += lines;
    };
    PredictOptions own = options;
    own.ranks = &ranks;
    const auto report = predict_csv(model, table, write, own);
    if (ranks.rank() == count - 1) found = facts(report);
  });
  return found;
}

void expect_whole(const Model& model, const Table& table, const StoredTable& stored,
                  const PredictOptions& options) {
  const Table predicted = predict_table(model, table, options);
  const std::string wanted = to_csv(predicted);
  const std::vector<std::string> wanted_facts = facts(EncodedTable(table, model.inputs).report());
  for (const std::size_t count : {1, 2, 3, 5}) {
    std::string text;
    EXPECT_EQ(facts_of(count, model, stored, options, text), wanted_facts) << count;
    EXPECT_TRUE(text == wanted) << count << " ranks wrote " << text.size() << " bytes";
  }
  std::string text;
  EXPECT_EQ(facts_of(2, model, table, options, text), wanted_facts);
  EXPECT_TRUE(text == wanted) << "of a table in memory";

  Table together = predicted;
  for (std::vector<double>& column : together.columns) column.clear();
  const auto take = [&](const Table& window, std::size_t first_row) {
    EXPECT_EQ(first_row, together.rows());
    for (std::size_t c = 0; c < together.columns.size(); ++c) {
      together.columns[c].insert(together.columns[c].end(), window.columns[c].begin(),
                                 window.columns[c].end());
    }
  };
  predict_windows(model, stored, take, options);
  EXPECT_TRUE(to_csv(together) == wanted) << "in windows";
}

TEST_F(PredictWindows, AKeptColumnMayNotHaveTheNameOfAPrediction) {
  Table table = wide_table(Wide::numbers, 100);
  const Model model = wide_model(wide_table(Wide::numbers, 300));
  table.names.push_back("prediction");
  table.columns.push_back(table.columns[0]);
  EXPECT_NO_THROW(predict_table(model, table));
  EXPECT_THROW(predict_table(model, table, {.keep = {"prediction"}}), Error);
}

TEST_F(PredictWindows, KeptColumnsHaveDifferentNamesAndAllRows) {
  const Table table = wide_table(Wide::numbers, 100);
  const Model model = wide_model(wide_table(Wide::numbers, 300));
  EXPECT_THROW(predict_table(model, table, {.keep = {"x1", "x2", "x1"}}), Error);
  const auto kept = [&](std::size_t rows) {
    return Table{.source = "t", .names = {"id"}, .columns = {std::vector<double>(rows)}};
  };
  EXPECT_THROW(predict_table(model, table, kept(99), {}), Error);
  EXPECT_EQ(predict_table(model, table, kept(100), {}).names.front(), "id");
}

TEST_F(PredictWindows, OfAnyNumberOfRanksAreTheTableInMemory) {
  const Table table = wide_table(Wide::numbers);
  expect_whole(wide_model(table, {2}, 2), table, stored(table),
               {.threads = 2, .keep = {"x61", "x1"}, .spread = true});
}

TEST_F(PredictWindows, HaveClassesTextsAndMissingCells) {
  const Table table = wide_table(Wide::classes);
  expect_whole(wide_model(table), table, stored(table), {.keep = {"y", "colour"}});
}

TEST_F(PredictWindows, FewerThanRanksAreEnough) {
  const Table table = wide_table(Wide::classes, 1000);
  expect_whole(wide_model(table), table, stored(table), {});
}

TEST_F(PredictWindows, OneRankThatIsToldToEndEndsAll) {
  const Table table = wide_table(Wide::numbers);
  const Model model = wide_model(table);
  const StoredTable there = stored(table);
  struct Stopping : Monitor {
    void see(const Progress& now) override { EXPECT_EQ(now.phase, Phase::predicting); }
  };
  for (const std::size_t told : {0, 2}) {
    std::vector<int> is_stopped(3, false);  // not bool: threads write at the same time
    std::vector<std::size_t> windows(3, 0);
    parallel::run_ranks(3, [&](Ranks& ranks) {
      PredictOptions options{.ranks = &ranks};
      if (ranks.rank() == told) options.monitor = std::make_shared<Stopping>();
      try {
        const auto stop_in_the_first_window = [&](const Table&, std::size_t) {
          ++windows[ranks.rank()];
          if (options.monitor) options.monitor->request_stop();
        };
        predict_windows(model, there, stop_in_the_first_window, options);
      } catch (const Error& error) {
        is_stopped[ranks.rank()] = error.kind() == ErrorKind::stopped;
      }
    });
    EXPECT_THAT(is_stopped, Each(true));
    EXPECT_THAT(windows, Each(1));
  }
}

TEST_F(PredictWindows, AStopIsHeardWithinAWindow) {
  const Table table = wide_table(Wide::numbers, 4000);
  const Model model = wide_model(table, {2}, 2);
  const auto count = [](const Table& part, std::size_t) { EXPECT_EQ(part.rows(), 4000u); };
  for (const bool spread : {false, true}) {
    parallel::expect_stops(spread ? 16 : 8, [&](const std::shared_ptr<Monitor>& monitor) {
      predict_windows(model, table, count, {.threads = 2, .spread = spread, .monitor = monitor});
    });
  }
  parallel::expect_stops(8, [&](const std::shared_ptr<Monitor>& monitor) {
    predict_table(model, table, {.monitor = monitor});
  });
}

TEST_F(PredictWindows, ARankThatCannotReadEndsAllWithOneSentence) {
  const Table table = wide_table(Wide::numbers);
  const Model model = wide_model(table);
  const StoredTable there = stored(table);
  std::filesystem::resize_file(folder_ / "t", std::filesystem::file_size(folder_ / "t") - 9);
  const auto sentence_of = [&](std::size_t count) {
    std::vector<std::string> sentences(count);
    parallel::run_ranks(count, [&](Ranks& ranks) {
      try {
        try {
          predict_csv(model, there, [](std::string_view) {}, {.keep = {"x61"}, .ranks = &ranks});
        } catch (const Error& error) {
          ranks.report_failure(error);
        }
      } catch (const SharedError& error) {
        sentences[ranks.rank()] = error.what();
      }
    });
    EXPECT_THAT(sentences, Each(StrEq(sentences.front())));
    return sentences.front();
  };
  const std::string alone = sentence_of(1);
  EXPECT_THAT(alone, ::testing::Not(IsEmpty()));
  EXPECT_EQ(sentence_of(3), "Rank 1: " + alone);  // rank 1 has the last of five windows
}

}  // namespace
}  // namespace knotwork::model
