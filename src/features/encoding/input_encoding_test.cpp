// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <knotwork/encoding.hpp>
#include <knotwork/error.hpp>

namespace knotwork::features {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Column = std::vector<double>;
using Rows = std::vector<std::size_t>;
using Texts = std::vector<std::string>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Rows counted(std::size_t count) {
  Rows all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

class TableOf {
 public:
  TableOf& numbers(std::string name, Column cells) {
    table_.names.push_back(std::move(name));
    table_.columns.push_back(std::move(cells));
    table_.labels.emplace_back();
    return *this;
  }
  // An empty text is a missing cell.
  TableOf& texts(std::string name, const Texts& cells) {
    std::set<std::string> different(cells.begin(), cells.end());
    different.erase("");
    const Texts labels(different.begin(), different.end());
    Column indices;
    for (const std::string& cell : cells) {
      const auto at = std::find(labels.begin(), labels.end(), cell);
      indices.push_back(cell.empty() ? kNaN : static_cast<double>(at - labels.begin()));
    }
    numbers(std::move(name), indices);
    table_.labels.back() = labels;
    return *this;
  }
  Table table() const { return table_; }

 private:
  Table table_ = {.source = "some.csv", .names = {}, .columns = {}};
};

Encoding fit(const Table& table, const Texts& keep = {}) {
  return fit_encoding(table, counted(table.columns.size()), counted(table.rows()), keep);
}

// "age", "city=Rome", "age?" for the three kinds.
Texts input_names(const Encoding& encoding) {
  Texts names;
  for (const InputColumn& input : encoding.inputs) {
    const bool category = input.kind == InputKind::category;
    names.push_back(input.column + (category ? "=" + input.category : "") +
                    (input.kind == InputKind::missing ? "?" : ""));
  }
  return names;
}

Column input_values(const EncodedTable& encoded, std::size_t input) {
  Column values;
  for (std::size_t row = 0; row < encoded.rows(); ++row) values.push_back(encoded(row, input));
  return values;
}

struct Refusal {
  ErrorKind kind;
  std::string message;
};

Refusal refusal_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
  return {ErrorKind::failed_run, "nothing was refused"};
}

TEST(InputKind, NamesGoBothWays) {
  for (const InputKind kind : {InputKind::numeric, InputKind::category, InputKind::missing}) {
    EXPECT_EQ(from_string<InputKind>(to_string(kind)), kind);
  }
  const Refusal refusal = refusal_of([] { from_string<InputKind>("numerc"); });
  EXPECT_EQ(refusal.kind, ErrorKind::bad_model);
  EXPECT_THAT(refusal.message, AllOf(HasSubstr("'numerc'"), HasSubstr("did you mean 'numeric'")));
  EXPECT_THAT(refusal_of([] { to_string(static_cast<InputKind>(7)); }).message, HasSubstr("7"));
}

TEST(Encoding, KindsFollowTheColumns) {
  const Encoding encoding = fit(TableOf()
                                    .numbers("age", {3, 1, kNaN, 2})
                                    .texts("city", {"Rome", "Oslo", "Rome", ""})
                                    .numbers("size", {5, 6, 8, 7})
                                    .table());
  EXPECT_THAT(input_names(encoding), ElementsAre("age", "age?", "city=Oslo", "city=Rome", "size"));
  EXPECT_THAT(encoding.remarks, IsEmpty());
  EXPECT_EQ(encoding.inputs[0].fill, 2);
  EXPECT_EQ(encoding.inputs[0].low, 1);
  EXPECT_EQ(encoding.inputs[0].high, 3);
  EXPECT_EQ(encoding.inputs[4].fill, 6.5);
  for (const InputColumn& input : encoding.inputs) EXPECT_TRUE(input.scaling.is_identity());
}

TEST(Encoding, LooksAtTheGivenRowsAndColumnsOnly) {
  const Table table = TableOf()
                          .numbers("x", {1, 2, 100, kNaN})
                          .numbers("unused", {1, 2, 3, 4})
                          .texts("t", {"b", "", "a", "c"})
                          .table();
  const Encoding encoding = fit_encoding(table, Rows{0, 2}, Rows{0, 1}, Texts{"t"});
  EXPECT_THAT(input_names(encoding), ElementsAre("x", "t=b"));
  EXPECT_EQ(encoding.inputs[0].high, 2);
  EXPECT_EQ(encoding.inputs[0].fill, 1.5);
}

TEST(Encoding, MissingIsAnInputAboveOnePercent) {
  Column cells(200);
  std::iota(cells.begin(), cells.end(), 0.5);
  cells[3] = cells[70] = kNaN;
  EXPECT_THAT(input_names(fit(TableOf().numbers("x", cells).table())), ElementsAre("x"));
  cells[100] = kNaN;
  EXPECT_THAT(input_names(fit(TableOf().numbers("x", cells).table())), ElementsAre("x", "x?"));
}

TEST(Encoding, LeavesOutWhatSaysNothing) {
  const Encoding encoding = fit(TableOf()
                                    .numbers("x", {1, 5, 2, 4})
                                    .numbers("same", {7, 7, 7, 7})
                                    .numbers("nothing", {kNaN, kNaN, kNaN, kNaN})
                                    .texts("city", {"Rome", "Rome", "Rome", "Rome"})
                                    .texts("name", {"Ann", "Ben", "", "Eve"})
                                    .table());
  EXPECT_THAT(input_names(encoding), ElementsAre("x"));
  EXPECT_THAT(
      encoding.remarks,
      ElementsAre("Column 'same' was left out: it has the same value in every training row.",
                  "Column 'nothing' was left out: it has no value in any training row.",
                  "Column 'city' was left out: it has the same value in every training row.",
                  "Column 'name' was left out: most of its texts occur in one training row only; "
                  "to keep it, set the option categorical to name."));
}

TEST(Encoding, TextColumnWithoutTrainingTextIsLeftOut) {
  const Table table = TableOf().numbers("x", {1, 3, 2}).texts("t", {"", "", "a"}).table();
  const Encoding encoding = fit_encoding(table, Rows{0, 1}, Rows{0, 1});
  EXPECT_THAT(input_names(encoding), ElementsAre("x"));
  EXPECT_THAT(encoding.remarks, ElementsAre(HasSubstr("'t' was left out: it has no value")));
}

TEST(Encoding, KeepsNamesWhenAskedTo) {
  const Table table = TableOf().texts("my name", {"Ann", "Ben", "Eve", "Ann"}).table();
  EXPECT_THAT(input_names(fit(table)), ElementsAre("my name=Ann", "my name=Ben", "my name=Eve"))
      << "half of the cells are not most of them";
  const Table names = TableOf()
                          .numbers("x", {1, 3, 2})
                          .texts("my name", {"Ann", "Ben", "Eve"})
                          .texts("it's", {"Ann", "Ben", "Eve"})
                          .table();
  EXPECT_THAT(input_names(fit(names, {"my name"})),
              ElementsAre("x", "my name=Ann", "my name=Ben", "my name=Eve"));
  EXPECT_THAT(fit(names).remarks, ElementsAre(HasSubstr("set the option categorical to my name"),
                                              HasSubstr("set the option categorical to it's")));
}

TEST(Encoding, OneNumberOrNoneLeavesTheMissingInput) {
  const Encoding encoding = fit(TableOf().numbers("x", {4, kNaN, 4}).table());
  EXPECT_THAT(input_names(encoding), ElementsAre("x?"));
  EXPECT_THAT(encoding.remarks,
              ElementsAre("Column 'x' has the same value in every training row where it is not "
                          "missing; its only input is whether it is missing."));
  EXPECT_THAT(input_names(fit(TableOf().texts("t", {"a", "", "a"}).table())), ElementsAre("t=a"));
}

TEST(Encoding, RowNumbersStayWithARemark) {
  const Table table = TableOf()
                          .numbers("place", {11, 12, 13, 14, 15})
                          .numbers("halves", {0.5, 1.5, 2.5, 3.5, 4.5})
                          .numbers("falls", {5, 4, 3, 2, 1})
                          .numbers("gap", {1, 2, 3, 4, 6})
                          .numbers("unknown", {1, 2, kNaN, 4, 5})
                          .table();
  const Encoding encoding = fit(table);
  EXPECT_EQ(encoding.inputs.size(), 6u);
  EXPECT_THAT(encoding.remarks,
              ElementsAre("Column 'place' looks like a row number; to leave it out, set the "
                          "option drop to place."));
  // Held-out rows leave gaps in the row numbers too.
  EXPECT_THAT(fit_encoding(table, Rows{0, 3}, Rows{0, 3, 4}).remarks,
              ElementsAre(HasSubstr("'place' looks like")));
  EXPECT_THAT(fit_encoding(table, Rows{0}, Rows{0, 1}).remarks, IsEmpty()) << "two say too little";
}

TEST(Encoding, NumbersInDisguiseAreRemarked) {
  const Table table = TableOf()
                          .numbers("x", {1, 2, 3, 5})
                          .texts("price", {"$1", "$2", "$1", "$2"})
                          .texts("day", {"2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04"})
                          .texts("grade", {"a", "b", "$1", "b"})
                          .table();
  EXPECT_THAT(fit(table).remarks,
              ElementsAre("Column 'price' was read as text: '$1' contains a currency sign; write "
                          "the number alone.",
                          HasSubstr("Column 'day' was left out: '2024-01-01' looks like a date")));
}

TEST(Encoding, RefusesWhenNothingIsLeft) {
  const Table table = TableOf().numbers("same", {7, 7}).texts("name", {"Ann", "Ben"}).table();
  const Refusal refusal = refusal_of([&] { fit(table); });
  EXPECT_EQ(refusal.kind, ErrorKind::bad_data);
  EXPECT_EQ(refusal.message,
            "No column of some.csv can be an input (column 'same' was left out: it has the same "
            "value in every training row); at least one must differ from row to row.");
  EXPECT_THAT(refusal_of([&] { fit_encoding(table, Rows{}, Rows{0}); }).message,
              HasSubstr("No column of some.csv is an input"));
}

TEST(Encoding, ManyTextsBecomeTheirFrequency) {
  Texts cells;
  for (std::size_t i = 0; i < kOneHotMaxSize; ++i) cells.insert(cells.end(), 2, std::to_string(i));
  EXPECT_EQ(fit(TableOf().texts("city", cells).table()).inputs.size(), kOneHotMaxSize);
  cells.insert(cells.end(), 3, "one more");
  const Encoding encoding = fit(TableOf().texts("city", cells).table());
  ASSERT_EQ(encoding.inputs.size(), 1u);
  EXPECT_DOUBLE_EQ(encoding.inputs[0].level_value("one more"), std::log1p(3.0));
  EXPECT_DOUBLE_EQ(encoding.inputs[0].level_value("7"), std::log1p(2.0));
  EXPECT_EQ(encoding.inputs[0].level_value("never seen"), 0);
  EXPECT_THAT(encoding.remarks, ElementsAre(HasSubstr("'city' has 21 different texts")));
}

TEST(Encoding, RefusesOtherRequests) {
  const Table table = TableOf().numbers("x", {1, 2}).table();
  EXPECT_THAT(refusal_of([&] { fit(table, {"xx"}); }).message,
              AllOf(HasSubstr("some.csv"), HasSubstr("'xx'"), HasSubstr("'x'")));
  EXPECT_THAT(refusal_of([&] { fit_encoding(table, Rows{1}, Rows{0}); }).message,
              AllOf(HasSubstr("no column 1 in some.csv"), HasSubstr("1 columns")));
  EXPECT_THAT(refusal_of([&] {
                fit_encoding(table, Rows{0}, Rows{0, 2});
              }).message,
              AllOf(HasSubstr("no row 2 in some.csv"), HasSubstr("2 rows")));
  EXPECT_THAT(refusal_of([&] { fit_encoding(table, Rows{0}, Rows{}); }).message,
              AllOf(HasSubstr("some.csv has no training rows"), HasSubstr("at least one")));
  const Table infinite = TableOf().numbers("x", {1, -INFINITY}).table();
  const Refusal refusal = refusal_of([&] { fit(infinite); });
  EXPECT_EQ(refusal.kind, ErrorKind::bad_data);
  EXPECT_THAT(refusal.message,
              AllOf(HasSubstr("some.csv, row 1"), HasSubstr("'x'"), HasSubstr("finite")));
}

TEST(EncodedTable, ReadsEachKind) {
  const Encoding encoding =
      fit(TableOf().numbers("x", {-1, kNaN, 4}).texts("t", {"b", "a", "b"}).table());
  ASSERT_THAT(input_names(encoding), ElementsAre("x", "x?", "t=a", "t=b"));
  // Another order of columns, other labels, and -1, which must not be taken for a label.
  const Table other =
      TableOf().texts("t", {"", "b", "zebra", "Aa"}).numbers("x", {-1, kNaN, 9, -3}).table();
  const EncodedTable encoded(other, encoding.inputs);
  EXPECT_EQ(encoded.rows(), 4u);
  ASSERT_EQ(encoded.inputs(), 4u);
  EXPECT_THAT(input_values(encoded, 0), ElementsAre(-1, 1.5, 9, -3));
  EXPECT_THAT(input_values(encoded, 1), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(input_values(encoded, 2), ElementsAre(0, 0, 0, 0)) << "'a' does not occur";
  EXPECT_THAT(input_values(encoded, 3), ElementsAre(0, 1, 0, 0));
}

TEST(EncodedTable, ReportsWhatTrainingDidNotHold) {
  const Encoding encoding =
      fit(TableOf().numbers("x", {-1, kNaN, 4}).texts("t", {"b", "a", "b"}).table());
  const Table other = TableOf()
                          .texts("t", {"", "b", "g", "f", "e", "e", "d", "c", "h"})
                          .numbers("x", {-1, kNaN, 9, -3, 0, 4, 4.5, kNaN, 0})
                          .table();
  const EncodingReport report = EncodedTable(other, encoding.inputs).report();
  ASSERT_EQ(report.columns.size(), 2u);
  const EncodingReport::Column &x = report.columns[0], &t = report.columns[1];
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.cells, 9u);
  EXPECT_EQ(x.missing, 2u);
  EXPECT_EQ(x.outside, 3u);
  EXPECT_EQ(x.unseen_cells, 0u);
  EXPECT_EQ(t.name, "t");
  EXPECT_EQ(t.missing, 1u);
  EXPECT_EQ(t.outside, 0u);
  EXPECT_EQ(t.unseen_cells, 7u);
  EXPECT_THAT(t.unseen, ElementsAre("c", "d", "e", "f", "g"));
}

TEST(EncodedTable, NothingIsOutsideAnUnknownRange) {
  const Table table = TableOf().numbers("x", {1, 1e9}).table();
  const std::vector<InputColumn> inputs = {{.column = "x"}};
  EXPECT_EQ(EncodedTable(table, inputs).report().columns[0].outside, 0u);
}

TEST(EncodedTable, AcceptsColumnsWithoutAnyCell) {
  const Table table = TableOf().numbers("t", {kNaN, kNaN}).table();
  const std::vector<InputColumn> inputs = {
      {.column = "t", .kind = InputKind::category, .category = "a"}};
  const EncodedTable encoded(table, inputs);
  EXPECT_THAT(input_values(encoded, 0), ElementsAre(0, 0));
  EXPECT_EQ(encoded.report().columns[0].missing, 2u);
}

TEST(EncodedTable, RefusesColumnsThatDoNotFit) {
  const Table table = TableOf().numbers("age", {1, kNaN}).texts("home city", {"Rome", ""}).table();
  const auto refused = [&](const InputColumn& input) {
    const Refusal refusal = refusal_of([&] { EncodedTable(table, {&input, 1}); });
    EXPECT_EQ(refusal.kind, ErrorKind::bad_data);
    return refusal.message;
  };
  EXPECT_THAT(refused({.column = "aage"}),
              AllOf(HasSubstr("some.csv"), HasSubstr("'aage'"), HasSubstr("'age'")));
  EXPECT_EQ(refused({.column = "age", .kind = InputKind::category, .category = "1"}),
            "some.csv, column 1 ('age'): the column contains numbers, but the model needs text; to "
            "read it as text, set the option categorical to age.");
  const std::string text =
      "some.csv, column 2 ('home city'): the column contains text (such as 'Rome'), but the model "
      "needs numbers; to read it as numbers, set the option numeric to home city.";
  EXPECT_EQ(refused({.column = "home city", .fill = 0}), text);
  EXPECT_EQ(refused({.column = "home city", .kind = InputKind::missing}), text);
  EXPECT_THAT(refused({.column = "age"}),
              AllOf(HasSubstr("some.csv, row 1"), HasSubstr("'age'"), HasSubstr("is missing"),
                    HasSubstr("needs a number")));
  const std::vector<InputColumn> both = {
      {.column = "age", .fill = 0},
      {.column = "age", .kind = InputKind::category, .category = "1"}};
  EXPECT_THAT(refusal_of([&] { EncodedTable(table, both); }).message,
              HasSubstr("contains numbers"));
}

RC_GTEST_PROP(EncodingProperty, TrainingRowsAreReadBack, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(2, 60);
  const auto cells = [&](int values) {
    Column column;
    for (std::size_t row = 0; row < rows; ++row) {
      const int value = *rc::gen::inRange(-1, values);
      column.push_back(value < 0 ? kNaN : value);
    }
    return column;
  };
  Table table = {.source = "some.csv",
                 .names = {"x", "t", "ends"},
                 .columns = {cells(9), cells(3), Column(rows, 0.0)},
                 .labels = {{}, {"a", "b", "c"}, {}}};
  table.columns[2].back() = 0.5;  // keeps one column
  const Encoding encoding = fit(table, {"t"});
  const EncodedTable encoded(table, encoding.inputs);
  RC_ASSERT(encoded.inputs() == encoding.inputs.size());
  for (std::size_t i = 0; i < encoding.inputs.size(); ++i) {
    const InputColumn& input = encoding.inputs[i];
    const std::size_t column = table.index_of(input.column);
    Column present;
    for (const double cell : table.columns[column]) {
      if (!std::isnan(cell)) present.push_back(cell);
    }
    std::sort(present.begin(), present.end());
    for (std::size_t row = 0; row < rows; ++row) {
      const double cell = table.columns[column][row];
      const bool missing = std::isnan(cell);
      double wanted = missing ? 1 : 0;
      if (input.kind == InputKind::category) {
        wanted = !missing && table.labels[column][static_cast<std::size_t>(cell)] == input.category;
      } else if (input.kind == InputKind::numeric) {
        wanted = cell;
        if (missing) wanted = (present[(present.size() - 1) / 2] + present[present.size() / 2]) / 2;
      }
      RC_ASSERT(encoded(row, i) == wanted);
    }
  }
  for (const EncodingReport::Column& column : encoded.report().columns) {
    RC_ASSERT(column.outside == 0u && column.unseen_cells == 0u && column.cells == rows);
  }
}

}  // namespace
}  // namespace knotwork::features
