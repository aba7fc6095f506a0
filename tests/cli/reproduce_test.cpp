// SPDX-License-Identifier: MIT
// Tests knotwork reproduce on small synthetic tables instead of the paper's.
#include <signal.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class Reproduce : public CliTest {
 protected:
  Reproduce() {
    std::filesystem::create_directory(folder_.path() / "data");
    folder_.write("data/chemical.csv", made_csv(1));
    folder_.write("data/california_housing.csv", made_csv(2));
  }

  static std::string made_csv(int seed) {
    std::ostringstream text;
    text << "a,b,c,d,e,f,g,h,y\n";
    for (int r = 0; r < 40; ++r) {
      for (int c = 0; c < 8; ++c) text << std::sin(r * (c + 2) + seed) << ',';
      text << std::sin(2 * r + seed) - 0.5 * std::sin(3 * r + seed) << '\n';
    }
    return text.str();
  }

  const Words quick_ = {"--splits", "2", "--iterations", "4", "--quiet"};
  Words request(Words words) const {
    words.insert(words.begin(), "reproduce");
    words.insert(words.end(), quick_.begin(), quick_.end());
    return words;
  }
};

TEST_F(Reproduce, RowsOfScenario1AsJson) {
  const Json json = document(request({"scenario1"}));
  EXPECT_EQ(json["command"], "reproduce");
  EXPECT_EQ(json["scenario"], "scenario1");
  ASSERT_GE(json["rows"].size(), 8u);
  for (const Json& row : json["rows"]) {
    EXPECT_EQ(row["scenario"], "scenario1");
    EXPECT_EQ(row["splits"], 2);
    for (const char* part : {"train", "test"}) {
      EXPECT_TRUE(row[part]["mean"].is_number());
      EXPECT_TRUE(row[part]["std"].is_number());
      if (row["optimizer"] == "cg-path-0.1") continue;  // has another objective
      EXPECT_TRUE(row["paper"][part]["mean"].is_number());
      EXPECT_TRUE(row["paper"][part]["std"].is_number());
    }
  }
  EXPECT_EQ(json["rows"][5]["optimizer"], "cg-path-0.1");
  EXPECT_TRUE(json["rows"][5]["paper"].is_null());
  EXPECT_EQ(json["rows"][0]["network"], "tanh");
  EXPECT_EQ(json["rows"][2]["optimizer"], "cg-path");
}

TEST_F(Reproduce, RowsOfScenario2HaveTheirWinners) {
  const Json json = document(request({"scenario2", "--datasets", "chemical", "--grid-step", "10"}));
  ASSERT_THAT(json["rows"], SizeIs(6));
  EXPECT_EQ(json["rows"][3]["grid"], "printed");
  EXPECT_EQ(json["rows"][4]["grid"], "extended");
  EXPECT_TRUE(json["rows"][3]["lambda_w"].is_number());
  EXPECT_TRUE(json["rows"][3]["lambda_q"].is_number());
  EXPECT_TRUE(json["rows"][0]["lambda_q"].is_null());
}

TEST_F(Reproduce, NumbersDoNotDependOnThreads) {
  const auto rows = [&](const std::string& threads) {
    Json json = document(request({"scenario1", "--threads", threads}))["rows"];
    for (Json& row : json) row.erase("seconds");
    return json;
  };
  EXPECT_EQ(rows("1"), rows("3"));
}

TEST_F(Reproduce, APageKeepsWhatIsNotItsOwn) {
  folder_.write("page.md", "# Page\n\nBy hand.\n");
  const Words words = request(
      {"scenario1", "--datasets", "chemical", "--write", "page.md", "--figures", "pictures"});
  EXPECT_EQ(knotwork(words).code, 0);
  const std::string page = folder_.read("page.md");
  EXPECT_THAT(page, HasSubstr("# Page\n\nBy hand.\n\n<!-- scenario1 -->\n"));
  EXPECT_THAT(page, HasSubstr("<!-- end of scenario1 -->\n"));
  EXPECT_THAT(page, HasSubstr("](pictures/scenario1-chemical.svg)"));
  EXPECT_THAT(page, AllOf(HasSubstr("    knotwork reproduce scenario1 --datasets chemical "),
                          Not(HasSubstr("--quiet"))));
  EXPECT_THAT(folder_.read("pictures/scenario1-chemical.svg"), HasSubstr("<svg"));
  EXPECT_EQ(knotwork(request({"cost", "--rounds", "1", "--write", "page.md"})).code, 2);
  EXPECT_EQ(knotwork({"reproduce", "cost", "--rounds", "1", "--write", "page.md"}).code, 0);
  EXPECT_THAT(folder_.read("page.md"), AllOf(HasSubstr(page), HasSubstr("<!-- end of cost -->")));
}

TEST_F(Reproduce, AStoppedRunGoesOnFromItsStudy) {
  Words words = {"reproduce",    "scenario1", "--datasets", "chemical",
                 "--iterations", "100000",    "--study",    "run.db",
                 "--progress",   "--threads", "1"};
  RunningProgram program(launch(words));
  ASSERT_TRUE(program.wait_for_error_text("1/"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(lines_of(outcome.err).back(),
              AllOf(HasSubstr("The reproduction was interrupted"), HasSubstr("run.db")));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "run.db"));
}

TEST_F(Reproduce, MissingDataIsNamedWithHowToGetIt) {
  std::filesystem::remove_all(folder_.path() / "data");
  EXPECT_THAT(refusal({"reproduce", "scenario1"}),
              AllOf(HasSubstr("data/chemical.csv and data/california_housing.csv are not there"),
                    HasSubstr("scripts/get-data california"), HasSubstr("docs/data.md")));
}

TEST_F(Reproduce, WhatIsMisspeltIsRefusedWithTheClosestName) {
  EXPECT_THAT(refusal({"reproduce", "scenaro1"}), HasSubstr("did you mean 'scenario1'?"));
  EXPECT_THAT(refusal({"reproduce", "scenario1", "--datasets", "chemcal"}),
              HasSubstr("no data set called 'chemcal'; did you mean 'chemical'?"));
  EXPECT_THAT(refusal({"reproduce", "scenario1", "--split", "2"}), HasSubstr("'--splits'?"));
  EXPECT_THAT(refusal({"reproduce"}), HasSubstr("reproduce needs SCENARIO"));
}

TEST_F(Reproduce, OptionsAreCheckedBeforeTheWork) {
  EXPECT_THAT(refusal({"reproduce", "scenario1", "--splits", "0"}),
              HasSubstr("splits must be at least 1, not 0."));
  EXPECT_THAT(refusal({"reproduce", "scenario1", "--splits", "two"}),
              HasSubstr("--splits must be a whole number of at least 0, not 'two'."));
  EXPECT_THAT(refusal({"reproduce", "cost", "--splits", "2"}),
              HasSubstr("--splits would have no effect in cost"));
  EXPECT_THAT(refusal({"reproduce", "scenario1", "--grid-step", "2"}),
              HasSubstr("--grid-step would have no effect in scenario1"));
  EXPECT_THAT(refusal({"reproduce", "cost", "--quiet", "--progress"}), HasSubstr("exclude"));
  EXPECT_THAT(refusal({"reproduce", "cost", "--write", "no/such/page.md"}), HasSubstr("no/such"));
  EXPECT_THAT(refusal({"reproduce", "scenario1", "--write", "data/chemical.csv"}),
              HasSubstr("would overwrite an input"));
}

}  // namespace
}  // namespace knotwork::testing
