// SPDX-License-Identifier: MIT
// Tests realistic tables: text, missing cells, gzip, byte-order marks and delimiters, and the roles
// of their columns and rows.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// size, colour with three texts, and y, which depends on both; cell (3, size) is missing.
std::string mixed_table(int rows = 60) {
  std::ostringstream text;
  text << "size,colour,y\n";
  for (int r = 0; r < rows; ++r) {
    const int size = r * 7 % 11, colour = r % 3;
    const char* names[] = {"blue", "green", "red"};
    text << (r == 3 ? "" : std::to_string(size)) << ',' << names[colour] << ',' << size + 5 * colour
         << '\n';
  }
  return text.str();
}

class Tables : public CliTest {
 protected:
  Json trained(const std::string& table, Words options = {}) const {
    options.insert(options.begin(), {"train", "-", "--iterations", "5"});
    return document(options, table);
  }
  Json record() const { return record_of(folder_.read("model.safetensors")); }
};

TEST_F(Tables, TextAndMissingCellsAreEncodedAndLearned) {
  folder_.write("t.csv", mixed_table());
  const Json json = document({"train", "t.csv", "--iterations", "100"});
  EXPECT_EQ(json["data"]["text_columns"], 1);
  EXPECT_EQ(json["data"]["missing_cells"], 1);
  EXPECT_EQ(json["network"]["sizes"][0], record()["inputs"].size());
  EXPECT_LT(json["train"]["nrmse"].get<double>(), 0.2);
  const Outcome text = knotwork({"train", "t.csv", "--iterations", "2"});
  EXPECT_THAT(text.out,
              AllOf(HasSubstr("60 rows x 3 columns, the first line is the header (42 to train "
                              "on, 18 to test), 1 column of text, 1 cell missing")));
}

// The rows of mixed_table(), a JSON object each.
std::string mixed_json_lines() {
  std::istringstream csv(mixed_table());
  std::string text, line;
  std::getline(csv, line);
  while (std::getline(csv, line)) {
    const std::size_t first = line.find(','), last = line.rfind(',');
    text += fmt::format("{{\"size\": {}, \"colour\": \"{}\", \"y\": {}}}\n",
                        first == 0 ? "null" : line.substr(0, first),
                        line.substr(first + 1, last - first - 1), line.substr(last + 1));
  }
  return text;
}

TEST_F(Tables, JsonLinesAreReadByEveryCommand) {
  folder_.write("t.csv", mixed_table());
  folder_.write("t.jsonl", mixed_json_lines());
  const Words few = {"--iterations", "5", "--json", "--quiet"};
  const auto with = [&](Words words) {
    words.insert(words.end(), few.begin(), few.end());
    return words;
  };
  const Json of_csv = Json::parse(knotwork(with({"train", "t.csv", "--out", "c.st"})).out);
  const Json of_json = Json::parse(knotwork(with({"train", "t.jsonl", "--out", "j.st"})).out);
  EXPECT_EQ(of_json["parameters_sha256"], of_csv["parameters_sha256"]);
  EXPECT_EQ(of_csv["data"]["header"], true);
  EXPECT_FALSE(of_json["data"].contains("header"));
  EXPECT_EQ(knotwork({"predict", "j.st", "-"}, mixed_json_lines()).out,
            knotwork({"predict", "c.st", "t.csv"}).out);
  EXPECT_EQ(knotwork({"evaluate", "j.st", "t.jsonl"}).out,
            knotwork({"evaluate", "c.st", "t.csv"}).out);
  EXPECT_EQ(knotwork({"convert", "t.jsonl", "j.csv"}).code, 0);
  EXPECT_EQ(knotwork({"convert", "-", "again.csv", "--drop", "colour"}, mixed_json_lines()).code,
            0);
  EXPECT_EQ(folder_.read("j.csv"), mixed_table());
  EXPECT_EQ(lines_of(folder_.read("again.csv")).front(), "size,y");
  EXPECT_THAT(refusal({"train", "t.jsonl", "--delimiter", "tab"}),
              HasSubstr("would have no effect"));
}

