// SPDX-License-Identifier: MIT
// Tests searches by several processes: the same result as the plain program, whatever happens.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <memory>

#include "mpi_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class MpiTune : public Mpi {
 protected:
  static constexpr std::size_t kFolds = 16;  // of all trials together

  static Words search(const std::string& study, const Words& more) {
    Words words = {"tune",   "builtin:planted",    "--study", study, "--vary", "knots=9|15",
                   "--vary", "lambda-w=2^-3..2^0", "--folds", "2",   "--out",  study + ".st",
                   "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Long enough to be interrupted.
  static Words long_search(const std::string& study, const std::string& speech) {
    return search(study, {"--iterations", "200", "--threads", "1", speech});
  }
  static Json document(const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out, nullptr, false);
  }
  // The parts of the document that must not depend on how a search was run.
  static Json essence(Json document) {
    for (const char* key : {"study", "model", "evaluated", "seconds"}) document.erase(key);
    return document;
  }

  // Starts a search that prints its process ids, and waits for its first folds.
  std::unique_ptr<RunningProgram> begin(int ranks, const Words& arguments) const {
    Words words = {"-c", "echo $$ > rank.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; exec \"$0\" \"$@\"",
                   KNOTWORK_MPI_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    auto program = std::make_unique<RunningProgram>(launch(ranks, "/bin/sh", words));
    EXPECT_TRUE(program->wait_for_error_text("searching"));
    return program;
  }
  pid_t process_of(int rank) const {
    pid_t process = 0;
    std::istringstream(folder_.read(fmt::format("rank.{}", rank))) >> process;
    EXPECT_GT(process, 1);
    return process;
  }
  // A process that has ended may stay in the list until its parent asks for its status.
  static bool runs(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string number, name, state;
    return (file >> number >> name >> state) && state != "Z" && state != "X";
  }
  void expect_all_end(int ranks) const {
    const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    for (int rank = 0; rank < ranks; ++rank) {
      const pid_t process = process_of(rank);
      while (runs(process) && std::chrono::steady_clock::now() < late) ::usleep(10'000);
      EXPECT_FALSE(runs(process)) << "rank " << rank;
    }
  }
  // The plain program finishes an interrupted search with the same result as an uninterrupted one.
  void expect_to_go_on(const std::string& study, const Json& undisturbed) const {
    const Json rest = document(alone(KNOTWORK_PROGRAM, long_search(study, "--quiet")));
    EXPECT_GT(rest["evaluated"], 0);
    EXPECT_LT(rest["evaluated"], kFolds);
    EXPECT_EQ(essence(rest), essence(undisturbed));
  }
};

TEST_F(MpiTune, RanksFindWhatThePlainProgramFinds) {
  const std::pair<std::string, Words> strategies[] = {
      {"grid", {"--strategy", "grid", "--iterations", "12", "--quiet"}},
      {"halving", {"--strategy", "halving", "--trials", "9", "--iterations", "27", "--quiet"}}};
  for (const auto& [name, more] : strategies) {
    const Json one = document(alone(KNOTWORK_PROGRAM, search(name + ".db", more)));
    ASSERT_TRUE(one.contains("parameters_sha256"));
    for (const int ranks : {2, 3}) {
      const std::string study = name + std::to_string(ranks) + ".db";
      Words words = search(study, more);
      words.insert(words.end(), {"--threads", ranks == 2 ? "2" : "1"});
      const Outcome outcome = knotwork(ranks, words);
      const Json several = document(outcome);
      EXPECT_EQ(outcome.err, "");
      EXPECT_EQ(essence(several), essence(one));
      EXPECT_EQ(several["evaluated"], one["evaluated"]);
      const Json again = document(alone(KNOTWORK_PROGRAM, search(study, more)));
      EXPECT_EQ(again["evaluated"], 0);
      EXPECT_EQ(essence(again), essence(one));
    }
  }
  EXPECT_THAT(folder_.names(),
              ElementsAre("grid.db", "grid.db.st", "grid2.db", "grid2.db.st", "grid3.db",
                          "grid3.db.st", "halving.db", "halving.db.st", "halving2.db",
                          "halving2.db.st", "halving3.db", "halving3.db.st"));
}

TEST_F(MpiTune, ARankThatIsKilledEndsAllAndThePlainProgramGoesOn) {
  const Json undisturbed = document(alone(KNOTWORK_PROGRAM, long_search("whole.db", "--quiet")));
  for (const int killed : {0, 1, 2}) {
    const std::string study = std::to_string(killed) + ".db";
    const auto program = begin(3, long_search(study, "--progress"));
    ASSERT_EQ(::kill(process_of(killed), SIGKILL), 0);
    EXPECT_NE(program->finish().code, 0);
    expect_all_end(3);
    expect_to_go_on(study, undisturbed);
  }
}

TEST_F(MpiTune, ASignalToAnyRankEndsAllWithWhatIsInTheStudy) {
  const Json undisturbed = document(alone(KNOTWORK_PROGRAM, long_search("whole.db", "--quiet")));
  for (const int told : {0, 1}) {
    const std::string study = std::to_string(told) + ".db";
    const auto program = begin(2, long_search(study, "--progress"));
    ASSERT_EQ(::kill(process_of(told), SIGTERM), 0);
    const Outcome outcome = program->finish();
    EXPECT_EQ(outcome.code, 128 + SIGTERM);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(sentences(outcome).back(), HasSubstr("The search was interrupted after"));
    expect_all_end(2);
    expect_to_go_on(study, undisturbed);
  }
}

TEST_F(MpiTune, WhatThePlainProgramBeganGoesOn) {
  const Json undisturbed = document(alone(KNOTWORK_PROGRAM, long_search("whole.db", "--quiet")));
  RunningProgram plain(
      Launch{KNOTWORK_PROGRAM, long_search("s.db", "--progress"), folder_.path(), ""});
  ASSERT_TRUE(plain.wait_for_error_text("searching"));
  plain.send(SIGINT);
  EXPECT_EQ(plain.finish().code, 128 + SIGINT);
  const Json rest = document(knotwork(2, long_search("s.db", "--quiet")));
  EXPECT_GT(rest["evaluated"], 0);
  EXPECT_LT(rest["evaluated"], kFolds);
  EXPECT_EQ(essence(rest), essence(undisturbed));
}

TEST_F(MpiTune, AStudyIsShownOnce) {
  document(alone(KNOTWORK_PROGRAM, search("s.db", {"--iterations", "2", "--quiet"})));
  const Words show = {"tune", "--show", "s.db"};
  const Outcome two = knotwork(2, show);
  EXPECT_EQ(two.code, 0);
  EXPECT_EQ(two.err, "");
  EXPECT_EQ(two.out, alone(KNOTWORK_PROGRAM, show).out);
}

TEST_F(MpiTune, MistakesAreSaidOnceAndNothingIsWritten) {
  const Words other = {"--iterations", "3", "--quiet"};
  document(alone(KNOTWORK_PROGRAM, search("s.db", {"--iterations", "2", "--quiet"})));
  for (const Words& request :
       {search("s.db", other), search("none/s.db", other),
        Words{"tune", "none.csv", "--study", "n.db"},
        Words{"tune", "builtin:planted", "--study", "n.db", "--vary", "lamda-w=1|2"},
        Words{"tune", "--show", "none.db"}}) {
    const Outcome one = alone(KNOTWORK_PROGRAM, request);
    const Outcome two = knotwork(2, request);
    EXPECT_EQ(one.code, 2);
    EXPECT_EQ(two.code, one.code);
    EXPECT_EQ(two.out, "");
    EXPECT_THAT(sentences(two), ElementsAre(sentences(one).at(0)));
  }
  EXPECT_THAT(sentences(knotwork(2, {"tune", "-", "--study", "n.db"})),
              ElementsAre(HasSubstr("Only one of the 2 processes can read standard input")));
  EXPECT_THAT(folder_.names(), ElementsAre("s.db", "s.db.st"));
}

// Each rank reads its own configuration.
TEST_F(MpiTune, RanksThatSearchDifferentThingsAreRefused) {
  for (const char* rank : {"0", "1"}) {
    std::ofstream(folder_.path() / fmt::format("c.{}", rank))
        << fmt::format("[tune]\niterations = {}\n", rank == std::string("0") ? 3 : 4);
  }
  Words words = {"-c", "exec \"$0\" \"$@\" --config c.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}",
                 KNOTWORK_MPI_PROGRAM};
  for (const std::string& word : search("s.db", {"--quiet"})) words.push_back(word);
  const Outcome outcome = together(2, "/bin/sh", words);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(sentences(outcome),
              ElementsAre(HasSubstr("Rank 1: iterations is '4' on this rank and '3' on rank 0")));
  EXPECT_THAT(folder_.names(), ElementsAre("c.0", "c.1"));
}

}  // namespace
}  // namespace knotwork::testing
