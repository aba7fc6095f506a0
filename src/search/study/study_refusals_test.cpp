// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include <knotwork/random.hpp>

#include "search/study/database.hpp"
#include "search/test_study.hpp"

namespace knotwork::searching {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t kTrials = 200;
const Study::Identity kOwnIdentity = {{"data", "abc"}, {"seed", "1"}};

class StudyRefusals : public StudyFile {
 protected:
  Error open_error(const Study::Identity& identity = kOwnIdentity) const {
    return error_of([&] { Study study(path_, identity); });
  }
  Error read_error() const {
    return error_of([&] { load_trials(path_); });
  }
  void make_study() const {
    Study study(path_, kOwnIdentity);
    std::vector<Setting> settings;
    for (std::size_t k = 0; k < kTrials; ++k) settings.push_back({{"x", std::to_string(k)}});
    const std::int64_t number = study.begin("", settings, 1, 2)[0];
    study.store(number, {0, 0.5, 1.5, ""});
    study.store(number, {1, 0.25, 1.5, ""});
    study.set_result("", "winner", "{}");
  }
  void change(const std::string& sql) const {
    Database(path_.string(), Database::Mode::make_or_open).run(sql);
  }
  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
};

TEST_F(StudyRefusals, AnotherIdentityNamesThePartThatDiffers) {
  make_study();
  const Error other = open_error({{"data", "abc"}, {"seed", "2"}});
  EXPECT_EQ(other.kind(), ErrorKind::bad_option);
  EXPECT_EQ(std::string(other.what()), "The study " + path_.string() +
                                           " belongs to another search: its seed is '1', here it "
                                           "is '2'; name another file, or repeat the same search.");
  EXPECT_THAT(open_error({{"data", "abc"}}).what(),
              HasSubstr("its seed is '1', here it is missing;"));
  EXPECT_THAT(open_error({{"folds", "3"}, {"data", "abc"}, {"seed", "1"}}).what(),
              HasSubstr("its folds is missing, here it is '3';"));
  EXPECT_THAT(open_error({{"data", std::string(200, 'x')}, {"seed", "1"}}).what(),
              AllOf(HasSubstr("its data differs; name another"), Not(HasSubstr("xxx"))));
  EXPECT_STREQ(open_error().what(), "nothing was wrong");
}

TEST_F(StudyRefusals, FilesThatAreNoStudies) {
  write("This is a text, and a rather short one.");
  EXPECT_EQ(open_error().kind(), ErrorKind::bad_file);
  EXPECT_EQ(open_error().what(), path_.string() + " is not a study; name another file.");
  EXPECT_THAT(read_error().what(), HasSubstr("is not a study"));
  write(std::string(10000, 'x'));
  EXPECT_THAT(open_error().what(), HasSubstr("is not a study"));
  EXPECT_EQ(bytes(), std::string(10000, 'x'));
  write("");
  EXPECT_THAT(read_error().what(), HasSubstr("is not a study"));
}

TEST_F(StudyRefusals, DatabasesOfOthers) {
  change("CREATE TABLE study (key, value)");
  EXPECT_THAT(open_error().what(), HasSubstr("is not a study; name another file"));
  EXPECT_THAT(read_error().what(), HasSubstr("is not a study; name another file"));
}

TEST_F(StudyRefusals, AnotherLayout) {
  make_study();
  change("PRAGMA user_version = 4");
  for (const Error& error : {open_error(), read_error()}) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_file);
    EXPECT_THAT(error.what(), AllOf(HasSubstr(path_.string()), HasSubstr("format 4 of a newer"),
                                    HasSubstr("this version reads format 3; use the newer one")));
  }
  change("PRAGMA user_version = 2");
  EXPECT_THAT(open_error().what(), HasSubstr("format 2 of an older Knotwork"));
}

// SQLite itself accepts each of these values.
TEST_F(StudyRefusals, ValuesThatWereNotStored) {
  make_study();
  const std::string good = bytes();
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"UPDATE folds SET score = -score WHERE trial_id = 1", "a score is not what was stored"},
      {"UPDATE folds SET seconds = seconds + 1 WHERE trial_id = 1", "a score is not"},
      {"UPDATE folds SET message = 'm' WHERE trial_id = 1", "a score is not"},
      {"UPDATE folds SET sha256 = '' WHERE trial_id = 1", "a score is not"},
      {"UPDATE trials SET setting = '{\"x\":\"new\"}' WHERE id = 1", "a trial is not"},
      {"UPDATE trials SET budget = 0.5 WHERE id = 1", "a trial is not"},
      {"UPDATE trials SET folds = 77 WHERE id = 1", "a trial is not"},
      {"UPDATE study SET value = 'other'", "what it was begun for is not"},
      {"UPDATE results SET value = '[]'", "a result is not"},
  };
  for (const auto& [sql, why] : changes) {
    write(good);
    change(sql);
    const Error error = error_of([&] {
      const Study study = Study::read(path_);
      study.identity();
      study.trials("");
      study.result("", "winner");
    });
    EXPECT_EQ(error.kind(), ErrorKind::bad_file) << sql;
    EXPECT_THAT(error.what(), AllOf(HasSubstr("is damaged ("), HasSubstr(why))) << sql;
  }
}

