// SPDX-License-Identifier: MIT
// Tests tables as files of numbers: convert, and the commands that read them.
#include <algorithm>
#include <filesystem>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Convert : public CliTest {
 protected:
  Convert() {
    std::string text = "x,colour,z,y\n";
    for (int row = 0; row < 80; ++row) {
      const char* const colours[] = {"red", "green", "blue"};
      text += std::to_string(0.1 * row) + "," + colours[row % 3] + "," +
              (row % 7 == 0 ? "NA" : std::to_string(row % 5)) + "," + std::to_string(row * 0.3) +
              "\n";
    }
    folder_.write("t.csv", text);
  }
  std::string trained(const std::string& table, Words more = {}) const {
    Words words = {"train", table, "--hidden", "3", "--iterations", "5", "--out", "m.safetensors"};
    words.insert(words.end(), more.begin(), more.end());
    return document(words)["parameters_sha256"];
  }
};

TEST_F(Convert, AModelHasTheSameBitsFromEveryKindOfTable) {
  knotwork({"convert", "t.csv", "t.safetensors"});
  EXPECT_EQ(trained("t.safetensors"), trained("t.csv"));

  folder_.write("n.csv", small_table());
  EXPECT_EQ(knotwork({"convert", "n.csv", "n.safetensors"}).code, 0);
  EXPECT_EQ(knotwork({"convert", "n.safetensors", "n.npy"}).code, 0);
  EXPECT_EQ(knotwork({"convert", "n.npy", "m.npy.safetensors"}).code, 0);
  const std::string csv = trained("n.csv");
  EXPECT_EQ(trained("n.safetensors"), csv);
  EXPECT_EQ(trained("n.npy"), csv);
  EXPECT_EQ(trained("m.npy.safetensors"), csv);
}

TEST_F(Convert, EveryCommandReadsTableFiles) {
  ASSERT_EQ(knotwork({"convert", "t.csv", "t.safetensors"}).code, 0);
  trained("t.safetensors", {"--seed", "1"});
  const auto both = [&](Words words) {
    words.push_back("t.csv");
    Json csv = document(words);
    words.back() = "t.safetensors";
    Json table = document(words);
    csv.erase("data");
    table.erase("data");
    EXPECT_EQ(table, csv) << words.front();
  };
  both({"predict", "m.safetensors"});
  both({"evaluate", "m.safetensors"});
  const auto kept = [&](const std::string& table) {
    return knotwork({"predict", "m.safetensors", table, "--keep", "colour"}).out;
  };
  EXPECT_EQ(kept("t.safetensors"), kept("t.csv"));
  EXPECT_EQ(knotwork({"inspect", "m.safetensors", "--data", "t.safetensors"}).code, 0);
  EXPECT_EQ(
      knotwork({"report", "m.safetensors", "--data", "t.safetensors", "--out", "r.html", "--quiet"})
          .code,
      0);
}

// More rows than one window.
TEST_F(Convert, LongTablesArePredictedInWindows) {
  trained("t.csv", {"--drop", "colour"});
  std::string text = "x,z,y,name\n";
  for (int row = 0; row < 800'000; ++row) {
    const std::string number = std::to_string(row % 991);
    text += number + "," + (row % 13 == 0 ? "" : std::to_string(row % 5)) + ",1,n" + number + "\n";
  }
  folder_.write("long.csv", text);
  ASSERT_EQ(knotwork({"convert", "long.csv", "long.safetensors"}).code, 0);
  const auto predicted = [&](const std::string& table, const std::string& out) {
    return knotwork({"predict", "m.safetensors", table, "--keep", "name", "--out", out});
  };
  const Outcome csv = predicted("long.csv", "a.csv"),
                stored = predicted("long.safetensors", "b.csv");
  EXPECT_EQ(stored.code, 0);
  EXPECT_EQ(stored.err, csv.err);  // the remarks
  EXPECT_THAT(stored.out, HasSubstr("800000 predictions in b.csv"));
  EXPECT_EQ(folder_.read("b.csv"), folder_.read("a.csv"));
  EXPECT_EQ(
      knotwork({"predict", "m.safetensors", "long.safetensors", "--keep", "name", "--quiet"}).out,
      folder_.read("a.csv"));
  Json by_csv = document({"evaluate", "m.safetensors", "long.csv"});
  Json by_table = document({"evaluate", "m.safetensors", "long.safetensors"});
  EXPECT_EQ(by_table["test"], by_csv["test"]);
  EXPECT_EQ(by_table["remarks"], by_csv["remarks"]);
}

