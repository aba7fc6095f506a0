// SPDX-License-Identifier: MIT
// Studies with flipped bits, missing pieces, misplaced pages, and journals that belong to no study:
// each is refused with one sentence, or is read and written without harm, with memory and steps in
// proportion to its size.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>

#include "base/test_dice.hpp"
#include "base/test_effort.hpp"
#include "search/study/database.hpp"
#include "search/test_study.hpp"

namespace knotwork::searching {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::Ge;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Le;

const std::size_t kStudies = cases_to_run(4000);
constexpr std::size_t kPage = 4096;
const Study::Identity kIdentity = {{"data", "abc"}, {"seed", "1"}};

void flip(std::string& bytes, Dice& dice) {
  for (std::size_t k = 1 + dice.below(16); k > 0; --k) {
    // Half of the flips are in the first kilobyte of a page: its header and the list of its cells.
    const std::size_t page = dice.below((bytes.size() + kPage - 1) / kPage) * kPage;
    const std::size_t at = page + dice.below(dice.below(2) == 0 ? 128 : kPage);
    char& byte = bytes[std::min(at, bytes.size() - 1)];
    byte = dice.below(2) == 0 ? static_cast<char>(byte ^ (1 << dice.below(8)))
                              : static_cast<char>(dice.below(256));
  }
}

void cut(std::string& bytes, Dice& dice) {
  const std::size_t a = dice.below(bytes.size()), b = dice.below(bytes.size());
  if (dice.below(2) == 0) {
    bytes.resize(a);  // the end is missing
  } else {
    bytes.erase(std::min(a, b), std::max(a, b) - std::min(a, b));
  }
}

// Replaces a page by another page of this study or of another one.
void splice(std::string& bytes, const std::string& other, Dice& dice) {
  const std::string& from = dice.below(2) == 0 ? bytes : other;
  const std::string page = from.substr(dice.below(from.size() / kPage) * kPage, kPage);
  bytes.replace(dice.below(bytes.size() / kPage) * kPage, kPage, page);
}

class DamagedStudies : public StudyFile {
 protected:
  struct Files {
    std::string study, journal;
  };

  static std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  fs::path journal() const { return path_.string() + "-journal"; }

  void remove_all() const {
    for (const char* end : {"", "-journal", "-wal", "-shm"}) fs::remove(path_.string() + end);
  }
  void write(const Files& files) const {
    remove_all();
    std::ofstream(path_, std::ios::binary) << files.study;
    if (!files.journal.empty()) std::ofstream(journal(), std::ios::binary) << files.journal;
  }

  // A study of some pages: complete, and together with its journal as a killed process leaves them.
  struct Good {
    Files whole, killed;
  };
  Good make_study(std::size_t trials) const {
    remove_all();
    Study study(path_, kIdentity);
    std::vector<Setting> settings;
    for (std::size_t k = 0; k < trials; ++k) {
      settings.push_back({{"x", std::to_string(k)}, {"kind", std::string(k % 40, 'k')}});
    }
    for (const std::int64_t trial : study.begin("", settings, 1, 2)) {
      study.store(trial, {0, 0.5, 1.5, trial % 7 == 0 ? "it did not end" : ""});
    }
    study.set_result("", "tune", "{\"winner\":{}}");
    Good good;
    good.whole.study = bytes_of(path_);
    const Database database(path_.string(), Database::Mode::make_or_open);
    database.run("PRAGMA cache_size = 2");  // writes pages before the commit
    const Transaction transaction(database);
    database.run("UPDATE trials SET budget = 2");
    database.run("INSERT INTO results SELECT setting, id, hex(zeroblob(2000)), '' FROM trials");
    good.killed = {bytes_of(path_), bytes_of(journal())};
    return good;
  }

  // The whole content of the study, as text.
  std::string content() const {
    const Study study = Study::read(path_);
    std::string text = fmt::format("{}\n", fmt::join(study.identity(), " "));
    for (const std::string& scope : study.scopes()) {
      text += fmt::format("{}: {}\n", scope, study.result(scope, "tune").value_or("none"));
      for (const TrialRecord& trial : study.trials(scope)) {
        text += fmt::format("{} {}", fmt::join(trial.setting, " "), trial.budget);
        for (const FoldScore& score : trial.scores) {
          text +=
              fmt::format(" {} {} {} {}", score.fold, score.score, score.seconds, score.message);
        }
        text += '\n';
      }
    }
    return text;
  }