TEST_F(Tables, CommentsAndRunsOfSpacesAreRead) {
  std::string text = mixed_table();
  std::replace(text.begin(), text.end(), ',', ' ');
  text.replace(text.find("\n "), 2, "\n? ");  // the missing cell
  folder_.write("t.txt", "% made by hand, \"here\n" + text + "\n");
  const Words words = {"--comment", "%", "--delimiter", "spaces"};
  EXPECT_EQ(trained(folder_.read("t.txt"), words)["data"]["missing_cells"], 1);
  const Outcome converted = knotwork({"convert", "t.txt", "t.csv", "--comment", "%", "--quiet"});
  EXPECT_EQ(converted.err, "");
  EXPECT_EQ(folder_.read("t.csv"), mixed_table());
  EXPECT_THAT(refusal({"convert", "t.txt", "t.csv", "--comment", " "}),
              HasSubstr("A line cannot begin with"));
}

TEST_F(Tables, WhatTheReaderDecidedIsSaid) {
  folder_.write("t.csv", "name,city\nann,Oslo\n\nbob,Rome\n");
  const Outcome converted = knotwork({"convert", "t.csv", "c.csv"});
  EXPECT_THAT(converted.err,
              AllOf(HasSubstr("knotwork: Line 1 is read as the names of the columns, although the "
                              "lines below it are words too; if it is a row, use --no-header.\n"),
                    HasSubstr("knotwork: Line 3 is blank; blank lines are skipped.\n")));
  EXPECT_EQ(document({"convert", "t.csv", "c.csv"})["remarks"].size(), 2u);
}

// A small file could otherwise unpack to any size, whatever the limits are.
TEST_F(Tables, PackedTwiceAreRefusedByEveryCommand) {
  folder_.write("t.csv", small_table());
  ASSERT_EQ(knotwork({"train", "t.csv", "--iterations", "2", "--out", "m.st"}).code, 0);
  Launch gzip = launch({"-k", "t.csv"});
  gzip.program = "/bin/gzip";
  ASSERT_EQ(run(gzip).code, 0);
  folder_.write("twice.csv", folder_.read("t.csv.gz"));
  gzip.arguments = {"-k", "twice.csv"};
  ASSERT_EQ(run(gzip).code, 0);
  for (const Words& words :
       std::vector<Words>{{"train", "DATA", "--out", "n.st"},
                          {"predict", "m.st", "DATA"},
                          {"evaluate", "m.st", "DATA"},
                          {"report", "m.st", "--data", "DATA", "--out", "r.html"},
                          {"inspect", "m.st", "--data", "DATA"},
                          {"tune", "DATA", "--study", "s.db"},
                          {"compare", "DATA", "--activations", "spline,tanh"},
                          {"convert", "DATA", "t.safetensors"}}) {
    for (const char* data : {"twice.csv.gz", "-"}) {
      Words own = words;
      std::replace(own.begin(), own.end(), std::string("DATA"), std::string(data));
      EXPECT_THAT(refusal(own, folder_.read("twice.csv.gz")),
                  HasSubstr("is packed more than once"))
          << words.front() << " " << data;
    }
  }
}

TEST_F(Tables, GzipAByteOrderMarkAndStandardInputMakeNoDifference) {
  folder_.write("t.csv", mixed_table());
  folder_.write("bom.csv", "\xEF\xBB\xBF" + mixed_table());
  Launch gzip = launch({"-k", "t.csv"});
  gzip.program = "/bin/gzip";
  ASSERT_EQ(run(gzip).code, 0);
  const Json plain = document({"train", "t.csv", "--iterations", "5"});
  EXPECT_EQ(plain["parameters_sha256"], trained(mixed_table())["parameters_sha256"]);
  EXPECT_EQ(plain["parameters_sha256"], trained(folder_.read("t.csv.gz"))["parameters_sha256"]);
  for (const char* file : {"t.csv.gz", "bom.csv"}) {
    EXPECT_EQ(document({"train", file, "--iterations", "5"})["parameters_sha256"],
              plain["parameters_sha256"])
        << file;
    EXPECT_EQ(document({"evaluate", "model.safetensors", file})["data"]["rows"], 60);
  }
}

