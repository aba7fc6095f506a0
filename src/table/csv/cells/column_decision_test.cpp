// SPDX-License-Identifier: MIT
// Tests how whole columns are read: as dates, as numbers with signs, as numbers or as texts.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <knotwork/error.hpp>
#include <knotwork/table.hpp>

namespace knotwork::whole_columns {
namespace {

using Cells = std::vector<std::string>;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A column of these cells, with bars between the columns so that commas are part of the cells.
Table read(const Cells& cells, CsvOptions options = {}) {
  std::string text = "x|y\n";
  for (const std::string& cell : cells) text += cell + "|1\n";
  options.delimiter = '|';
  options.header = true;
  return parse_csv(text, "t", options);
}

Cells repeated(const Cells& cells, std::size_t times) {
  Cells all;
  for (std::size_t k = 0; k < times; ++k) all.insert(all.end(), cells.begin(), cells.end());
  return all;
}

Cells joined(Cells cells, const Cells& more) {
  cells.insert(cells.end(), more.begin(), more.end());
  return cells;
}

// Different numbers, as texts.
Cells numbers(int count, const char* after = "") {
  Cells cells;
  for (int k = 0; k < count; ++k) cells.push_back(fmt::format("{}{}", 100 + k, after));
  return cells;
}

std::string refusal(const auto& action, ErrorKind kind = ErrorKind::bad_data) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "nothing was refused";
}

constexpr double kDay = 86'400;

TEST(ColumnDecision, DatesAreSecondsSince1970) {
  const Table table = read({"1970-01-02", "1970-01-03 00:00:01", "", "1970-01-04"});
  EXPECT_TRUE(table.is_date(0));
  EXPECT_FALSE(table.is_date(1));
  EXPECT_THAT(table.columns[0],
              testing::Pointwise(testing::NanSensitiveDoubleEq(),
                                 {kDay, 2 * kDay + 1, std::nan(""), 3 * kDay}));
  EXPECT_EQ(table.cells.columns,
            (std::vector<ColumnFormat>{{.column = "x", .date = DateOrder::year_first}}));
  EXPECT_THAT(table.remarks,
              ElementsAre("Column 'x' has dates: '1970-01-03 00:00:01' is read as "
                          "1970-01-03T00:00:01Z; to read it as text, set the option no-date to x."));
}

TEST(ColumnDecision, TheWholeColumnDecidesWhetherTheDayComesFirst) {
  Table table = read({"01/02/1970", "13/02/1970"});
  EXPECT_EQ(table.columns[0], (std::vector<double>{31 * kDay, 43 * kDay}));
  table = read({"01/02/1970", "02/13/1970"});
  EXPECT_EQ(table.columns[0], (std::vector<double>{kDay, 43 * kDay}));
  EXPECT_THAT(table.remarks, ElementsAre(HasSubstr("'02/13/1970' is read as 1970-02-13")));
}

TEST(ColumnDecision, AmbiguousDatesAreSaid) {
  Table table = read({"01/02/1970", "03/04/1970"});
  EXPECT_EQ(table.columns[0].front(), kDay);
  EXPECT_THAT(
      table.remarks,
      ElementsAre("Column 'x' has dates that do not show whether the day or the month comes first: "
                  "'03/04/1970' is read as 1970-03-04, the month first; to read the day first, set "
                  "the option date to x=dmy."));
  for (const char* text : {"01.02.1970", "01-02-1970"}) {
    table = read({text});
    EXPECT_EQ(table.columns[0].front(), 31 * kDay);
    EXPECT_THAT(table.remarks, ElementsAre(HasSubstr("the day first; to read the month first, set "
                                                     "the option date to x=mdy")));
  }
  // No cell depends on the order.
  EXPECT_THAT(read({"02/02/1970"}).remarks, ElementsAre(testing::StartsWith("Column 'x' has dates:")));
}

TEST(ColumnDecision, AmbiguousDatesFollowTheOtherColumns) {
  const Table table = parse_csv("a,b\n01/02/1970,01/02/1970\n02/02/1970,13/02/1970\n", "t");
  EXPECT_EQ(table.columns[0].front(), 31 * kDay);
  const CsvOptions comma{.cells = {.decimal_comma = true}};
  EXPECT_EQ(parse_csv("a;b\n01/02/1970;1\n", "t", comma).columns[0].front(), 31 * kDay);
}

TEST(ColumnDecision, TimesAreTimesOfTheDay) {
  const Table table = read({"14:35", "2:35:10", "23:59:59.5"});
  EXPECT_TRUE(table.is_date(0));
  EXPECT_EQ(table.columns[0], (std::vector<double>{52'500, 9'310, 86'399.5}));
  EXPECT_EQ(table.cells.columns.front().date, DateOrder::time_of_day);
  EXPECT_THAT(table.remarks, ElementsAre(HasSubstr("86399.5 seconds after midnight")));
  EXPECT_TRUE(read({"13:00.0", "21:15.0", "59:59.9"}).is_text(0));
}

TEST(ColumnDecision, NineteenOfTwentyDatesAreDates) {
  Cells cells = repeated({"2020-01-31", "2020-02-01"}, 19);
  const Table table = read(joined(cells, {"soon", "2020-02-31"}));
  EXPECT_TRUE(table.is_date(0));
  EXPECT_TRUE(std::isnan(table.columns[0][38]) && std::isnan(table.columns[0][39]));
  EXPECT_THAT(table.remarks, ElementsAre(HasSubstr(
                                 ", and 2 of its 40 cells, such as '2020-02-31', count as missing;")));
  const Table text = read(joined(cells, {"soon", "2020-02-31", "later"}));
  EXPECT_TRUE(text.is_text(0));
}

TEST(ColumnDecision, ATextOfManyDatesIsSaid) {
  Cells cells;
  for (int day = 1; day <= 28; ++day) cells.push_back(fmt::format("2020-02-{:02}", day));
  const Table table = read(joined(cells, {"soon", "later", "never"}));
  EXPECT_TRUE(table.is_text(0));
  EXPECT_THAT(table.remarks,
              ElementsAre("Column 'x' is read as text, because only 28 of its 31 cells are dates; to "
                          "read it as dates, with the other cells as missing, set the option date to "
                          "x."));
}

TEST(ColumnDecision, OptionsDeclareDates) {
  const Cells some = {"01/02/1970", "soon", "later", "never"};
  EXPECT_EQ(read(some, {.dates = {{"x", DateOrder::day_first}}}).columns[0][0], 31 * kDay);
  const Table found = read(some, {.dates = {{"x"}}});
  EXPECT_EQ(found.columns[0][0], kDay);
  EXPECT_TRUE(std::isnan(found.columns[0][1]));
  EXPECT_EQ(read({"86400", "172800.5"}, {.dates = {{"x", DateOrder::unix_seconds}}}).columns[0],
            (std::vector<double>{kDay, 172'800.5}));
  EXPECT_EQ(read({"86400500"}, {.dates = {{"x", DateOrder::unix_milliseconds}}}).columns[0],
            (std::vector<double>{86'400.5}));
  EXPECT_EQ(read({"19700102"}, {.dates = {{"x", DateOrder::year_first}}}).columns[0],
            (std::vector<double>{kDay}));
  EXPECT_TRUE(read({"2020-01-31"}, {.no_dates = {"x"}}).is_text(0));
}

TEST(ColumnDecision, NumbersAreNeverGuessedToBeDates) {
  EXPECT_TRUE(read({"20200131", "20200201"}).dates.empty());
  EXPECT_EQ(refusal([] { read({"20200131", "1"}, {.dates = {{"x"}}}); }),
            "t, column 1 ('x'): the column was declared as dates, but its cells are plain numbers; "
            "if they count seconds or milliseconds since 1970, or are dates like 20200131, set "
            "the option date to x=unix or date to x=unix-ms or date to x=ymd.");
  EXPECT_EQ(refusal([] { read({"red", "blue"}, {.dates = {{"x"}}}); }),
            "t, column 1 ('x'): the column was declared as dates, but none of its cells is one, such "
            "as 'blue'.");
}

TEST(ColumnDecision, ContradictionsAreRefused) {
  const auto declared = [](const CsvOptions& options) {
    return refusal([&] { read({"2020-01-31"}, options); }, ErrorKind::bad_option);
  };
  EXPECT_EQ(declared({.categorical = {"x"}, .dates = {{"x"}}}),
            "Column 'x' of t is declared both categorical and dates; choose one of them.");
  EXPECT_THAT(declared({.numeric = {"x"}, .dates = {{"x"}}}), HasSubstr("both numeric and dates"));
  EXPECT_THAT(declared({.dates = {{"x"}}, .no_dates = {"x"}}), HasSubstr("both dates and no dates"));
  EXPECT_THAT(declared({.dates = {{"x", DateOrder::day_first}, {"x", DateOrder::month_first}}}),
              HasSubstr("dates of two orders"));
  EXPECT_EQ(refusal([] { read({"1"}, {.dates = {{"xx"}}}); }),
            "t has no column called 'xx'; did you mean 'x'?");
  EXPECT_THAT(refusal([] { read({"1"}, {.no_dates = {"z"}}); }), HasSubstr("no column called 'z'"));
}

TEST(ColumnDecision, NumbersWithSignsAreNumbers) {
  const Table table = read({"$1,234.50", "$5", "($7)", "8"});
  EXPECT_EQ(table.columns[0], (std::vector<double>{1234.5, 5, -7, 8}));
  EXPECT_TRUE(table.labels.empty());
  EXPECT_EQ(table.cells.columns,
            (std::vector<ColumnFormat>{{.column = "x", .prefix = "$", .group = ","}}));
  EXPECT_THAT(table.remarks,
              ElementsAre("Column 'x' has numbers with signs: '$1,234.50' is read as 1234.5; to read "
                          "it as text, set the option categorical to x."));
  EXPECT_EQ(read({"12 %", "13.5%"}).columns[0], (std::vector<double>{12, 13.5}));
  EXPECT_EQ(read({"12 kg", "3.5 kg"}).columns[0], (std::vector<double>{12, 3.5}));
  EXPECT_EQ(read({"1 234", "1\u00A0234\u00A0567", "1"}).columns[0],
            (std::vector<double>{1234, 1234567, 1}));
  EXPECT_EQ(read({"1'234", "5"}).columns[0], (std::vector<double>{1234, 5}));
}

TEST(ColumnDecision, TheWholeColumnDecidesWhatACommaIs) {
  Table table = read({"1,234", "12,345", "7"});
  EXPECT_EQ(table.columns[0], (std::vector<double>{1234, 12345, 7}));
  EXPECT_THAT(table.remarks,
              ElementsAre("Column 'x' has numbers with signs: '12,345' is read as 12345; if the "
                          "comma is the decimal sign, set the option decimal to comma."));
  table = read({"1,234", "12,5", "7"});
  EXPECT_EQ(table.columns[0], (std::vector<double>{1.234, 12.5, 7}));
  EXPECT_TRUE(table.cells.columns.front().decimal_comma);
  EXPECT_EQ(read({"1,234", "12.5", "7"}).columns[0], (std::vector<double>{1234, 12.5, 7}));
  EXPECT_EQ(read({"1.234,5", "1.234", "7"}).columns[0], (std::vector<double>{1234.5, 1234, 7}));
  EXPECT_EQ(read({"0,123", "1,234"}).columns[0], (std::vector<double>{0.123, 1.234}));
  // With points and commas as decimal signs, nothing is guessed.
  EXPECT_TRUE(read({"12,5", "12.5", "13,5", "13.5"}).is_text(0));
  const CsvOptions comma{.cells = {.decimal_comma = true}};
  EXPECT_EQ(read({"1.234", "5,5"}, comma).columns[0], (std::vector<double>{1234, 5.5}));
  EXPECT_EQ(read({"12.5", "13.25"}, comma).columns[0], (std::vector<double>{12.5, 13.25}));
}

TEST(ColumnDecision, CellsWithoutTheFormatAreMissing) {
  Cells cells = numbers(60, " km");
  const Table table = read(joined(cells, {"far", "12 mi", "13 km"}));
  EXPECT_EQ(std::count_if(table.columns[0].begin(), table.columns[0].end(),
                          [](double cell) { return std::isnan(cell); }),
            2);
  EXPECT_THAT(table.remarks,
              ElementsAre(HasSubstr("and 2 of its 63 cells, such as '12 mi', count as missing;")));
  // Of two units neither is the unit of the column.
  EXPECT_TRUE(read(joined(cells, numbers(40, " mi"))).is_text(0));
}

TEST(ColumnDecision, AFewUnitsDoNotMakeAUnit) {
  // 5 % among plain numbers may mean 0.05.
  const Table table = read(joined(numbers(50), {"5%"}));
  EXPECT_TRUE(std::isnan(table.columns[0].back()));
  EXPECT_EQ(read(joined(numbers(50, " kg"), numbers(10))).columns[0].size(), 60u);
  EXPECT_TRUE(read(joined(numbers(50, " %"), numbers(10))).is_text(0));
}

TEST(ColumnDecision, FewWordsAmongManyNumbersAreMissing) {
  const Table table = read(joined(numbers(30), {"x", "y"}));
  EXPECT_TRUE(table.labels.empty());
  EXPECT_TRUE(std::isnan(table.columns[0].back()));
  EXPECT_EQ(table.cells.columns, (std::vector<ColumnFormat>{{.column = "x"}}));
  EXPECT_THAT(table.remarks,
              ElementsAre("In column 'x' 2 of 32 cells, 'x' and 'y', are not numbers and count as "
                          "missing; to declare them missing or to read the column as text, set the "
                          "option missing to x or categorical to x."));
  const Table one = read(joined(numbers(30), {"unknown"}));
  EXPECT_THAT(one.remarks, ElementsAre(HasSubstr("1 of 31 cells, 'unknown', is not a number and "
                                                 "counts as missing;")));
}

TEST(ColumnDecision, FewDifferentWordsAmongMostlyNumbersAreMissing) {
  Table table = read(joined(numbers(30), repeated({"unknown", "TBD"}, 10)));
  EXPECT_TRUE(table.labels.empty());
  EXPECT_THAT(table.remarks, ElementsAre(HasSubstr("20 of 50 cells, 'TBD' and 'unknown', are not")));
  table = read(joined(numbers(30), {"a", "b", "c", "d", "e", "f"}));
  EXPECT_TRUE(table.is_text(0));
  EXPECT_THAT(table.remarks,
              ElementsAre("Column 'x' is read as text, because 6 of its 36 cells, such as 'a', 'b' "
                          "and 'c', are not numbers."));
  EXPECT_THAT(read({"red", "blue", "red"}).remarks, IsEmpty());
}

TEST(ColumnDecision, InfiniteNumbersAreNeverMissing) {
  EXPECT_THAT(refusal([] { read(joined(numbers(30), {"word", "inf"})); }),
              HasSubstr("line 33, column 1 ('x'): 'inf' is not a finite number"));
  EXPECT_THAT(refusal([] { read({"$1", "$2", "1e999"}, {.numeric = {"x"}}); }),
              HasSubstr("1e999 is too large for double precision"));
}

TEST(ColumnDecision, AModelsFormatReadsWhateverTheCellsLookLike) {
  const CsvOptions price{
      .cells = {.columns = {{.column = "x", .prefix = "$", .group = ","}, {.column = "other"}}}};
  Table table = read({"$1,000", "5", "free", "€7"}, price);
  EXPECT_EQ(table.columns[0][0], 1000);
  EXPECT_EQ(table.columns[0][1], 5);
  EXPECT_TRUE(std::isnan(table.columns[0][2]) && std::isnan(table.columns[0][3]));
  EXPECT_THAT(table.remarks,
              ElementsAre("In column 'x' 2 of 4 cells, such as 'free', do not have the form of the "
                          "column and count as missing."));
  EXPECT_EQ(table.cells.columns, (std::vector<ColumnFormat>{price.cells.columns.front()}));
  // All cells are plain.
  table = read({"1", "2"}, price);
  EXPECT_EQ(table.columns[0], (std::vector<double>{1, 2}));
  EXPECT_EQ(table.cells.columns.size(), 1u);
  const CsvOptions day{.cells = {.columns = {{.column = "x", .date = DateOrder::day_first}}}};
  table = read({"01/02/1970", "12/31/1970", "7"}, day);
  EXPECT_EQ(table.columns[0][0], 31 * kDay);
  EXPECT_TRUE(std::isnan(table.columns[0][1]) && std::isnan(table.columns[0][2]));
  EXPECT_TRUE(table.is_date(0));
  const CsvOptions words{.cells = {.columns = {{.column = "x"}}}};
  EXPECT_TRUE(std::isnan(read({"a", "b", "1"}, words).columns[0][0]));
  // The options come before the model.
  CsvOptions other = day;
  other.dates = {{"x", DateOrder::month_first}};
  EXPECT_EQ(read({"01/02/1970"}, other).columns[0][0], kDay);
}

TEST(ColumnDecision, ToCsvWritesDatesThatReadAsTheSame) {
  Table table{.source = "t", .names = {"when", "n"}, .columns = {{0, 0.25, -1, std::nan("")}, {}}};
  table.columns[1] = {1, 2, 3, 4};
  table.dates = {true, false};
  EXPECT_EQ(to_csv(table),
            "when,n\n1970-01-01,1\n1970-01-01T00:00:00.25Z,2\n1969-12-31T23:59:59Z,3\n,4\n");
  const Table again = parse_csv(to_csv(table), "t");
  EXPECT_TRUE(again.is_date(0));
  EXPECT_THAT(again.columns[0],
              testing::Pointwise(testing::NanSensitiveDoubleEq(), table.columns[0]));
  table.dates = {true};
  EXPECT_THAT(refusal([&] { table.check(); }), HasSubstr("it needs a flag for each"));
}

RC_GTEST_PROP(ColumnDecisionProperty, TheOrderOfTheRowsDoesNotMatter, ()) {
  const auto kinds = *rc::gen::container<Cells>(rc::gen::elementOf(
      Cells{"1", "2.5", "1,5", "1,234", "1.234,5", "$5", "$1,000", "5 %", "7 kg", "x", "TBD", "",
            "01/02/2020", "13/02/2020", "02/13/2020", "2020-01-31", "14:35", "1 000", "0"}));
  RC_PRE(!kinds.empty());
  Cells cells = joined(kinds, kinds);
  // One kind in most cells makes decisions of every sort.
  cells = joined(cells, Cells(*rc::gen::inRange<std::size_t>(0, 200), kinds.front()));
  for (int k = *rc::gen::inRange(0, 40); k > 0; --k) cells.push_back(std::to_string(k));
  const Table table = read(cells);
  std::vector<std::size_t> order(cells.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::shuffle(order.begin(), order.end(),
               std::mt19937_64(*rc::gen::arbitrary<std::uint64_t>()));
  Cells mixed;
  for (const std::size_t k : order) mixed.push_back(cells[k]);
  const Table again = read(mixed);
  RC_ASSERT(again.labels == table.labels);
  RC_ASSERT(again.dates == table.dates);
  RC_ASSERT(again.cells == table.cells);
  RC_ASSERT(again.remarks == table.remarks);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double a = again.columns[0][k], b = table.columns[0][order[k]];
    RC_ASSERT(a == b || (a != a && b != b));
  }
}

}  // namespace
}  // namespace knotwork::whole_columns