  // Reads everything in the study, which must equal what was stored, or continues it.
  void use(bool to_write, const std::string& stored) const {
    if (!to_write) {
      const std::string there = content();
      if (!stored.empty()) {
        EXPECT_EQ(there, stored);
      }
      return;
    }
    Study study(path_, kIdentity);
    const std::vector<Setting> settings = {{{"x", "0"}, {"kind", ""}}, {{"x", "new"}}};
    for (const std::int64_t trial : study.begin("", settings, 1, 2)) {
      study.store(trial, {1, 0.25, 1, ""});
    }
    study.set_result("", "tune", "{}");
  }

  // Whether the study was refused, with a message that is checked.
  bool is_refused(bool to_write, const std::string& stored = {}) {
    sqlite3_memory_highwater(1);
    bool refused = false;
    try {
      use(to_write, stored);
    } catch (const Error& error) {
      refused = true;
      const std::string what = error.what();
      EXPECT_THAT(error.kind(),
                  AnyOf(ErrorKind::bad_file, ErrorKind::bad_option, ErrorKind::failed_run))
          << what;
      EXPECT_THAT(what, HasSubstr(path_.string()));
      EXPECT_TRUE(what.ends_with('.')) << what;
      EXPECT_TRUE(std::all_of(what.begin(), what.end(), [](char c) {
        return static_cast<unsigned char>(c) >= ' ';
      })) << what;
      // Without the path, the message is the kind of refusal.
      std::string kind = what;
      kind.replace(kind.find(path_.string()), path_.string().size(), "study");
      ++sentences_[kind];
    }
    // The page cache, and the memory for one page or text.
    EXPECT_THAT(sqlite3_memory_highwater(1), Le(sqlite3_int64{8} << 20));
    return refused;
  }

  std::map<std::string, std::size_t> sentences_;
};

TEST_F(DamagedStudies, AreRefusedOrDoNoHarm) {
  std::array<Good, 2> good;
  std::array<std::string, 2> stored;
  for (const std::size_t which : {0, 1}) {
    good[which] = make_study(which == 0 ? 200 : 12);
    write(good[which].whole);
    stored[which] = content();
  }
  ASSERT_THAT(good[0].whole.study.size(), Ge(8 * kPage));
  ASSERT_THAT(good[0].killed.journal.size(), Ge(4 * kPage));
  Dice dice(1);
  std::size_t refused = 0;
  for (std::size_t k = 0; k < kStudies; ++k) {
    SCOPED_TRACE(k);
    const std::size_t which = dice.below(2);
    // SQLite trusts a journal more than anything else: it restores pages from it.
    const bool with_journal = dice.below(4) == 0;
    Files bad = with_journal ? good[which].killed : good[which].whole;
    std::string& bytes = with_journal && dice.below(2) == 0 ? bad.journal : bad.study;
    switch (dice.below(3)) {
      case 0:
        flip(bytes, dice);
        break;
      case 1:
        cut(bytes, dice);
        break;
      default:
        splice(bytes, good[1 - which].whole.study, dice);
    }
    write(bad);
    if (is_refused(dice.below(6) == 0, stored[which])) ++refused;
  }
  EXPECT_THAT(refused, Gt(kStudies / 4));
  EXPECT_THAT(sentences_.size(), Gt(20u));
  RecordProperty("knotwork_count_damaged_studies", static_cast<int>(kStudies));
}

// The journal of a killed process restores the study.
TEST_F(DamagedStudies, AWholeJournalSetsAStudyRight) {
  const Good good = make_study(200);
  EXPECT_FALSE(good.killed.study == good.whole.study);
  write(good.killed);
  EXPECT_FALSE(is_refused(false));
  EXPECT_TRUE(bytes_of(path_) == good.whole.study);
  EXPECT_FALSE(fs::exists(journal()));
}

void put(std::string& bytes, std::size_t at, std::uint32_t number, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) {
    bytes[at + k] = static_cast<char>(number >> (8 * (size - 1 - k)));
  }
}

