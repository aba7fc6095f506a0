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
  EXPECT_THAT(refusal({"train", "-", "--numeric", "z"}, table), HasSubstr("'unknown'"));
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
  EXPECT_THAT(trained(table_with("none"), {"--no-missing-words"})["remarks"][0],
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
  EXPECT_THAT(refusal({"predict", "model.safetensors", "-"}, table_with("", true)),
              HasSubstr("use --decimal comma"));
  const Json found = trained(table_with("", true));
  EXPECT_EQ(found["parameters_sha256"], points["parameters_sha256"]);
  ASSERT_FALSE(found["remarks"].empty());
  EXPECT_THAT(found["remarks"][0], HasSubstr("'6,5' is read as 6.5"));
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
  std::string table = "x:z:y\n";
  for (int r = 0; r < 30; ++r) table += "1:2:3\n";
  EXPECT_THAT(refusal({"train", "-"}, table),
              AllOf(HasSubstr("1 column;"), HasSubstr("--delimiter :")));
  trained(table_with(""));
  EXPECT_THAT(refusal({"predict", "model.safetensors", "-"}, table), HasSubstr("--delimiter :"));
}

TEST_F(CellFormats, TextsThatCannotBePredictedAreExplained) {
  std::string words = "x,y\n";
  for (int r = 0; r < 30; ++r) {
    words += fmt::format("{},{}\n", r % 7, r % 2 ? "yes" : "no");
  }
  EXPECT_THAT(refusal({"train", "-", "--task", "regression"}, words), HasSubstr("'y'"));
}

// Days in 2020, prices, times of the day and a note; the target follows the price.
std::string shop_table(bool with_misfits = false) {
  std::string text = "day,price,at,y\n";
  for (int r = 0; r < 60; ++r) {
    const bool misfit = with_misfits && r == 5;
    text += fmt::format("{},\"${},{:03}.50\",{}:30,{}\n",
                        misfit ? "soon" : fmt::format("{}/{}/2020", r % 28 + 1, r % 12 + 1),
                        r % 7 + 1, r * 37 % 1000, r % 24, r % 7 + 0.25);
  }
  return text;
}

TEST_F(CellFormats, DatesAndNumbersWithSignsAreReadAndSaid) {
  const Json json = trained(shop_table());
  const Json& remarks = json["remarks"];
  ASSERT_GE(remarks.size(), 3u);
  EXPECT_EQ(remarks[0],
            "Column 'day' has dates: '24/12/2020' is read as 2020-12-24; to read it as text, use "
            "--no-date day.");
  EXPECT_THAT(remarks[1], HasSubstr("'$7,999.50' is read as 7999.5; to read it as text, use "
                                    "--categorical price"));
  EXPECT_THAT(remarks[2], HasSubstr("Column 'at' has times of the day"));
  const Json cells = record_of(folder_.read("model.safetensors"))["cells"]["columns"];
  EXPECT_EQ(cells[0], Json({{"column", "day"}, {"date", "dmy"}}));
  EXPECT_EQ(cells[1], Json({{"column", "price"}, {"prefix", "$"}, {"group", ","}}));
}

TEST_F(CellFormats, TablesToPredictAreReadAsInTraining) {
  trained(shop_table());
  // This table alone would not show that the day comes first.
  const std::string some = "day,price,at\n1/2/2020,\"$5,001.50\",1:30\n";
  const std::string plain = "day,price,at\n2020-02-01,5001.5,1:30\n";
  EXPECT_EQ(predicted(some), predicted(plain));
  EXPECT_NE(predicted(some), predicted(some, {"--date", "day=mdy"}));
  const Outcome outcome =
      knotwork({"predict", "model.safetensors", "-"}, "day,price,at\n1/2/2020,free,1:30\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err,
              HasSubstr("In column 'price' 1 of 1 cells, such as 'free', do not have the form of "
                        "the column and count as missing."));
  folder_.write("test.csv", "day,price,at,y\n1/2/2020,\"$5,001.50\",1:30,2\n2/2/2020,$1,2:30,7\n");
  const Json scored = trained(shop_table(), {"--test-data", "test.csv"});
  EXPECT_EQ(scored["test"]["rows"], 2);
  EXPECT_EQ(document({"evaluate", "model.safetensors", "-"}, shop_table(true))["test"]["rows"], 60);
}

TEST_F(CellFormats, DatesCanBeDeclaredOrNot) {
  const auto inputs = [&](Words options) {
    trained(shop_table(true), options);
    return record_of(folder_.read("model.safetensors"))["cells"]["columns"];
  };
  EXPECT_EQ(inputs({"--no-date", "day,at", "--drop", "price"}), Json());
  EXPECT_EQ(inputs({"--date", "day=dmy,at=time", "--drop", "price"}),
            Json({{{"column", "day"}, {"date", "dmy"}}, {{"column", "at"}, {"date", "time"}}}));
  const auto refused = [&](Words options) {
    options.insert(options.begin(), {"train", "-"});
    return refusal(options, shop_table());
  };
  EXPECT_THAT(refused({"--date", "day=dym"}), AllOf(HasSubstr("'dym'"), HasSubstr("did you mean 'dmy'?")));
  EXPECT_THAT(refused({"--date", "dya"}), HasSubstr("did you mean 'day'?"));
  EXPECT_THAT(refused({"--no-date", "dya"}), HasSubstr("did you mean 'day'?"));
  EXPECT_THAT(refused({"--date", "day", "--no-date", "day"}), HasSubstr("both dates and no dates"));
  EXPECT_THAT(refused({"--date", "price"}), HasSubstr("none of its cells is one"));
  EXPECT_THAT(refused({"--date", "y"}), HasSubstr("use --date 'y=unix' or --date 'y=unix-ms'"));
  EXPECT_THAT(refusal({"train", "builtin:sinc", "--date", "x"}), HasSubstr("would have no effect"));
}

TEST_F(CellFormats, ConvertSaysWhatItRead) {
  folder_.write("t.csv", shop_table(true));
  const Outcome outcome = knotwork({"convert", "t.csv", "t.safetensors"});
  EXPECT_THAT(outcome.err, HasSubstr("is read as 7999.5"));
  EXPECT_EQ(knotwork({"convert", "t.csv", "t.safetensors", "--quiet"}).err, "");
  ASSERT_EQ(knotwork({"convert", "t.safetensors", "back.csv"}).code, 0);
  EXPECT_THAT(lines_of(folder_.read("back.csv"))[1],
              HasSubstr("2020-01-01,1000.5,1970-01-01T00:30:00Z,0.25"));
  EXPECT_EQ(document({"train", "t.safetensors", "--iterations", "3"})["parameters_sha256"],
            document({"train", "t.csv", "--iterations", "3"})["parameters_sha256"]);
  EXPECT_THAT(refusal({"convert", "t.safetensors", "u.csv", "--date", "day"}),
              HasSubstr("--date would have no effect"));
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