TEST_F(Convert, GoesThereAndBack) {
  ASSERT_EQ(knotwork({"convert", "t.csv", "t.safetensors"}).code, 0);
  const Outcome back = knotwork({"convert", "t.safetensors", "back.csv"});
  EXPECT_EQ(back.code, 0);
  EXPECT_EQ(back.err, "");
  ASSERT_EQ(knotwork({"convert", "back.csv", "again.safetensors"}).code, 0);
  ASSERT_EQ(knotwork({"convert", "again.safetensors", "again.csv"}).code, 0);
  EXPECT_EQ(folder_.read("again.csv"), folder_.read("back.csv"));
  EXPECT_THAT(folder_.read("back.csv"), HasSubstr("\n0,red,,0\n0.1,green,1,0.3\n"));
}

TEST_F(Convert, SaysWhatWasWritten) {
  const Outcome outcome = knotwork({"convert", "t.csv", "t.safetensors"});
  EXPECT_THAT(outcome.out, StartsWith("t.safetensors: 80 rows of 4 columns, "));
  const Json document = this->document({"convert", "t.csv", "t.safetensors"});
  EXPECT_EQ(document["command"], "convert");
  EXPECT_EQ(document["data"]["rows"], 80);
  EXPECT_EQ(document["data"]["columns"], 4);
  EXPECT_EQ(document["bytes"], folder_.read("t.safetensors").size());
}

TEST_F(Convert, TakesStandardInputAndTheOptionsOfCsv) {
  const std::string text = "id;x;code\n1;1,5;01\n2;-9;1\n3;2,5;01\n";
  ASSERT_EQ(knotwork({"convert", "-", "t.safetensors", "--decimal", "comma", "--missing", "-9",
                      "--drop", "id", "--categorical", "code"},
                     text)
                .code,
            0);
  ASSERT_EQ(knotwork({"convert", "t.safetensors", "back.csv"}).code, 0);
  EXPECT_EQ(folder_.read("back.csv"), "x,code\n1.5,01\n,1\n2.5,01\n");
}

TEST_F(Convert, RefusesWhatCannotBe) {
  EXPECT_THAT(refusal({"convert", "t.csv", "t.parquet"}),
              HasSubstr("does not tell the format of the table; use a name that ends in "
                        ".safetensors, .npy or .csv"));
  EXPECT_THAT(refusal({"convert", "none.csv", "t.safetensors"}), HasSubstr("cannot be opened"));
  EXPECT_THAT(refusal({"convert", "t.csv", "t.npy"}),
              HasSubstr("column 'colour' is text, but a .npy file has only numbers"));
  EXPECT_THAT(refusal({"convert", "t.csv", "t.csv"}), HasSubstr("t.csv"));
  EXPECT_THAT(refusal({"convert", "builtin:sinc", "t.safetensors"}),
              HasSubstr("knotwork datasets sinc --out t.safetensors"));
  EXPECT_THAT(refusal({"convert", "t.csv", "t.safetensors", "--drop", "colou"}),
              HasSubstr("did you mean 'colour'?"));
  EXPECT_THAT(refusal({"convert", "t.csv", "t.safetensors", "--drop", "x,colour,z,y"}),
              HasSubstr("removes every column"));
  EXPECT_THAT(folder_.names(), ElementsAre("t.csv"));

  ASSERT_EQ(knotwork({"convert", "t.csv", "t.safetensors"}).code, 0);
  EXPECT_THAT(refusal({"convert", "t.safetensors", "u.csv", "--delimiter", "tab"}),
              HasSubstr("--delimiter would have no effect"));
  EXPECT_THAT(refusal({"convert", "t.safetensors", "u.csv", "--numeric", "x"}),
              HasSubstr("--numeric would have no effect"));
  EXPECT_THAT(refusal({"convert", "t.safetensors", "u.csv", "--drop", "colou"}),
              HasSubstr("did you mean 'colour'?"));
  EXPECT_THAT(refusal({"train", "t.safetensors", "--missing", "-9"}),
              HasSubstr("--missing would have no effect"));
}

TEST_F(Convert, ColumnsAreLeftOutOfTableFilesToo) {
  ASSERT_EQ(knotwork({"convert", "t.csv", "t.safetensors"}).code, 0);
  for (const std::string source : {"t.csv", "t.safetensors"}) {
    ASSERT_EQ(knotwork({"convert", source, "u.csv", "--drop", "colour"}).code, 0);
    EXPECT_EQ(folder_.read("u.csv").find("colour"), std::string::npos);
    ASSERT_EQ(knotwork({"convert", source, source + ".npy", "--drop", "colour"}).code, 0);
    ASSERT_EQ(knotwork({"convert", source, "u.safetensors", "--drop", "colour"}).code, 0);
    ASSERT_EQ(knotwork({"convert", "u.safetensors", "v.csv"}).code, 0);
    EXPECT_EQ(folder_.read("v.csv"), folder_.read("u.csv"));
  }
  EXPECT_EQ(folder_.read("t.csv.npy"), folder_.read("t.safetensors.npy"));
}

