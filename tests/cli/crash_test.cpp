// SPDX-License-Identifier: MIT
// Tests that trainings and searches that are killed at random moments, again and again, end with
// the same bits as uninterrupted ones.
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "base/test_effort.hpp"
#include "tune_test.hpp"

namespace knotwork::testing {
namespace {

using Seconds = std::chrono::duration<double>;

const int kKills = static_cast<int>(cases_to_run(100));

class Crash : public TuneTest {
 protected:
  // Runs the command and kills it `kills` times, each at most `longest` after its start, and counts
  // the kills that leave the file `state` to resume from. If the command ends earlier, `finished`
  // checks the result and removes it.
  template <class Finished>
  void kill_often(const Words& command, int kills, Seconds longest, const std::string& state,
                  const Finished& finished) {
    std::uniform_real_distribution<double> share(0, 1);
    while (kills > 0) {
      RunningProgram program(launch(command));
      std::this_thread::sleep_for(share(random_) * longest);
      program.send(SIGKILL);
      const int code = program.finish().code;
      if (code == -SIGKILL) {
        --kills;
        survived_ += std::filesystem::exists(folder_.path() / state) ? 1 : 0;
      } else {
        ASSERT_EQ(code, 0);
        finished();
      }
    }
  }
  static Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Runs the command to its end and returns the duration.
  Seconds whole_run(const Words& command) const {
    const auto begin = std::chrono::steady_clock::now();
    document(command);
    return std::chrono::steady_clock::now() - begin;
  }
  void remove(const std::string& name) const { std::filesystem::remove(folder_.path() / name); }

  int survived_ = 0;
  std::mt19937 random_{20};  // the same delays in every run
};

struct Kind {
  const char* name;
  bool open;  // whether options are left to choose
  Words options;
};

TEST_F(Crash, TrainingGoesOnToTheSameBits) {
  const Kind kinds[] = {
      {"cg", false, {"--optimizer", "cg", "--iterations", "150"}},
      {"lbfgs", false, {"--optimizer", "lbfgs", "--iterations", "150", "--halve-step", "1"}},
      {"adam", false, {"--optimizer", "adam", "--iterations", "60", "--batch", "32"}},
      {"an ensemble with early stopping and refit",
       false,
       {"--ensemble", "3", "--validation-fraction", "0.2", "--patience", "10", "--refit",
        "--iterations", "60"}},
      {"with a choice", true, {"--iterations", "20", "--ensemble", "2", "--baselines", "none"}},
  };
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(kind.name);
    as_people_do_ = kind.open;
    const Words command = with({"train", "builtin:planted", "--hidden", "12"}, kind.options);
    const Seconds whole = whole_run(with(command, {"--out", "whole.st"}));
    const std::string wanted = tensors_of(folder_.read("whole.st"));
    const Words resumed = with(
        command, {"--out", "m.st", "--checkpoint", "c.st", "--every", "3", "--resume", "--quiet"});
    const auto check = [&] {
      EXPECT_TRUE(tensors_of(folder_.read("m.st")) == wanted);
      remove("c.st");
      remove("m.st");
    };
    const int kEach = kKills / static_cast<int>(std::size(kinds));
    kill_often(resumed, kEach, whole / 2, "c.st", check);
    document(with(command, {"--out", "m.st", "--checkpoint", "c.st", "--resume"}));
    check();
  }
  EXPECT_GT(survived_, kKills / 10);
  RecordProperty("knotwork_count_kills_survived", survived_);
}

TEST_F(Crash, SearchGoesOnToTheSameWinnerAndModel) {
  const Words command = {"tune",       "builtin:planted", "--iterations", "12",
                         "--vary",     "knots=9|15",      "--vary",       "lambda-w=2^-8..2^2",
                         "--strategy", "refine",          "--folds",      "2"};
  const Seconds whole = whole_run(with(command, {"--study", "whole.db", "--out", "whole.st"}));
  const std::string wanted = tensors_of(folder_.read("whole.st"));
  const Words resumed = with(command, {"--study", "s.db", "--out", "m.st", "--quiet"});
  const auto check = [&] {
    EXPECT_TRUE(tensors_of(folder_.read("m.st")) == wanted);
    remove("s.db");
    remove("m.st");
  };
  kill_often(resumed, kKills, whole / 3, "s.db", check);
  document(with(command, {"--study", "s.db", "--out", "m.st"}));
  Json undisturbed = essence(document({"tune", "--show", "whole.db"}));
  Json disturbed = essence(document({"tune", "--show", "s.db"}));
  undisturbed.erase("model");
  disturbed.erase("model");
  EXPECT_TRUE(disturbed == undisturbed);
  check();
  EXPECT_GT(survived_, kKills / 10);
  RecordProperty("knotwork_count_kills_survived", survived_);
}

}  // namespace
}  // namespace knotwork::testing
