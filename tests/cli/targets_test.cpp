// SPDX-License-Identifier: MIT
// Tests what the program does with rows that have no target, and with columns of ids.
#include <fmt/format.h>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Id, size, day and y; y is missing in every tenth row.
std::string table_of_sales(int rows = 80) {
  std::string text = "CustomerId,size,day,y\n";
  for (int r = 0; r < rows; ++r) {
    const int size = r * 7 % 11;
    text += fmt::format("{},{},{},{}\n", 500 + r * 37 % rows, size, 3 * r + r % 2,
                        r % 10 == 4 ? "" : std::to_string(2 * size + r % 3));
  }
  return text;
}

class TargetsOfTables : public CliTest {
 protected:
  TargetsOfTables() { folder_.write("t.csv", table_of_sales()); }
  static constexpr const char* kSaid =
      "knotwork: 8 of 80 rows have no value in the target column 'y'; they are left out; to refuse "
      "such rows, use --require-target.\n";
};

TEST_F(TargetsOfTables, ThatAreMissingLeaveOutTheirRows) {
  const Outcome trained = knotwork({"train", "t.csv", "--iterations", "5", "--ensemble", "1"});
  EXPECT_THAT(trained.err, HasSubstr(kSaid));
  EXPECT_THAT(trained.out, HasSubstr("(50 to train on, 22 to test, 8 without a target)"));
  const Json json = document({"train", "t.csv", "--iterations", "5", "--test-last"});
  EXPECT_EQ(json["data"]["rows"], 80);
  EXPECT_EQ(json["data"]["without_target"], 8);
  EXPECT_EQ(json["train"]["rows"], 50);
  for (const char* command : {"train", "evaluate"}) {
    Words words = {command};
    if (words[0] == "evaluate") words.emplace_back("model.safetensors");
    words.insert(words.end(), {"t.csv", "--require-target"});
    EXPECT_THAT(refusal(words), HasSubstr("t.csv, line 6, column 4 ('y'): the cell is missing"));
  }
}

TEST_F(TargetsOfTables, ThatAreMissingAreNotScored) {
  ASSERT_EQ(knotwork({"train", "t.csv", "--iterations", "5"}).code, 0);
  const Outcome text = knotwork({"evaluate", "model.safetensors", "t.csv"});
  EXPECT_THAT(text.err, HasSubstr("knotwork: 8 of 80 rows have no target and are not scored.\n"));
  EXPECT_THAT(text.out, HasSubstr("(72 rows)"));
  const Json json = document({"evaluate", "model.safetensors", "t.csv"});
  EXPECT_EQ(json["data"], Json({{"source", "t.csv"}, {"rows", 72}, {"without_target", 8}}));
  EXPECT_EQ(json["remarks"][0], "8 of 80 rows have no target and are not scored.");
  ASSERT_EQ(knotwork({"convert", "t.csv", "t.safetensors"}).code, 0);
  EXPECT_EQ(document({"evaluate", "model.safetensors", "t.safetensors"})["test"], json["test"]);
}

TEST_F(TargetsOfTables, ThatAreMissingAreInNoFold) {
  const Json tuned = document({"tune", "t.csv", "--study", "s.db", "--vary", "lambda-w=0.01|1",
                               "--folds", "2", "--iterations", "3", "--hidden", "2", "--quiet"});
  EXPECT_EQ(tuned["train"]["rows"], 50);
  const Outcome compared = knotwork({"compare", "t.csv", "--activations", "tanh,relu", "--folds",
                                     "2", "--iterations", "3", "--hidden", "2", "--budget", "0"});
  EXPECT_THAT(compared.err, HasSubstr(kSaid));
  EXPECT_THAT(compared.out, HasSubstr("t.csv: 72 rows, 2 folds"));
}

TEST_F(TargetsOfTables, AreReportedOnWithoutTheRowsThatLackThem) {
  const Json json = document({"train", "t.csv", "--iterations", "5", "--report", "r.html",
                              "--test-fraction", "0"});
  EXPECT_EQ(json["train"]["rows"], 72);
  EXPECT_THAT(folder_.read("r.html"), HasSubstr("the 72 training rows"));
}

using IdsOfTables = TargetsOfTables;

TEST_F(IdsOfTables, AreLeftOutUnlessTheyAreNamedAsNumbers) {
  const Outcome trained = knotwork({"train", "t.csv", "--iterations", "3"});
  EXPECT_THAT(trained.err,
              AllOf(HasSubstr("knotwork: Column 'CustomerId' was left out: its numbers are all "
                              "different, and its name says that they are ids; to keep it, use "
                              "--numeric CustomerId.\n"),
                    HasSubstr("knotwork: Column 'day' has whole numbers that rise with every row, "
                              "as ids do; to leave it out, use --drop day.\n")));
  EXPECT_EQ(record_of(folder_.read("model.safetensors"))["inputs"].size(), 2u);
  const Outcome kept =
      knotwork({"train", "t.csv", "--iterations", "3", "--numeric", "CustomerId,day"});
  EXPECT_THAT(kept.err, AllOf(Not(HasSubstr("CustomerId")), Not(HasSubstr("day"))));
  EXPECT_EQ(record_of(folder_.read("model.safetensors"))["inputs"].size(), 3u);
  // A search that keeps the column is another search.
  const Words tune = {"tune", "t.csv",   "--study",      "s.db", "--vary",   "lambda-w=0.01|1",
                      "--folds", "2", "--iterations", "2",    "--hidden", "2"};
  ASSERT_EQ(knotwork(tune).code, 0);
  Words other = tune;
  other.insert(other.end(), {"--numeric", "CustomerId"});
  EXPECT_THAT(refusal(other), HasSubstr("its numeric is missing, here it is '[\"CustomerId\"]'"));
}

}  // namespace
}  // namespace knotwork::testing