// The message does not mention the temporary table file beside the array.
TEST_F(Convert, AFullDiskIsSaidOfTheFileThatWasAskedFor) {
  ASSERT_EQ(knotwork({"datasets", "planted", "--rows", "20000", "--out", "p.csv"}).code, 0);
  for (const Words& words : {Words{"convert", "p.csv", "p.npy"},
                             Words{"datasets", "planted", "--rows", "20000", "--out", "p.npy"}}) {
    Launch launch{KNOTWORK_PROGRAM, words, folder_.path(), ""};
    launch.file_size = 100'000;
    const Outcome outcome = run(launch);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("p.npy cannot be written: File too large"));
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "p.npy"));
  }
}

TEST_F(Convert, TablesAndModelsAreToldApart) {
  ASSERT_EQ(knotwork({"convert", "t.csv", "t.safetensors"}).code, 0);
  trained("t.csv");
  EXPECT_THAT(refusal({"evaluate", "t.safetensors", "t.csv"}),
              HasSubstr("t.safetensors is a table, not a model file"));
  EXPECT_THAT(refusal({"train", "m.safetensors"}),
              HasSubstr("m.safetensors is a model file, not a table"));
  EXPECT_THAT(refusal({"convert", "m.safetensors", "u.csv"}), HasSubstr("is a model file"));
  EXPECT_THAT(refusal({"convert", "t.csv", "m.safetensors"}),
              HasSubstr("m.safetensors is a model, which would be replaced"));
  EXPECT_THAT(refusal({"train", "t.csv", "--out", "t.safetensors"}),
              HasSubstr("t.safetensors is not a model, which would be replaced"));
  for (const Words& words :
       {Words{"predict", "m.safetensors", "t.safetensors", "--out", "again.safetensors"},
        Words{"train", "builtin:sinc", "--iterations", "1", "--save-config", "again.safetensors"},
        Words{"report", "m.safetensors", "--out", "again.safetensors"}}) {
    std::filesystem::copy_file(folder_.path() / "t.safetensors",
                               folder_.path() / "again.safetensors",
                               std::filesystem::copy_options::overwrite_existing);
    EXPECT_THAT(refusal(words), HasSubstr("again.safetensors is a table, which would be replaced"));
  }
  EXPECT_THAT(refusal({"train", "-"}, folder_.read("t.safetensors")),
              HasSubstr("is a table file, which cannot be read as text or from a pipe"));
}

TEST_F(Convert, TypesMustBeThoseOfTheModel) {
  folder_.write("n.csv", "x,colour,z,y\n1,2,3,4\n2,3,4,5\n");
  ASSERT_EQ(knotwork({"convert", "n.csv", "n.safetensors"}).code, 0);
  trained("t.csv");
  EXPECT_THAT(
      refusal({"predict", "m.safetensors", "n.safetensors"}),
      HasSubstr("n.safetensors, column 2 ('colour'): the column contains numbers, but texts are "
                "requested; when the table is written, use --categorical colour"));
}

TEST_F(Convert, ShowsProgressWhenAsked) {
  const Outcome outcome = knotwork({"convert", "t.csv", "t.safetensors", "--progress"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("writing"), Not(HasSubstr("objective"))));
}

TEST_F(Convert, TableFilesArePredictedAndEvaluatedWithProgressWhenAsked) {
  ASSERT_EQ(knotwork({"convert", "t.csv", "t.safetensors"}).code, 0);
  trained("t.csv");
  for (const auto& [command, heading] : {std::pair("predict", "predicting  100.0 %"),
                                         std::pair("evaluate", "evaluating  100.0 %")}) {
    const Words request = {command, "m.safetensors", "t.safetensors"};
    EXPECT_THAT(knotwork(request).err, Not(HasSubstr(heading)));
    Words watched = request;
    watched.push_back("--progress");
    const Outcome outcome = knotwork(watched);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(heading), Not(HasSubstr("objective"))));
    EXPECT_EQ(outcome.out, knotwork(request).out);
    watched.push_back("--quiet");
    EXPECT_THAT(refusal(watched), HasSubstr("exclude each other"));
  }
}

TEST_F(Convert, BuiltinSetsAreWrittenAsEveryKind) {
  for (const char* name : {"p.csv", "p.safetensors", "p.npy"}) {
    EXPECT_EQ(knotwork({"datasets", "planted", "--rows", "70000", "--out", name}).code, 0);
  }
  ASSERT_EQ(knotwork({"convert", "p.safetensors", "q.csv"}).code, 0);
  EXPECT_EQ(folder_.read("q.csv"), folder_.read("p.csv"));
  ASSERT_EQ(knotwork({"convert", "p.npy", "r.csv"}).code, 0);
  std::string renamed = folder_.read("p.csv");
  renamed.replace(renamed.find("y\n"), 1, "x7");
  EXPECT_EQ(folder_.read("r.csv"), renamed);
  EXPECT_THAT(folder_.names(),
              ElementsAre("p.csv", "p.npy", "p.safetensors", "q.csv", "r.csv", "t.csv"));
}

}  // namespace
}  // namespace knotwork::testing
