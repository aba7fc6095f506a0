// SPDX-License-Identifier: MIT
#include "table/table_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace knotwork::table {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Five rows of a file whose first line is empty: messages about a row must name the same line in
// every part of the table.
Table five_rows() {
  return parse_csv("\nx\n0\n1\n2\n3\n4\n", "five.csv");
}

TEST(TableReader, WindowsOfATableInMemoryKnowTheLinesOfTheirRows) {
  const Table whole = five_rows();
  TableReader(whole).for_each(2, 5, [&](const Table& window, std::size_t first) {
    EXPECT_EQ(first, 2u);
    ASSERT_EQ(window.rows(), 3u);
    EXPECT_THAT(window.columns[0], ElementsAre(2, 3, 4));
    for (std::size_t row = 0; row < 3; ++row) {
      EXPECT_EQ(window.where(row, 0), whole.where(2 + row, 0));
    }
  });
}

TEST(TableReader, SomeRowsKnowTheirLines) {
  const Table whole = five_rows();
  const Table some = TableReader(whole).read_rows({4, 0, 3});
  EXPECT_THAT(some.columns[0], ElementsAre(4, 0, 3));
  EXPECT_EQ(some.where(0, 0), whole.where(4, 0));
  EXPECT_EQ(some.where(1, 0), whole.where(0, 0));
  EXPECT_EQ(some.where(2, 0), whole.where(3, 0));
  // The same for a selection of the selected rows.
  const Table fewer = TableReader(some).read_rows({2, 0});
  EXPECT_EQ(fewer.where(0, 0), whole.where(3, 0));
  EXPECT_EQ(fewer.where(1, 0), whole.where(4, 0));
}

TEST(TableReader, RowsOfATableOfNoFileHaveNumbersOnly) {
  Table table{.source = "memory", .names = {"x"}, .columns = {{0, 1, 2, 3}}};
  const Table some = TableReader(table).read_rows({3, 1});
  EXPECT_THAT(some.lines, IsEmpty());
  EXPECT_EQ(some.where(0, 0), table.where(3, 0));
  EXPECT_EQ(some.where(1, 0), table.where(1, 0));
}

// The columns of a table are chosen by name in the same way as the columns of a file.
TEST(TableReader, ColumnsAreChosenAlikeEverywhere) {
  Table table{.source = "t", .names = {"a", "b", "c"}, .columns = {{1, 2}, {0, 1}, {5, 6}}};
  table.labels = {{}, {"x", "y"}, {}};
  const Table chosen = choose_columns(table, {"c", "b"});
  EXPECT_THAT(chosen.names, ElementsAre("c", "b"));
  EXPECT_THAT(chosen.unread, ElementsAre("a"));
  EXPECT_EQ(chosen.where(1, 0), "t, row 1, column 3 ('c')");
  EXPECT_TRUE(chosen.is_text(1));
  const TableReader fewer = TableReader(table).with_columns(std::array<std::size_t, 2>{2, 1});
  EXPECT_EQ(fewer.read_rows({1}).where(0, 0), chosen.where(1, 0));
  EXPECT_THROW(choose_columns(table, {"c", "c"}), Error);
  EXPECT_THROW(choose_columns(table, {}), Error);
  EXPECT_THROW(choose_columns(table, {"d"}), Error);
}

// A source that describes only what it must describe.
class Broken final : public RowSource {
 public:
  explicit Broken(Schema schema) : schema_(std::move(schema)) {}
  const Schema& schema() const override { return schema_; }
  std::size_t rows() const override { return 3; }
  void read(std::span<const std::size_t>, std::size_t,
            std::span<const std::span<double>>) const override {}

 private:
  Schema schema_;
};

TEST(TableReader, ASourceWhoseSchemaDoesNotFitIsRefused) {
  EXPECT_THROW(TableReader(std::shared_ptr<const RowSource>()), Error);
  EXPECT_THROW(TableReader(std::make_shared<Broken>(Schema{.source = "b", .names = {"x", "x"}})),
               Error);
  EXPECT_THROW(TableReader(std::make_shared<Broken>(
                   Schema{.source = "b", .names = {"x"}, .labels = {{"b", "a"}}})),
               Error);
  EXPECT_NO_THROW(TableReader(std::make_shared<Broken>(Schema{.source = "b", .names = {"x"}})));
}

}  // namespace
}  // namespace knotwork::table