TEST_F(StudyRefusals, MissingTablesAndWrongValues) {
  make_study();
  const std::string good = bytes();
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"DROP TABLE folds", "no such table: folds"},
      {"UPDATE trials SET setting = '[1]' WHERE id = 1", "a setting is not a JSON object of texts"},
      {"UPDATE trials SET setting = '{\"x\":1}' WHERE id = 1", "a setting is not a JSON object"},
      {"UPDATE trials SET setting = '{' WHERE id = 1", "a setting is not a JSON object"},
      {"UPDATE trials SET budget = 0 WHERE id = 1", "a trial has the budget 0"},
      {"UPDATE trials SET folds = 0 WHERE id = 1", "a trial has 0 folds"},
      {"UPDATE folds SET fold = 2 WHERE fold = 1", "a fold does not belong to its trial"},
      {"UPDATE folds SET fold = -1 WHERE fold = 1", "a fold does not belong to its trial"},
      {"UPDATE folds SET score = 'low' WHERE trial_id = 1", "something else stands for a number"},
  };
  for (const auto& [sql, why] : changes) {
    write(good);
    change(sql);
    EXPECT_EQ(read_error().kind(), ErrorKind::bad_file) << sql;
    EXPECT_THAT(read_error().what(),
                AllOf(HasSubstr("The study " + path_.string() + " is damaged ("), HasSubstr(why),
                      HasSubstr("restore a copy, or remove it to start again")));
  }
}

// Each of these would run forever if it were queried.
TEST_F(StudyRefusals, ViewsAndTriggersInsteadOfTables) {
  make_study();
  const std::string good = bytes();
  const std::string endless =
      "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT ";
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"ALTER TABLE trials RENAME TO old; CREATE VIEW trials AS " + endless +
           "k AS id, '' AS scope, '{}' AS setting, 1.0 AS budget, 2 AS folds, '' AS sha256 FROM n",
       "nothing that a study has"},
      {"CREATE TRIGGER t AFTER INSERT ON folds BEGIN INSERT INTO study " + endless +
           "k, k, k FROM n; END",
       "'t' is nothing that a study has"},
      {"CREATE TABLE more (x)", "'more' is nothing that a study has"},
  };
  for (const auto& [sql, why] : changes) {
    write(good);
    for (std::string_view rest = sql; !rest.empty();) {
      // One statement at a time; a trigger has a semicolon of its own.
      const std::size_t end = sql.starts_with("ALTER") ? rest.find(';') : std::string_view::npos;
      change(std::string(rest.substr(0, end)));
      rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    }
    for (const Error& error : {open_error(), read_error()}) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_file) << sql;
      EXPECT_THAT(error.what(), AllOf(HasSubstr("is damaged ("), HasSubstr(why)));
    }
  }
}