TEST_F(Tables, DropLeavesColumnsOutByNameOrInLists) {
  std::string table = "a,b,\"c,d\",y\n";
  for (int r = 0; r < 30; ++r) {
    table += fmt::format("{},{},{},{}\n", r % 7, r % 5, r % 3, r % 7);
  }
  const auto inputs = [&](const Words& options) {
    trained(table, options);
    std::vector<std::string> names;
    const Json json = record();
    for (const Json& input : json["inputs"]) names.push_back(input["column"]);
    return names;
  };
  EXPECT_THAT(inputs({}), ElementsAre("a", "b", "c,d"));
  EXPECT_THAT(inputs({"--drop", "b"}), ElementsAre("a", "c,d"));
  EXPECT_THAT(inputs({"--drop", "a,b"}), ElementsAre("c,d"));
  EXPECT_THAT(inputs({"--drop", "c,d"}), ElementsAre("a", "b"));
  EXPECT_THAT(inputs({"--drop", "c,d", "--drop", "a"}), ElementsAre("b"));
  EXPECT_THAT(refusal({"train", "-", "--drop", "a,bb"}, table), HasSubstr("did you mean 'b'?"));
}

TEST_F(Tables, WhatIsDroppedMayHoldAnything) {
  std::string table = "x,note,y\n";
  for (int r = 0; r < 40; ++r) {
    table += fmt::format("{},{},{}\n", r % 7, r == 20 ? "inf" : "1", r % 7);
  }
  EXPECT_THAT(refusal({"train", "-"}, table), HasSubstr("'inf'"));
  EXPECT_EQ(trained(table, {"--drop", "note"})["network"]["sizes"][0], 1);
}

TEST_F(Tables, ColumnsCanBeDeclaredTextOrNumbers) {
  std::string table = "code,y\n";
  for (int r = 0; r < 30; ++r) table += fmt::format("{},{}\n", r % 3, (r % 3) * (r % 3));
  EXPECT_EQ(trained(table)["network"]["sizes"][0], 1);
  EXPECT_EQ(trained(table, {"--categorical", "code"})["network"]["sizes"][0], 3);
  EXPECT_EQ(record()["inputs"][2]["category"], "2");
  EXPECT_THAT(refusal({"train", "-", "--categorical", "y"}, table),
              HasSubstr("--categorical is for inputs, but 'y' is the target"));
  EXPECT_THAT(refusal({"train", "-", "--numeric", "colour"}, mixed_table()),
              AllOf(HasSubstr("line 2, column 2 ('colour')"), HasSubstr("'blue'")));
}

TEST_F(Tables, NumbersThatAreAskedForAsTextsAreNoMistake) {
  std::string table = "code,x,y\n";
  for (int r = 0; r < 60; ++r) table += fmt::format("0.03{},{},{}\n", r % 3, r % 7, r % 7);
  EXPECT_TRUE(trained(table, {"--categorical", "code", "--task", "regression"})["remarks"].empty());
}

TEST_F(Tables, FurtherTextsCanMeanAMissingCell) {
  std::string table = mixed_table();
  table.replace(table.find("7,green"), 1, "unknown");
  EXPECT_EQ(trained(table)["data"]["missing_cells"], 1);
  EXPECT_THAT(trained(table)["remarks"][0], HasSubstr("because 'unknown' is not a number"));
  EXPECT_EQ(trained(table, {"--missing", "unknown"})["data"]["missing_cells"], 2);
}

TEST_F(Tables, DelimitersAndHeadersCanBeSaid) {
  std::string spaces, bars;
  for (int r = 0; r < 30; ++r) {
    spaces += fmt::format("{} {}\n", r % 7, r % 7 + 1);
    bars += fmt::format("{}|{}\n", r % 7, r % 7 + 1);
  }
  EXPECT_EQ(trained(spaces, {"--delimiter", "space"})["targets"], Json({"c2"}));
  EXPECT_EQ(trained(bars, {"--delimiter", "|", "--no-header"})["data"]["rows"], 30);
  EXPECT_EQ(trained(bars, {"--delimiter", "|", "--header"})["data"]["rows"], 29);
  EXPECT_THAT(refusal({"train", "-", "--delimiter", "tabb"}, bars),
              HasSubstr("did you mean 'tab'?"));
  EXPECT_THAT(refusal({"train", "-", "--delimiter", "x"}, bars), HasSubstr("'x'"));
  EXPECT_THAT(refusal({"train", "-", "--header", "--no-header"}, bars),
              HasSubstr("exclude each other"));
}

