// SPDX-License-Identifier: MIT
// Tests several processes that search in one study at the same time.
#include <signal.h>

#include <algorithm>
#include <memory>

#include "tune_test.hpp"

namespace knotwork::testing {
namespace {

class TuneTogether : public TuneTest {
 protected:
  static constexpr std::size_t kFolds = 16;  // of all trials together
  static Words search(const std::string& study) {
    return {"tune",         "builtin:planted",
            "--study",      study,
            "--iterations", "12",
            "--vary",       "knots=9|15",
            "--vary",       "lambda-w=2^-3..2^0",
            "--folds",      "2",
            "--threads",    "1",
            "--out",        study + ".st",
            "--quiet",      "--json"};
  }
  std::unique_ptr<RunningProgram> begin(const std::string& study) const {
    return std::make_unique<RunningProgram>(launch(search(study)));
  }
  // Its document, after a successful end.
  static Json end(RunningProgram& program) {
    const Outcome outcome = program.finish();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return Json::parse(outcome.out, nullptr, false);
  }
  void expect_same_end(Json alone, Json together) const {
    EXPECT_EQ(tensors_of(folder_.read(together["model"])),
              tensors_of(folder_.read(alone["model"])));
    alone.erase("model");
    together.erase("model");
    EXPECT_EQ(essence(together), essence(alone));
  }
};

TEST_F(TuneTogether, ProcessesDivideTheFoldsAndAllEndTheSame) {
  const std::unique_ptr<RunningProgram> first = begin("alone.db");
  const Json alone = end(*first);
  EXPECT_EQ(alone["evaluated"], kFolds);
  constexpr std::size_t kProcesses = 3;
  std::vector<std::unique_ptr<RunningProgram>> programs;
  for (std::size_t k = 0; k < kProcesses; ++k) programs.push_back(begin("s.db"));
  std::size_t evaluated = 0;
  for (const auto& program : programs) {
    const Json document = end(*program);
    evaluated += document["evaluated"].get<std::size_t>();
    expect_same_end(alone, document);
  }
  // A fold is evaluated more than once only if other processes still work on it when nothing else
  // is left: at most one fold of each process, by each other process.
  EXPECT_GE(evaluated, kFolds);
  EXPECT_LE(evaluated, kFolds + kProcesses * (kProcesses - 1));
  EXPECT_THAT(folder_.names(),
              ::testing::ElementsAre("alone.db", "alone.db.st", "s.db", "s.db.st", "t.csv"));
  RecordProperty("knotwork_count_study_processes", static_cast<int>(kProcesses));
}

TEST_F(TuneTogether, OneThatIsKilledIsReplacedByTheOthers) {
  const std::unique_ptr<RunningProgram> first = begin("alone.db");
  const Json alone = end(*first);
  constexpr std::size_t kRounds = 4;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::string study = std::to_string(round) + ".db";
    Words watched = search(study);
    watched.erase(std::find(watched.begin(), watched.end(), "--quiet"));
    watched.push_back("--progress");
    RunningProgram killed(launch(watched));
    // Killed before it has begun a fold, or during one.
    const bool has_begun = round == 0 || killed.wait_for_error_text("searching");
    EXPECT_TRUE(has_begun);
    const std::unique_ptr<RunningProgram> other = begin(study);
    killed.send(SIGKILL);
    killed.finish();
    const Json document = end(*other);
    EXPECT_LE(document["evaluated"], kFolds);
    expect_same_end(alone, document);
  }
}

}  // namespace
}  // namespace knotwork::testing
