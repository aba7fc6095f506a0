// SPDX-License-Identifier: MIT
#include "table/text/json_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <knotwork/error.hpp>
#include <knotwork/table.hpp>

namespace knotwork {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Names = std::vector<std::string>;

std::string json_refusal(const std::string& text, const std::string& name = "t.jsonl",
                         const CsvOptions& options = {}) {
  try {
    parse_csv(text, name, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "it was read";
}

TEST(JsonLines, AreATable) {
  const Table table = parse_csv(
      "{\"age\": 31, \"city\": \"Oslo\", \"x\": -1.5e2}\r\n"
      "{\"city\": \"Ro\\u006de\", \"age\": null, \"paid\": true}\n"
      "\n"
      "{\"age\": \"7\", \"paid\": false, \"city\": \"a \\\"b\\\", c\"}",
      "t");
  EXPECT_EQ(table.names, (Names{"age", "city", "x", "paid"}));
  ASSERT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.columns[0][0], 31);
  EXPECT_TRUE(std::isnan(table.columns[0][1]));
  EXPECT_EQ(table.columns[0][2], 7);  // a number in quotes is a number, as in CSV
  EXPECT_EQ(table.labels[1], (Names{"Oslo", "Rome", "a \"b\", c"}));
  EXPECT_EQ(table.columns[2][0], -150);
  EXPECT_TRUE(std::isnan(table.columns[2][1]));
  EXPECT_TRUE(std::isnan(table.columns[3][0]));
  EXPECT_EQ(table.columns[3][1], 1);
  EXPECT_EQ(table.columns[3][2], 0);
  EXPECT_EQ(table.has_header, std::nullopt);
  EXPECT_THAT(table.remarks, ElementsAre("In 'paid' true and false are read as 1 and 0."));
  EXPECT_EQ(table.where(2, 0), "t, line 4, column 1 ('age')");
  EXPECT_EQ(parse_csv_names("{\"a\":1}\n{\"b\":1}", "t"), (Names{"a", "b"}));
}

TEST(JsonLines, LineEndsInTextsAreNoLines) {
  const Table table =
      parse_csv("{\"a\":\"x\\ny\\r\\nz\",\"b\":1}\n{\"a\":\"# no comment\",\"b\":2}\n", "t");
  EXPECT_EQ(table.labels[0], (Names{"# no comment", "x\ny\r\nz"}));
  EXPECT_EQ(table.where(1, 1), "t, line 2, column 2 ('b')");
}

TEST(JsonLines, OneColumnKeepsItsMissingCells) {
  const Table table = parse_csv("{\"a\":1}\n\n{\"a\":null}\n{}\n{\"a\":2}\n{\"a\":null}\n", "t");
  EXPECT_EQ(table.rows(), 5u);
  EXPECT_THAT(table.remarks, IsEmpty());
}

TEST(JsonLines, DecimalCommasAreForTextsOnly) {
  const CsvOptions comma{.cells = {.decimal_comma = true}};
  const Table table = parse_csv("{\"a\":1.5,\"b\":\"2,5\"}\n{\"a\":2,\"b\":\"3\"}\n", "t", comma);
  EXPECT_EQ(table.columns, (std::vector<std::vector<double>>{{1.5, 2}, {2.5, 3}}));
}

TEST(JsonLines, NaNOfPythonIsMissing) {
  const Table table =
      parse_csv("{\"a\": NaN, \"b\": \"NaN, or \\\"NaN\"}\n{\"a\": 1}\n", "t.jsonl");
  EXPECT_TRUE(std::isnan(table.columns[0][0]));
  EXPECT_EQ(table.labels[1], (Names{"NaN, or \"NaN"}));
}

TEST(JsonLines, WhatIsNotFlatIsRefusedWithKeyAndLine) {
  const std::string first = "{\"a\": 1}\n";
  EXPECT_THAT(json_refusal(first + "{\"a\": {\"b\": 1}}\n"),
              AllOf(StartsWith("t.jsonl, line 2: the value of 'a' is not a number or a text"),
                    HasSubstr("json_normalize")));
  EXPECT_THAT(json_refusal(first + "{\"b\": [1]}\n"), HasSubstr("line 2: the value of 'b'"));
  EXPECT_THAT(json_refusal("{\"a\": [1]}\n", "t"), HasSubstr("line 1: the value of 'a'"));
  EXPECT_THAT(json_refusal(first + "[1]\n"), HasSubstr("line 2: the line is not an object"));
  EXPECT_THAT(json_refusal(first + "3\n"), HasSubstr("line 2: the line is not an object"));
  EXPECT_THAT(json_refusal(first + "\n{\"a\": 1\n"), HasSubstr("line 3: the line is not JSON"));
  EXPECT_THAT(json_refusal(first + "{\"a\": \"\xFF\"}\n"), HasSubstr("the line is not JSON"));
  EXPECT_THAT(json_refusal(first + "{\"a\": 1, \"a\": 2}\n"),
              HasSubstr("line 2: the line has the key 'a' twice"));
  EXPECT_THAT(json_refusal("{\"a\": 1}{\"a\": 2}\n", "t.ndjson.gz"), HasSubstr("not JSON"));
  EXPECT_THAT(json_refusal("\n\n"), HasSubstr("is empty"));
  EXPECT_THAT(json_refusal("{}\n"), HasSubstr("without keys"));
  EXPECT_THAT(json_refusal("{\"a\": " + std::string(100'000, '[') + "\n"), HasSubstr("line 1: "));
  EXPECT_THAT(json_refusal("{\"a\": 1e999}\n"), HasSubstr("line 1"));
}

TEST(JsonLines, MistakesInCellsNameTheLine) {
  std::string text;
  for (int k = 0; k < 20; ++k) text += "{\"a\": 1, \"b\": 2}\n";
  EXPECT_THAT(json_refusal("{\"a\": 1, \"b\": 2}\n{\"a\": 1, \"b\": \"1e999\"}\n" + text),
              HasSubstr("t.jsonl, line 2, column 2 ('b'): 1e999 is too large"));
}

TEST(JsonLines, OptionsForLinesAndCellsAreRefused) {
  const std::string text = "{\"a\": 1}\n";
  EXPECT_THAT(json_refusal(text, "t", {.delimiter = ','}),
              HasSubstr("A delimiter would have no effect"));
  EXPECT_THAT(json_refusal(text, "t", {.header = false}),
              HasSubstr("A header would have no effect"));
  EXPECT_THAT(json_refusal(text, "t", {.comment = "#"}), HasSubstr("A comment sign would have no"));
}

TEST(JsonLines, AFewLinesCannotStandForAVastTable) {
  std::string text;
  for (int k = 0; k < 5000; ++k) text += "{\"k" + std::to_string(k) + "\":1}\n";
  EXPECT_THAT(json_refusal(text), HasSubstr("has 5000 different keys, but only 5000 values in 5000 "
                                            "lines"));
}

TEST(JsonLines, ALineHasALimit) {
  EXPECT_THAT(
      json_refusal("{\"a\":1}\n{\"a\": \"" + std::string(csv::kMaxJsonLineBytes + 100'000, 'x')),
      HasSubstr("line 2: the line has more than 16777216 bytes"));
}

TEST(JsonLines, ColumnsCanBeChosen) {
  const Table table = parse_csv("{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":4}\n", "t",
                                {.categorical = {"b"}, .only = Names{"b"}});
  EXPECT_EQ(table.names, (Names{"b"}));
  EXPECT_EQ(table.labels[0], (Names{"2", "4"}));
}

}  // namespace
}  // namespace knotwork