TEST_F(Tables, OptionsOfFilesAreRefusedForBuiltInSets) {
  for (const Words& options :
       {Words{"--delimiter", "tab"}, Words{"--header"}, Words{"--missing", "x"},
        Words{"--categorical", "x"}, Words{"--numeric", "x"}}) {
    Words words = {"train", "builtin:sinc"};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_THAT(refusal(words), AllOf(HasSubstr(options[0] + " would have no effect")));
  }
}

TEST_F(Tables, ATestPartCanBeASecondTableOrTheLastRows) {
  folder_.write("t.csv", mixed_table(60));
  folder_.write("other.csv", "extra,y,colour,size\nwhat,3,red,2\never,9,blue,5\n");
  const Json second = document({"train", "t.csv", "--iterations", "9", "--test-data", "other.csv"});
  EXPECT_EQ(second["train"]["rows"], 60);
  EXPECT_EQ(second["test"]["rows"], 2);
  EXPECT_EQ(document({"evaluate", "model.safetensors", "other.csv"})["test"], second["test"]);

  const Words lines = lines_of(mixed_table(60));
  std::string tail = lines[0] + "\n";
  for (std::size_t k = 55; k <= 60; ++k) tail += lines[k] + "\n";
  folder_.write("tail.csv", tail);
  const Json last =
      document({"train", "t.csv", "--iterations", "9", "--test-last", "--test-fraction", "0.1"});
  EXPECT_EQ(last["test"]["rows"], 6);
  EXPECT_EQ(document({"evaluate", "model.safetensors", "tail.csv"})["test"], last["test"]);
}

TEST_F(Tables, GroupsAreNotDividedAndClassesAreShared) {
  std::string table = "x,group,y\n";
  for (int r = 0; r < 60; ++r) table += fmt::format("{},g{},{}\n", r % 9, r / 20, r % 9);
  const Json grouped = trained(table, {"--group-column", "group"});
  EXPECT_EQ(grouped["test"]["rows"], 20);
  EXPECT_EQ(grouped["network"]["sizes"][0], 1);
  const Json classes = trained(table, {"--stratify", "group", "--test-fraction", "0.5"});
  EXPECT_EQ(classes["test"]["rows"], 30);
}

TEST_F(Tables, WaysToChooseTheTestPartExcludeEachOther) {
  folder_.write("t.csv", mixed_table());
  folder_.write("rows.txt", "1\n2\n");
  const auto refused = [&](Words options) {
    options.insert(options.begin(), {"train", "t.csv"});
    return refusal(options);
  };
  EXPECT_THAT(refused({"--test-rows", "rows.txt", "--test-data", "t.csv"}),
              HasSubstr("--test-rows and --test-data exclude each other"));
  EXPECT_THAT(refused({"--test-rows", "rows.txt", "--test-fraction", "0.2"}),
              HasSubstr("--test-rows and --test-fraction exclude"));
  EXPECT_THAT(refused({"--test-last", "--stratify", "colour"}),
              HasSubstr("--test-last and --stratify exclude"));
  EXPECT_THAT(refused({"--group-column", "colour", "--stratify", "size"}),
              HasSubstr("--group-column and --stratify exclude"));
  EXPECT_THAT(refused({"--test-last", "--test-fraction", "0"}),
              HasSubstr("--test-last would have no effect"));
  EXPECT_THAT(refused({"--test-data", "builtin:sinc"}), HasSubstr("name a file"));
  EXPECT_THAT(refusal({"train", "-", "--test-data", "-"}, mixed_table()),
              HasSubstr("Standard input can provide only one table"));
  EXPECT_THAT(folder_.names(), ElementsAre("rows.txt", "t.csv"));
}

}  // namespace
}  // namespace knotwork::testing