// An inner page of a table whose children are all the same page.
std::string page_of(std::uint32_t child, std::size_t header) {
  constexpr std::size_t kChildren = 100, kCell = 5;
  std::string page(kPage, '\0');
  page[header] = 5;
  put(page, header + 3, kChildren, 2);
  put(page, header + 5, static_cast<std::uint32_t>(kPage - kChildren * kCell), 2);
  put(page, header + 8, child, 4);
  for (std::size_t k = 0; k < kChildren; ++k) {
    const std::size_t cell = kPage - (k + 1) * kCell;
    put(page, header + 12 + 2 * k, static_cast<std::uint32_t>(cell), 2);
    put(page, cell, child, 4);
    page[cell + 4] = static_cast<char>(k + 1);
  }
  return page;
}

// The list of tables is at the end of a chain of pages, each of which refers to the next a hundred
// times: a complete walk would read it 100^12 times.
TEST_F(DamagedStudies, PagesThatMultiplyAreNotWalkedToTheirEnd) {
  constexpr std::size_t kHeader = 100, kLevels = 12;
  std::string bytes = make_study(12).whole.study;
  const auto pages = static_cast<std::uint32_t>(bytes.size() / kPage);
  std::string leaf = bytes.substr(0, kPage);
  // Only an index without a text of its own may occur any number of times: the last of its kind.
  const std::size_t name = leaf.find("sqlite_autoindex_study_1");
  ASSERT_NE(name, std::string::npos);
  std::size_t cell = 0;
  for (std::size_t k = 0; k < static_cast<unsigned char>(leaf[kHeader + 4]); ++k) {
    const std::size_t at =
        static_cast<std::size_t>(256 * static_cast<unsigned char>(leaf[kHeader + 8 + 2 * k]) +
                                 static_cast<unsigned char>(leaf[kHeader + 9 + 2 * k]));
    if (at < name) cell = std::max(cell, at);
  }
  std::string all_tables = leaf;
  std::copy_n(leaf.begin() + kHeader, 512, all_tables.begin());
  std::string one_index(kPage, '\0');
  std::copy(leaf.begin() + static_cast<std::ptrdiff_t>(cell), leaf.end(),
            one_index.begin() + static_cast<std::ptrdiff_t>(cell));
  one_index[0] = 13;
  put(one_index, 3, 1, 2);
  put(one_index, 5, static_cast<std::uint32_t>(cell), 2);
  put(one_index, 8, static_cast<std::uint32_t>(cell), 2);
  // Page 1 has all tables once, then the chain.
  std::string root = page_of(pages + 2, kHeader);
  std::copy_n(bytes.begin(), kHeader, root.begin());
  put(root, kPage - 5, pages + 1, 4);
  bytes.replace(0, kPage, root);
  bytes += all_tables;
  for (std::uint32_t level = 1; level < kLevels; ++level) bytes += page_of(pages + 2 + level, 0);
  bytes += one_index;
  put(bytes, 28, static_cast<std::uint32_t>(bytes.size() / kPage), 4);
  write({bytes, ""});
  for (const bool to_write : {false, true}) {
    EXPECT_TRUE(is_refused(to_write));
    EXPECT_THAT(sentences_, ::testing::ElementsAre(::testing::Key(
                                "The study study is damaged (its pages lead in circles); restore a "
                                "copy, or remove it to start again.")));
  }
}

// Names in a study are quoted so that they cannot send control characters to the terminal.
TEST_F(DamagedStudies, WhatTheyHoldIsQuotedPrintable) {
  make_study(1);
  remove_all();
  { const Study study(path_, {{"data", "\x1b[2J\n"}, {"seed", "1"}}); }
  const Error other = error_of([&] { Study study(path_, kIdentity); });
  EXPECT_THAT(other.what(), HasSubstr("its data is '\\x1b[2J\\n', here it is 'abc'"));
  Database(path_.string(), Database::Mode::make_or_open).run("CREATE TABLE \"\x1b]0;\n\" (x)");
  const Error more = error_of([&] { Study::read(path_); });
  EXPECT_THAT(more.what(), HasSubstr("'\\x1b]0;\\n' is nothing that a study has"));
}

// For one of these studies SQLite reports that it is out of memory.
TEST_F(DamagedStudies, ThatTheFuzzerFoundAreRefused) {
  const fs::path copy = fs::path(::testing::TempDir()) / "knotwork-found.db";
  std::size_t files = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(KNOTWORK_SOURCE_DIR) / "tests/fuzz/corpus/study")) {
    fs::copy_file(entry.path(), copy, fs::copy_options::overwrite_existing);
    EXPECT_THROW(Study::read(copy), Error) << entry.path();
    ++files;
  }
  fs::remove(copy);
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace knotwork::searching
