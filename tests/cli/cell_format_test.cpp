// SPDX-License-Identifier: MIT
// Tests how cells are written, which a model stores, and which columns are read.
#include <fmt/format.h>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

// x, z with a cell that says `gap`, and y = x - z; with decimal commas on request.
std::string table_with(const std::string& gap, bool commas = false) {
  std::string text = "x;z;y\n";
  for (int r = 0; r < 40; ++r) {
    const double x = r % 7 + 0.5, z = r % 5 + 0.25;
    text += fmt::format("{};{};{}\n", x, r == 3 ? gap : fmt::format("{}", z), x - z);
  }
  if (commas) std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

class CellFormats : public CliTest {
 protected:
  Json trained(const std::string& table, Words options = {}) const {
    options.insert(options.begin(), {"train", "-", "--iterations", "5"});
    return document(options, table);
  }
  std::string predicted(const std::string& table, Words options = {}) const {
    options.insert(options.begin(), {"predict", "model.safetensors", "-", "--quiet"});
    const Outcome outcome = knotwork(options, table);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
};

TEST_F(CellFormats, AModelRemembersWhatMeansAMissingCell) {
  const std::string table = table_with("unknown");
  EXPECT_THAT(refusal({"train", "-"}, table), HasSubstr("'unknown'"));
  trained(table, {"--missing", "unknown"});
  EXPECT_EQ(record_of(folder_.read("model.safetensors"))["cells"]["missing"], Json({"unknown"}));
  EXPECT_EQ(predicted(table), predicted(table_with("NA")));
  EXPECT_EQ(document({"evaluate", "model.safetensors", "-"}, table)["test"]["rows"], 40);
  EXPECT_EQ(predicted(table_with("-9"), {"--missing", "-9"}), predicted(table));
  const Json more = document(
      {"train", "-", "--start-from", "model.safetensors", "--iterations", "2", "--out", "more.st"},
      table);
  EXPECT_EQ(more["data"]["missing_cells"], 1);
  EXPECT_EQ(record_of(folder_.read("more.st"))["cells"]["missing"], Json({"unknown"}));
}

TEST_F(CellFormats, TheTestTableIsReadAlike) {
  folder_.write("test.csv", table_with("unknown"));
  EXPECT_EQ(trained(table_with("unknown"),
                    {"--missing", "unknown", "--test-data", "test.csv"})["test"]["rows"],
            40);
}

TEST_F(CellFormats, SeveralMissingTextsMayStandBetweenCommas) {
  EXPECT_EQ(trained(table_with("b"), {"--missing", "a,b"})["data"]["missing_cells"], 1);
  EXPECT_EQ(trained(table_with("\"a,b\""), {"--missing", "a,b"})["data"]["missing_cells"], 1);
}

TEST_F(CellFormats, MissingWordsCanBeTurnedIntoTexts) {
  EXPECT_EQ(trained(table_with("none"))["data"]["missing_cells"], 1);
  EXPECT_THAT(refusal({"train", "-", "--no-missing-words"}, table_with("none")),
              HasSubstr("'none' is not a number"));
  std::string texts = "fault,x,y\n";
  for (int r = 0; r < 40; ++r) {
    texts += fmt::format("{},{},{}\n", r % 2 ? "none" : "some", r % 7, r % 7 + r % 2);
  }
  trained(texts, {"--no-missing-words"});
  EXPECT_THAT(record_of(folder_.read("model.safetensors"))["inputs"], SizeIs(3));
  EXPECT_EQ(knotwork({"predict", "model.safetensors", "-"}, texts).err, "") << "nothing is missing";
}

TEST_F(CellFormats, DecimalCommasAreAskedForAndRemembered) {
  const Json points = trained(table_with(""));
  const std::string predictions = predicted(table_with(""));
  EXPECT_THAT(refusal({"train", "-"}, table_with("", true)), HasSubstr("use --decimal comma"));
  const Json commas = trained(table_with("", true), {"--decimal", "comma"});
  EXPECT_EQ(commas["parameters_sha256"], points["parameters_sha256"]);
  EXPECT_EQ(predicted(table_with("", true)), predictions);
  EXPECT_EQ(predicted(table_with(""), {"--decimal", "point"}), predictions);
  EXPECT_THAT(
      refusal({"predict", "model.safetensors", "-"}, table_with("")),
      AllOf(HasSubstr("as the options or the model require"), HasSubstr("or use --decimal point")));
  EXPECT_THAT(refusal({"train", "-", "--decimal", "coma"}, ""), HasSubstr("did you mean 'comma'?"));
  EXPECT_THAT(refusal({"train", "builtin:sinc", "--decimal", "comma"}),
              HasSubstr("would have no effect"));
}

TEST_F(CellFormats, KeptCellsAreTheTextsOfTheFile) {
  trained(table_with(""));
  const Words lines = lines_of(
      predicted("x;z;a,b;c\n1.50;2;NA;0010\n2;3; none ;1e3\n", {"--keep", "a,b", "--keep", "c,x"}));
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_THAT(lines[0], HasSubstr("\"a,b\",c,x,prediction"));
  EXPECT_THAT(lines[1], HasSubstr("NA,0010,1.50,"));
  EXPECT_THAT(lines[2], HasSubstr("none,1e3,2,"));
}

TEST_F(CellFormats, ListsOfColumnsMayStandBetweenCommas) {
  std::string table = "\"a,b\",a,b,y\n";
  for (int r = 0; r < 30; ++r) table += fmt::format("{},{},{},{}\n", r % 7, r % 5, r % 3, r % 4);
  EXPECT_EQ(trained(table, {"--target", "b,y"})["targets"], Json({"b", "y"}));
  EXPECT_EQ(trained(table, {"--target", "a,b"})["targets"], Json({"a,b"}));
  EXPECT_EQ(trained(table, {"--categorical", "b,a"})["data"]["text_columns"], 2);
  EXPECT_EQ(trained(table, {"--categorical", "a,b"})["data"]["text_columns"], 1);
  EXPECT_EQ(trained(table, {"--numeric", "b,a"})["data"]["text_columns"], 0);
}

TEST_F(CellFormats, WhatIsNotNeededIsNotLookedAt) {
  std::string table = "x,broken,broken,y\n";
  for (int r = 0; r < 30; ++r) {
    table += fmt::format("{},\xE9,{},{}\n", r % 7, r == 5 ? "12 %" : "1", r % 7);
  }
  EXPECT_THAT(refusal({"train", "-"}, table), HasSubstr("broken"));
  const Json json = trained(table, {"--drop", "broken"});
  EXPECT_EQ(json["data"]["columns"], 2);
  EXPECT_EQ(document({"train", "-", "--start-from", "model.safetensors", "--iterations", "1"},
                     table)["data"]["columns"],
            2);
}

TEST_F(CellFormats, DroppedColumnsHaveNoOtherUse) {
  const auto refused = [&](Words options) {
    options.insert(options.begin(), {"train", "-"});
    return refusal(options, table_with(""));
  };
  EXPECT_THAT(refused({"--drop", "y"}),
              HasSubstr("'y', the last column, which is the default target"));
  EXPECT_THAT(refused({"--drop", "x", "--target", "x"}), HasSubstr("--target and --drop"));
  EXPECT_THAT(refused({"--drop", "x", "--stratify", "x"}), HasSubstr("--stratify and --drop"));
  EXPECT_THAT(refused({"--drop", "x,x"}), HasSubstr("--drop names column 'x' twice"));
  EXPECT_THAT(refused({"--drop", "x,z"}), HasSubstr("--drop leaves only column 'y'"));
  EXPECT_THAT(refused({"--drop", "xx"}), HasSubstr("did you mean 'x'?"));
}

TEST_F(CellFormats, ColumnsOfAModelToStartFromAreNamed) {
  folder_.write("t.csv", table_with(""));
  ASSERT_EQ(knotwork({"train", "t.csv", "--iterations", "2"}).code, 0);
  EXPECT_THAT(refusal({"train", "t.csv", "--start-from", "model.safetensors", "--target", "z"}),
              HasSubstr("--target z differs from the target of the start model, y"));
  EXPECT_THAT(refusal({"train", "-", "--start-from", "model.safetensors"}, "x;w;y\n1;2;3\n"),
              HasSubstr("'z'"));
}

TEST_F(CellFormats, ColumnsThatAreNotDividedAreExplained) {
  std::string table = "x z y\n";
  for (int r = 0; r < 30; ++r) table += "1 2 3\n";
  EXPECT_THAT(refusal({"train", "-"}, table), AllOf(HasSubstr("1 column;"), HasSubstr("space")));
  trained(table_with(""));
  EXPECT_THAT(refusal({"predict", "model.safetensors", "-"}, table),
              HasSubstr("--delimiter space"));
}

TEST_F(CellFormats, TextsThatCannotBePredictedAreExplained) {
  std::string words = "x,y\n", money = "x,y\n";
  for (int r = 0; r < 30; ++r) {
    words += fmt::format("{},{}\n", r % 7, r % 2 ? "yes" : "no");
    money += fmt::format("{},${}\n", r % 7, r % 9);
  }
  EXPECT_THAT(refusal({"train", "-", "--task", "regression"}, words), HasSubstr("'y'"));
  EXPECT_THAT(refusal({"train", "-"}, money), HasSubstr("'$0' contains a currency sign"));
}

TEST_F(CellFormats, AWeightBelowZeroIsNamedByItsPlace) {
  std::string table = "x,w,y\n";
  for (int r = 0; r < 30; ++r) table += fmt::format("{},{},{}\n", r % 7, r == 8 ? -1 : 1, r % 4);
  EXPECT_THAT(refusal({"train", "-", "--weight-column", "w"}, table),
              HasSubstr("standard input, line 10, column 2 ('w'): the weight is -1"));
  trained(table, {"--drop", "w"});
  EXPECT_THAT(refusal({"evaluate", "model.safetensors", "-", "--weight-column", "w"}, table),
              HasSubstr("line 10, column 2 ('w'): the weight is -1"));
}

TEST_F(CellFormats, BytesThatAreNeitherModelNorTableAreSaidToBeSo) {
  std::string bytes;
  for (int k = 0; k < 400; ++k) bytes += static_cast<char>(k * 89 % 251);
  folder_.write("bytes", bytes);
  folder_.write("t.csv", table_with(""));
  EXPECT_THAT(refusal({"inspect", "bytes"}), HasSubstr("bytes is not a model file"));
  EXPECT_THAT(refusal({"train", "t.csv", "--start-from", "bytes"}), HasSubstr("not a model file"));
  EXPECT_THAT(refusal({"train", "bytes"}), HasSubstr("looks like a binary file"));
}

}  // namespace
}  // namespace knotwork::testing
