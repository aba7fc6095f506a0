// SPDX-License-Identifier: MIT
#include "features/encoding/id_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "parallel/test_ranks.hpp"
#include "training/data/data_origin.hpp"

#include <knotwork/training.hpp>

namespace knotwork::features {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(NamesOfIds, HaveAWordForThem) {
  for (const char* name :
       {"id", "Id", "ID", "CustomerId", "customer_id", "customerID", "customer id", "ID2", "IDCode",
        "id_1", "PassengerId", "customerid", "userid", "orderid", "transactionid", "OBJECTID",
        "RowNumber", "row", "Row", "row_names", "rownames", "rownum", "rowid", "key", "Key",
        "customer_key", "primarykey", "index", "Index", "idx", "uuid", "Unnamed: 0", "unnamed: 12",
        "listing.id", "x-row"}) {
    EXPECT_TRUE(is_name_of_ids(name)) << name;
  }
  for (const char* name :
       {"paid", "Paid", "humid", "valid", "grid", "acid", "keyboard", "monkey", "turkey", "arrow",
        "rowing", "growth", "brown", "width", "idle", "ideal", "idea",
        "covid", "bid", "mid", "liquid", "solid", "Fluid", "heat index", "price_index", "unnamed",
        "age", "x", "", "2", "année", "identity", "kids", "Madrid", "amount_paid", "days_valid"}) {
    EXPECT_FALSE(is_name_of_ids(name)) << name;
  }
}

IdKind kind_of(const std::string& name, const std::vector<double>& cells) {
  WholeNumbers numbers;
  QuantileSample values;
  for (std::size_t r = 0; r < cells.size(); ++r) {
    numbers.see(cells[r], r);
    values.see(cells[r], r);
  }
  return id_kind(name, numbers, values);
}

TEST(Ids, AreDifferentWholeNumbersWithTheirName) {
  EXPECT_EQ(kind_of("id", {7, 3, 9, 1}), IdKind::ids);
  EXPECT_EQ(kind_of("id", {1, 4, 9, 12}), IdKind::ids);
  EXPECT_EQ(kind_of("age", {7, 3, 9, 1}), IdKind::none);
  EXPECT_EQ(kind_of("age", {1, 4, 9, 12, 13, 18, 20, 21}), IdKind::rising_numbers);
  EXPECT_EQ(kind_of("age", {1, 4, 9, 12, 13, 18, 20}), IdKind::none) << "may be chance";
  EXPECT_EQ(kind_of("id", {7, 3, 9, 7}), IdKind::none) << "one is repeated";
  EXPECT_EQ(kind_of("id", {7, 3.5, 9, 1}), IdKind::none) << "one is not whole";
  EXPECT_EQ(kind_of("id", {1e300, 1, 2, 3}), IdKind::none) << "too large to be exact";
  EXPECT_EQ(kind_of("id", {1, 2}), IdKind::none) << "too few to say";
  EXPECT_EQ(kind_of("age", {1, 4, 4, 12, 13, 18, 20, 21}), IdKind::none);
  EXPECT_EQ(kind_of("age", {8, 7, 6, 5, 4, 3, 2, 1}), IdKind::none);
}

TEST(Ids, AreJudgedBySomeRowsOfManyThatDoNotRise) {
  std::vector<double> cells(200'000);
  std::iota(cells.rbegin(), cells.rend(), 0.0);
  EXPECT_EQ(kind_of("id", cells), IdKind::ids);
  for (std::size_t r = 0; r < cells.size(); ++r) cells[r] = static_cast<double>(r % 1000);
  EXPECT_EQ(kind_of("id", cells), IdKind::none);
}

// Processes see consecutive rows, and merge in any order.
TEST(Ids, RiseOverTheBordersBetweenProcesses) {
  const auto merged = [](const std::vector<double>& cells, const std::vector<std::size_t>& order) {
    std::vector<WholeNumbers> parts(3);
    for (std::size_t r = 0; r < cells.size(); ++r) parts[r * 3 / cells.size()].see(cells[r], r);
    WholeNumbers all = parts[order[0]];
    for (const std::size_t k : {order[1], order[2]}) {
      parallel::MergeState state;
      parts[k].put(state);
      parallel::StateReader reader(state);
      all.merge(reader);
      reader.finish();
    }
    return all.rise();
  };
  for (const std::vector<std::size_t>& order :
       {std::vector<std::size_t>{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}) {
    EXPECT_TRUE(merged({1, 2, 3, 5, 8, 9}, order));
    EXPECT_FALSE(merged({1, 2, 2, 5, 8, 9}, order)) << "equal at a border";
    EXPECT_FALSE(merged({1, 2, 3, 5, 4, 9}, order)) << "falls at a border";
    EXPECT_FALSE(merged({2, 1, 3, 5, 8, 9}, order)) << "falls inside";
  }
}

// id: shuffled; number: rising with gaps; x, y.
Table with_ids(std::size_t rows = 60) {
  Table table{.source = "t.csv", .names = {"shop_id", "number", "x", "y"}, .columns = {}};
  table.columns.assign(4, std::vector<double>(rows));
  for (std::size_t r = 0; r < rows; ++r) {
    const auto k = static_cast<double>(r);
    table.columns[0][r] = static_cast<double>(r * 37 % rows * 5);
    table.columns[1][r] = 10 * k + (r % 2 == 0 ? 3 : 1);
    table.columns[2][r] = std::sin(k);
    table.columns[3][r] = std::cos(k);
  }
  return table;
}

std::vector<std::string> columns_of(const PreparedData& prepared) {
  std::vector<std::string> names;
  for (const InputColumn& input : prepared.data().origin->encoding) names.push_back(input.name());
  return names;
}

TEST(Ids, AreLeftOutOfATrainingUnlessTheyAreToStay) {
  TableTask task;
  const PreparedData prepared(with_ids(), task, 0);
  EXPECT_THAT(columns_of(prepared), ElementsAre("number", "x"));
  ASSERT_EQ(prepared.remarks().size(), 2u);
  EXPECT_EQ(prepared.remarks()[0].sentence(),
            "Column 'shop_id' was left out: its numbers are all different, and its name says that "
            "they are ids.");
  EXPECT_EQ(prepared.remarks()[0].hint().settings,
            (std::vector<OptionSetting>{{"numeric", "shop_id"}}));
  EXPECT_EQ(prepared.remarks()[1].sentence(),
            "Column 'number' has whole numbers that rise with every row, as ids do.");
  EXPECT_EQ(prepared.remarks()[1].hint().settings,
            (std::vector<OptionSetting>{{"drop", "number"}}));
  task.keep = {"shop_id", "number"};
  const PreparedData kept(with_ids(), task, 0);
  EXPECT_THAT(columns_of(kept), ElementsAre("shop_id", "number", "x"));
  EXPECT_THAT(kept.remarks(), IsEmpty());
}

TEST(Ids, ThatAreOftenMissingLeaveTheirIndicator) {
  Table table = with_ids();
  for (std::size_t r = 0; r < 60; r += 5) table.columns[0][r] = NAN;
  const PreparedData prepared(table, {}, 0);
  EXPECT_THAT(columns_of(prepared), ElementsAre("shop_id missing", "number", "x"));
  EXPECT_THAT(prepared.remarks(), Contains(HasSubstr("its only input is whether it is missing")));
}

TEST(Ids, ThatAreTheOnlyInputAreRefusedWithTheWayToKeepThem) {
  TableTask task;
  task.drop = {"number", "x"};
  try {
    PreparedData(with_ids(), task, 0);
    FAIL() << "nothing was wrong";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("No column of t.csv can be an input (column 'shop_id'"));
    EXPECT_EQ(error.hint().settings, (std::vector<OptionSetting>{{"numeric", "shop_id"}}));
  }
}

TEST(Ids, AreFoundAlikeByRanks) {
  const Table table = with_ids(500);
  const PreparedData alone(table, {}, 0);
  for (const std::size_t count : {2, 3}) {
    parallel::run_ranks(count, [&](Ranks& ranks) {
      const PreparedData shared(table, {}, 0, nullptr, &ranks);
      EXPECT_EQ(shared.remarks(), alone.remarks());
      EXPECT_EQ(columns_of(shared), columns_of(alone));
    });
  }
}

}  // namespace
}  // namespace knotwork::features