TEST_F(StudyRefusals, DeepOrVeryLongValues) {
  make_study();
  const std::string good = bytes();
  Database(path_.string(), Database::Mode::make_or_open)
      .run("UPDATE trials SET setting = '" + std::string(100'000, '[') + "' WHERE id = 1");
  EXPECT_THAT(read_error().what(), HasSubstr("a setting is not a JSON object of texts"));
  write(good);
  std::string many = "{\"x\":\"\"";
  for (int k = 0; k < 100'000; ++k) many += fmt::format(",\"{}\":\"\"", k);
  change("UPDATE trials SET setting = '" + many + "}' WHERE id = 1");
  EXPECT_THAT(read_error().what(), HasSubstr("a setting is not a JSON object of texts"));
  write(good);
  EXPECT_THROW(change(fmt::format("UPDATE trials SET setting = zeroblob({}) WHERE id = 1",
                                  kMaxStudyValue + 1)),
               Error);
}

TEST_F(StudyRefusals, WhatACallerFindsToBeDamagedIsNamedInTheSameWay) {
  make_study();
  const Study study = Study::read(path_);
  const Error error = error_of([&] { study.refuse_as_damaged("there is no winner"); });
  EXPECT_EQ(error.kind(), ErrorKind::bad_file);
  EXPECT_EQ(std::string(error.what()),
            "The study " + path_.string() +
                " is damaged (there is no winner); restore a copy, or remove it to start again.");
}

TEST_F(StudyRefusals, TruncatedFiles) {
  make_study();
  const std::string good = bytes();
  ASSERT_GT(good.size(), 8192u);
  for (const std::size_t size : {good.size() - 4096, good.size() - 2000, std::size_t{4096}}) {
    write(good.substr(0, size));
    for (const Error& error : {open_error(), read_error()}) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_file) << size;
      EXPECT_THAT(error.what(), HasSubstr("is damaged (")) << size;
    }
  }
}

TEST_F(StudyRefusals, ScribbledPagesNeverCrashIt) {
  make_study();
  const std::string good = bytes();
  const Random random(3, Purpose::search_draws);
  std::size_t refused = 0;
  for (std::uint64_t k = 0; k < 100; ++k) {
    std::string bad = good;
    for (std::uint64_t j = 0; j < 40; ++j) {
      bad[random.below(bad.size(), 100 * k + j)] = static_cast<char>(random.bits(100 * k + j + 50));
    }
    write(bad);
    const Error error = read_error();
    if (error.kind() == ErrorKind::bad_model) continue;  // the part that was read is good
    ++refused;
    EXPECT_EQ(error.kind(), ErrorKind::bad_file) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(path_.string()));
  }
  EXPECT_GT(refused, 50u);
}

TEST_F(StudyRefusals, PlacesWhereNoStudyCanBe) {
  const auto message = [](const fs::path& path) {
    const Error error = error_of([&] { Study study(path, kOwnIdentity); });
    EXPECT_EQ(error.kind(), ErrorKind::bad_file);
    return std::string(error.what());
  };
  EXPECT_THAT(message(folder_), HasSubstr("is a folder; a study is one file"));
  EXPECT_THAT(message(folder_ / ""), HasSubstr("is a folder; a study is one file"));
  EXPECT_THAT(message(folder_ / "none" / "study.db"),
              HasSubstr("cannot be created: there is no folder " + (folder_ / "none").string()));
  EXPECT_EQ(read_error().what(), "There is no study " + path_.string() + ".");
  EXPECT_FALSE(fs::exists(path_));
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(message(path_), HasSubstr("is not a regular file"));
}

TEST_F(StudyRefusals, PlacesThatCannotBeWritten) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  make_study();
  fs::permissions(path_, fs::perms::owner_read);
  EXPECT_THAT(open_error().what(), HasSubstr("cannot be opened: Permission denied"));
  EXPECT_EQ(load_trials(path_).size(), kTrials);
  fs::permissions(path_, fs::perms::owner_read | fs::perms::owner_write);
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(open_error().what(), HasSubstr("its folder " + folder_.string() + " cannot"));
  fs::permissions(folder_, fs::perms::owner_all);
}

TEST_F(StudyRefusals, AStudyThatIsOnlyLookedAtIsNotWritten) {
  make_study();
  Study study = Study::read(path_);
  const Error error = error_of([&] { study.set_result("", "winner", "{}"); });
  EXPECT_THAT(error.what(), AllOf(HasSubstr(path_.string()), HasSubstr("readonly")));
}

TEST_F(StudyRefusals, AStudyThatIsHeldForTooLong) {
  make_study();
  const Database holder(path_.string(), Database::Mode::make_or_open);
  Transaction transaction(holder);
  const Database waiting(path_.string(), Database::Mode::make_or_open, 0.01);
  const Error error = error_of([&] { Transaction second(waiting); });
  EXPECT_EQ(error.kind(), ErrorKind::failed_run);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("Another process has locked the study "),
                                  HasSubstr(" for more than 0.01 seconds; end that process")));
}

TEST_F(StudyRefusals, AFullDiskIsNamedAndNothingIsLost) {
  make_study();
  Study study(path_, kOwnIdentity);
  // Simulates a full disk: no file of this process may grow for a moment.
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* handler = ::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = before;
  small.rlim_cur = 600;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Error error = error_of([&] { study.set_result("", "a", std::string(50000, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  EXPECT_EQ(error.kind(), ErrorKind::failed_run) << error.what();
  EXPECT_THAT(error.what(), HasSubstr("could not be read or written: "));
  EXPECT_FALSE(study.result("", "a"));
  EXPECT_EQ(load_trials(path_).size(), kTrials);
}

TEST_F(StudyRefusals, SettingsThatAreNoText) {
  Study study("", {});
  const Error error = error_of([&] { study.begin("", {{{"x", "\xff"}}}, 1, 1); });
  EXPECT_THAT(error.what(), HasSubstr("is not UTF-8 text"));
}

}  // namespace
}  // namespace knotwork::searching
