// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <limits>
#include <thread>

#include "search/study/database.hpp"
#include "search/test_study.hpp"

namespace knotwork::searching {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using StudyTest = StudyFile;

constexpr double kInf = std::numeric_limits<double>::infinity();
const Setting kOne = {{"b", "1"}, {"a", "x|\"é"}};
const Setting kTwo = {{"b", "2"}, {"a", ""}};

TEST_F(StudyTest, KeepsScoresExactly) {
  {
    Study study(path_, {{"data", "abc"}});
    const auto numbers = study.begin("s", {kOne, kTwo}, 1.0 / 3, 2);
    ASSERT_EQ(numbers.size(), 2u);
    EXPECT_FALSE(study.find(numbers[0], 1));
    EXPECT_EQ(study.store(numbers[0], {1, 0.1, 2.5, ""}).score, 0.1);
    study.store(numbers[0], {0, 1.0 / 3, 0, ""});
    study.store(numbers[1], {1, kInf, 1, "It diverged."});
    EXPECT_EQ(study.begin("s", {kTwo, kOne}, 1.0 / 3, 2),
              (std::vector<std::int64_t>{numbers[1], numbers[0]}));
    EXPECT_NE(study.begin("s", {kOne}, 1, 2)[0], numbers[0]);
  }
  const std::vector<TrialRecord> trials = load_trials(path_, "s");
  ASSERT_EQ(trials.size(), 3u);
  EXPECT_EQ(trials[0].setting, kOne);
  EXPECT_EQ(trials[0].budget, 1.0 / 3);
  EXPECT_TRUE(trials[0].complete);
  EXPECT_EQ(trials[0].mean, (0.1 + 1.0 / 3) / 2);
  EXPECT_EQ(trials[0].scores[1].seconds, 2.5);
  EXPECT_EQ(trials[1].setting, kTwo);
  EXPECT_FALSE(trials[1].complete);
  EXPECT_EQ(trials[1].mean, kInf);
  EXPECT_EQ(trials[1].scores[0].fold, 1u);
  EXPECT_EQ(trials[1].scores[0].message, "It diverged.");
  EXPECT_THAT(trials[2].scores, IsEmpty());
  EXPECT_EQ(trials[2].mean, kInf);
  EXPECT_THAT(load_trials(path_), IsEmpty());
}

TEST_F(StudyTest, TheFirstScoreOfAFoldStays) {
  Study study(path_, {});
  const std::int64_t number = study.begin("", {kOne}, 1, 1)[0];
  EXPECT_EQ(study.store(number, {0, 1, 0, ""}).score, 1);
  EXPECT_EQ(study.store(number, {0, 2, 0, ""}).score, 1);
  EXPECT_EQ(study.find(number, 0)->score, 1);
}

TEST_F(StudyTest, AFoldIsClaimedOnceUntilItIsGivenUpOrStored) {
  Study study(path_, {}), other(path_, {});
  const std::int64_t trial = study.begin("", {{{"a", "1"}}}, 1, 3).front();
  EXPECT_TRUE(study.claim(trial, 0));
  EXPECT_FALSE(study.claim(trial, 0));
  EXPECT_FALSE(other.claim(trial, 0));
  EXPECT_TRUE(other.claim(trial, 1));
  study.give_up(trial, 0);
  EXPECT_TRUE(other.claim(trial, 0));
  // A stored fold does not begin again, whichever process claimed it.
  study.store(trial, {0, 0.5, 0, ""});
  EXPECT_FALSE(study.claim(trial, 0));
  EXPECT_FALSE(other.claim(trial, 0));
}

TEST_F(StudyTest, KeepsResultsByScopeAndName) {
  Study study(path_, {});
  EXPECT_FALSE(study.result("", "winner"));
  study.set_result("", "winner", "{}");
  study.set_result("one", "winner", "[1]");
  study.set_result("", "winner", "{\"a\":1}");
  EXPECT_EQ(study.result("", "winner"), "{\"a\":1}");
  EXPECT_EQ(Study::read(path_).result("one", "winner"), "[1]");
  study.begin("two", {kOne}, 1, 1);
  EXPECT_THAT(Study::read(path_).scopes(), ElementsAre("", "one", "two"));
}

TEST_F(StudyTest, IdentityIsReadBack) {
  { Study study(path_, {{"seed", "1"}, {"data", "abc"}}); }
  EXPECT_THAT(Study::read(path_).identity(), ElementsAre(Pair("data", "abc"), Pair("seed", "1")));
  Study again(path_, {{"data", "abc"}, {"seed", "1"}});  // in any order
}

TEST_F(StudyTest, IsOneFileThatOtherToolsCanRead) {
  Study study(path_, {{"seed", "1"}});
  study.store(study.begin("", {kOne}, 1, 1)[0], {0, 0.5, 0, ""});
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  const Database plain(path_.string(), Database::Mode::look_at);
  Statement select(plain,
                   "SELECT json_extract(setting, '$.b'), avg(score) FROM trials "
                   "JOIN folds ON trial_id = id GROUP BY id");
  ASSERT_TRUE(select.step());
  EXPECT_EQ(select.text(0), "1");
  EXPECT_EQ(select.real(1), 0.5);
}

TEST_F(StudyTest, AnEmptyFileBecomesAStudy) {
  { std::ofstream file(path_); }
  Study study(path_, {});
  study.begin("", {kOne}, 1, 1);
  EXPECT_EQ(load_trials(path_).size(), 1u);
}

TEST_F(StudyTest, SpecialNamesOfSqliteAreFiles) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  { Study study(":memory:", {}); }
  std::filesystem::current_path(before);
  EXPECT_TRUE(std::filesystem::exists(folder_ / ":memory:"));
}

TEST_F(StudyTest, InMemoryLeavesNothingBehind) {
  Study study("", {{"seed", "1"}});
  Study moved = std::move(study);
  moved.store(moved.begin("", {kOne}, 1, 1)[0], {0, 1, 0, ""});
  EXPECT_TRUE(moved.trials("")[0].complete);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(StudyTest, AWriterWaitsForAnother) {
  Study study(path_, {});
  const std::int64_t number = study.begin("", {kOne}, 1, 1)[0];
  std::jthread storing;
  {
    const Database other(path_.string(), Database::Mode::make_or_open);
    Transaction transaction(other);
    other.run("INSERT INTO results VALUES ('', 'a', '1', '')");
    storing = std::jthread([&] { study.store(number, {0, 1, 0, ""}); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    transaction.commit();
  }
  storing.join();
  const Database database(path_.string(), Database::Mode::look_at);
  EXPECT_EQ(database.integer("SELECT count(*) FROM results"), 1);
  EXPECT_TRUE(study.find(number, 0));
}

TEST_F(StudyTest, ATransactionThatIsNotCommittedIsUndone) {
  Study study(path_, {});
  const Database other(path_.string(), Database::Mode::make_or_open);
  {
    Transaction transaction(other);
    other.run("INSERT INTO results VALUES ('', 'a', '1', '')");
  }
  EXPECT_FALSE(study.result("", "a"));
}

}  // namespace
}  // namespace knotwork::searching
