// SPDX-License-Identifier: MIT
// Predictions by ranks, with threads in place of processes.
#include "cli/predict_windows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "base/test_ranks.hpp"
#include "cli/model_source.hpp"
#include "cli/prediction_table.hpp"
#include "training/test_wide_tables.hpp"

namespace knotwork::cli {
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

constexpr auto kGoOn = [](double) { return true; };

std::vector<std::string> remarks_of(std::size_t count, const Model& model,
                                    const StoredTable& stored, const WindowRequest& request,
                                    std::string& text) {
  std::vector<std::string> remarks;
  run_ranks(count, [&](Ranks& ranks) {
    const auto write = [&](std::string_view lines) {
      EXPECT_TRUE(ranks.is_first());
      text += lines;
    };
    const auto report = predict_windows(ranks, model, stored, {}, request, write, kGoOn);
    ASSERT_TRUE(report);
    if (ranks.rank() == count - 1) remarks = remarks_on(*report);
  });
  return remarks;
}

void expect_whole(const Model& model, const Table& table, const StoredTable& stored,
                  const WindowRequest& request) {
  Table kept{.source = table.source, .names = request.keep, .columns = {}};
  for (const std::string& name : request.keep) {
    const std::size_t column = table.index_of(name);
    kept.columns.push_back(table.columns[column]);
    kept.labels.emplace_back();
    if (table.is_text(column)) kept.labels.back() = table.labels[column];
  }
  const std::string wanted = to_csv(predict_table(model, table, kept, request.spread, 2));
  const std::vector<std::string> remarks = remarks_on(table, model);
  EXPECT_FALSE(remarks.empty());
  for (const std::size_t count : {1, 2, 3, 5}) {
    std::string text;
    EXPECT_EQ(remarks_of(count, model, stored, request, text), remarks) << count;
    EXPECT_TRUE(text == wanted) << count << " ranks wrote " << text.size() << " bytes";
  }
}

TEST_F(PredictWindows, OfAnyNumberOfRanksAreTheTableInMemory) {
  const Table table = wide_table(Wide::numbers);
  expect_whole(wide_model(table, {2}, 2), table, stored(table),
               {.keep = {"x61", "x1"}, .spread = true});
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
  for (const std::size_t told : {0, 2}) {
    std::vector<int> has_report(3, true);  // written by all at once
    std::vector<double> shares;  // that the last rank has heard of
    run_ranks(3, [&](Ranks& ranks) {
      const auto report = predict_windows(
          ranks, model, there, {}, {}, [](std::string_view) {},
          [&](double share) {
            if (ranks.rank() == 2) shares.push_back(share);
            return ranks.rank() != told || share == 0;
          });
      has_report[ranks.rank()] = report.has_value();
    });
    EXPECT_THAT(has_report, Each(false));
    ASSERT_EQ(shares.size(), 2u);
    EXPECT_EQ(shares[0], 0);
    EXPECT_NEAR(shares[1], 3 * 8738.0 / kWideRows, 1e-3);
  }
}

TEST_F(PredictWindows, ARankThatCannotReadEndsAllWithOneSentence) {
  const Table table = wide_table(Wide::numbers);
  const Model model = wide_model(table);
  const StoredTable there = stored(table);
  std::filesystem::resize_file(folder_ / "t", std::filesystem::file_size(folder_ / "t") - 9);
  const auto sentence_of = [&](std::size_t count) {
    std::vector<std::string> sentences(count);
    run_ranks(count, [&](Ranks& ranks) {
      try {
        try {
          predict_windows(ranks, model, there, {}, {.keep = {"x61"}}, [](std::string_view) {},
                          kGoOn);
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
  EXPECT_EQ(sentence_of(3), "Rank 1: " + alone);  // of five windows it has the last one
}

}  // namespace
}  // namespace knotwork::cli
