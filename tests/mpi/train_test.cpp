// SPDX-License-Identifier: MIT
// Tests training by several processes: the same bits as the plain program, and the behavior when
// one process cannot continue.
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "mpi_test.hpp"

namespace knotwork::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Under a sanitizer everything takes ten times as long, and other tests cover threads.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSlow = true;
#else
constexpr bool kSlow = false;
#endif

class MpiTraining : public Mpi {
 protected:
  static Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // With no options left to choose.
  static Words train(const Words& options) {
    return with({"train"},
                with(options, {"--preset", "paper", "--baselines", "none", "--json", "--quiet"}));
  }
  void succeed(const Words& request) const {
    const Outcome outcome = alone(KNOTWORK_PROGRAM, request);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  static std::string sha256_of(const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const Json document = Json::parse(outcome.out, nullptr, false);
    return document.value("parameters_sha256", "none");
  }

  // Texts, missing cells, weights; written as CSV and as a table file.
  void write_mixed(int rows) const {
    std::string text = "x,colour,weight,z,y\n";
    for (int r = 0; r < rows; ++r) {
      const double x = r * 37 % 101 / 50.0 - 1, z = r * 53 % 97 / 48.0 - 1;
      text += r % 11 == 0 ? std::string() : std::to_string(x);
      text += r % 13 == 0 ? std::string(",") : std::string(",") + "rgb"[r % 3];
      text += "," + std::to_string(1 + r % 4) + "," + std::to_string(z) + "," +
              std::to_string(x * x + z * (r % 3)) + "\n";
    }
    folder_.write("mixed.csv", text);
    succeed({"convert", "mixed.csv", "mixed.safetensors", "--quiet"});
  }

  // Compares the same request in the plain program and with ranks x threads.
  void expect_same_bits(const Words& options) const {
    const std::string wanted = sha256_of(alone(KNOTWORK_PROGRAM, train(options)));
    for (const int ranks : kSlow ? std::vector{3} : std::vector{1, 2, 3, 4}) {
      for (const char* threads : {"1", "2"}) {
        const Words request = train(with(options, {"--threads", threads}));
        EXPECT_EQ(sha256_of(knotwork(ranks, request)), wanted)
            << ranks << " ranks with " << threads << " threads";
        if (kSlow) break;
      }
    }
  }
};

const std::vector<Words> kOptimizers = {
    {"--optimizer", "cg", "--iterations", "6"},
    {"--optimizer", "lbfgs", "--iterations", "6"},
    {"--optimizer", "adam", "--iterations", "2", "--batch", "128"}};

TEST_F(MpiTraining, HasTheSameBitsOnTextsAndMissingCells) {
  write_mixed(3000);
  for (const Words& optimizer : kOptimizers) {
    SCOPED_TRACE(optimizer[1]);
    expect_same_bits(with({"mixed.safetensors", "--weight-column", "weight"}, optimizer));
  }
}

TEST_F(MpiTraining, HasTheSameBitsOnCaliforniaHousing) {
  const char* const data = std::getenv("KNOTWORK_DATA_DIR");
  if (!data) GTEST_SKIP() << "KNOTWORK_DATA_DIR names no folder with california_housing.csv";
  const std::string csv = (fs::path(data) / "california_housing.csv").string();
  succeed({"convert", csv, "california.safetensors", "--quiet"});
  for (const Words& optimizer : kOptimizers) {
    SCOPED_TRACE(optimizer[1]);
    expect_same_bits(with({"california.safetensors"}, optimizer));
  }
}

TEST_F(MpiTraining, TakesCsvArraysAndBuiltInSetsToo) {
  write_mixed(800);
  const auto brief = [](const std::string& table) { return train({table, "--iterations", "20"}); };
  const std::string wanted = sha256_of(alone(KNOTWORK_PROGRAM, brief("mixed.safetensors")));
  EXPECT_EQ(sha256_of(knotwork(2, brief("mixed.csv"))), wanted);
  succeed({"datasets", "planted", "--rows", "700", "--out", "planted.npy"});
  for (const std::string table : {"planted.npy", "builtin:planted"}) {
    EXPECT_EQ(sha256_of(knotwork(3, brief(table))),
              sha256_of(alone(KNOTWORK_PROGRAM, brief(table))));
  }
}

// Chosen options, baselines, ensembles, refitting: everything that a default request includes.
TEST_F(MpiTraining, IsTheSameWithAllThatIsLeftOpen) {
  const Words request = {
      "train", "builtin:planted", "--iterations", "8",      "--validation-fraction",
      "0.2",   "--refit",         "--json",       "--quiet"};
  Json one = Json::parse(alone(KNOTWORK_PROGRAM, request).out);
  const Outcome outcome = knotwork(3, request);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  Json three = Json::parse(outcome.out);
  for (const char* key : {"parameters_sha256", "test", "train", "validation", "chosen", "tried"}) {
    EXPECT_EQ(three[key], one[key]) << key;
  }
  ASSERT_EQ(three["baselines"].size(), one["baselines"].size());
  for (std::size_t k = 0; k < one["baselines"].size(); ++k) {
    EXPECT_EQ(three["baselines"][k]["test"], one["baselines"][k]["test"]);
  }
  EXPECT_THAT(folder_.names(), ElementsAre("model.safetensors"));
}

TEST_F(MpiTraining, OneRankThatReadsABadRowEndsAllWithOneSentence) {
  std::string text = "x,y\n";
  for (int r = 0; r < 900; ++r) {
    text += std::to_string(r % 7) + (r == 850 ? ",\n" : "," + std::to_string(r % 5) + ".5\n");
  }
  folder_.write("t.csv", text);
  succeed({"convert", "t.csv", "t.safetensors", "--quiet"});
  const Outcome outcome = knotwork(3, train({"t.safetensors", "--require-target"}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(sentences(outcome), ElementsAre(AllOf(StartsWith("Rank 2: "), HasSubstr("'y'"))));
  EXPECT_THAT(folder_.names(), ElementsAre("t.csv", "t.safetensors"));
}

// Each rank opens its own table.
TEST_F(MpiTraining, RanksThatSeeDifferentTablesEndWithOneSentence) {
  for (const char* rank : {"0", "1", "2"}) {
    const bool is_other = *rank == '1';
    std::string text = is_other ? "u,y\n" : "x,y\n";
    for (int r = 0; r < 60; ++r) text += std::to_string(r % 7) + "," + std::to_string(r) + ".5\n";
    folder_.write("t" + std::string(rank) + ".csv", text);
  }
  const Outcome outcome =
      together(3, "/bin/sh",
               {"-c", "exec \"$0\" train t${OMPI_COMM_WORLD_RANK:-$PMI_RANK}.csv --json --quiet",
                KNOTWORK_MPI_PROGRAM});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(sentences(outcome),
              ElementsAre(AllOf(StartsWith("Rank 1: "), HasSubstr("other columns"))));
  // One rank's table does not exist at all.
  fs::remove(folder_.path() / "t1.csv");
  const Outcome missing =
      together(3, "/bin/sh",
               {"-c", "exec \"$0\" train t${OMPI_COMM_WORLD_RANK:-$PMI_RANK}.csv --json --quiet",
                KNOTWORK_MPI_PROGRAM});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(sentences(missing), ElementsAre(AllOf(StartsWith("Rank 1: "), HasSubstr("t1.csv"))));
}

TEST_F(MpiTraining, ProgressAndResultsComeFromOneRank) {
  const Words request = {"train", "builtin:planted", "--preset",    "paper", "--iterations",
                         "3",     "--progress",      "--baselines", "none"};
  const Outcome one = alone(KNOTWORK_PROGRAM, request), three = knotwork(3, request);
  ASSERT_EQ(three.code, 0) << three.err;
  std::istringstream progress(three.err);
  std::set<std::string> seen;
  for (std::string line; std::getline(progress, line);) {
    EXPECT_TRUE(seen.insert(line).second) << "said twice: " << line;
  }
  EXPECT_FALSE(seen.empty());
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines(three.out), lines(one.out));
}

TEST_F(MpiTraining, StandardInputIsRefused) {
  const Outcome outcome = knotwork(2, train({"-"}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(sentences(outcome),
              ElementsAre(HasSubstr("Only one of the 2 processes can read standard input")));
}

TEST_F(MpiTraining, AModelDoesNotGoThroughTheLauncher) {
  const Outcome outcome =
      knotwork(2, {"train", "builtin:planted", "--preset", "paper", "--out", "-"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(sentences(outcome),
              ElementsAre(HasSubstr("The launcher of the 2 processes forwards standard output")));
}

TEST_F(MpiTraining, RanksThatAreAskedForDifferentThingsAreTold) {
  folder_.write("c0.toml", "[train]\niterations = 2\n");
  folder_.write("c1.toml", "[train]\niterations = 3\n");
  const Outcome outcome = together(2, "/bin/sh",
                                   {"-c",
                                    "exec \"$0\" train builtin:planted --config "
                                    "c${OMPI_COMM_WORLD_RANK:-$PMI_RANK}.toml --quiet",
                                    KNOTWORK_MPI_PROGRAM});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(sentences(outcome),
              ElementsAre(HasSubstr("Rank 1: --iterations is '3' on this rank and '2' on rank 0")));
}

// The plain program does not know about the other processes.
TEST_F(MpiTraining, ThePlainProgramSaysThatItSharesNothing) {
  const Outcome outcome = together(3, KNOTWORK_PROGRAM, {"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(sentences(outcome),
              ElementsAre(HasSubstr("Each of the launcher's 3 processes runs")));
}

// Our processes that work on a file of this name: /proc shows their arguments and their rank.
std::vector<std::pair<pid_t, int>> ranks_at_work(const std::string& file) {
  std::vector<std::pair<pid_t, int>> found;
  const auto contents = [](const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string words = contents(entry.path() / "cmdline");
    const std::string program(KNOTWORK_MPI_PROGRAM);
    if (!words.starts_with(program) || words.find(file) == std::string::npos) continue;
    const std::string environment = contents(entry.path() / "environ");
    for (const std::string variable : {"OMPI_COMM_WORLD_RANK=", "PMI_RANK="}) {
      const std::size_t at = environment.find(variable);
      if (at == std::string::npos) continue;
      found.emplace_back(std::stoi(name), std::stoi(environment.substr(at + variable.size())));
      break;
    }
  }
  return found;
}

// If training itself fails on one rank, other ranks are in the middle of a round.
TEST_F(MpiTraining, ARankThatFailsWhileItTrainsEndsAllWithOneSentence) {
  write_mixed(4000);
  // The first rank cannot write its first checkpoint: no file may grow.
  const Words kept = train({"mixed.safetensors", "--checkpoint", "c.st", "--iterations", "20"});
  const Outcome full = together(
      3, "/bin/sh", with({"-c", "ulimit -f 1 && exec \"$0\" \"$@\"", KNOTWORK_MPI_PROGRAM}, kept));
  EXPECT_EQ(full.code, 1) << full.err;
  EXPECT_EQ(sentences(full).size(), 1u) << full.err;
  // The second rank has no space for its rows.
  const Words scratch = train({"mixed.safetensors", "--memory", "1", "--iterations", "20"});
  const std::string set_folder =
      "[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} != 1 ] || export TMPDIR=/none; exec \"$0\" \"$@\"";
  const Outcome none =
      together(3, "/bin/sh", with({"-c", set_folder, KNOTWORK_MPI_PROGRAM}, scratch));
  EXPECT_NE(none.code, 0);
  EXPECT_NE(none.code, 124) << "they wait for each other";
  EXPECT_EQ(sentences(none).size(), 1u) << none.err;
}

// A signal to any rank ends all ranks in the same way as it ends the plain program.
TEST_F(MpiTraining, ASignalToOneRankEndsAllWithWhatThereIs) {
  write_mixed(4000);
  const std::string out = (folder_.path() / "m.st").string();
  const Words common = {"--out", out, "--json", "--progress"};
  const Words training = {"train", "mixed.safetensors", "--preset",
                          "paper", "--iterations",      "100000000"};
  // Nobody would come to the end of a fold.
  const Words choosing = {"train",     "mixed.safetensors", "--iterations",
                          "100000000", "--hidden",          "40"};
  for (const auto& [request, phase] :
       {std::pair{training, "training  "}, std::pair{choosing, "choosing  "}}) {
    for (const int told : {0, 1}) {
      SCOPED_TRACE(std::string(phase) + "rank " + std::to_string(told));
      fs::remove(out);
      RunningProgram program(launch(3, KNOTWORK_MPI_PROGRAM, with(request, common)));
      ASSERT_TRUE(program.wait_for_error_text(phase));
      for (const auto& [process, rank] : ranks_at_work(out)) {
        if (rank == told) ::kill(process, SIGTERM);
      }
      const Outcome outcome = program.finish();
      EXPECT_EQ(outcome.code, 143) << outcome.err;
      ASSERT_FALSE(sentences(outcome).empty());
      EXPECT_THAT(sentences(outcome).back(), HasSubstr("was interrupted")) << outcome.err;
      if (request == training) {
        EXPECT_EQ(Json::parse(outcome.out, nullptr, false)["interrupted"], true);
        EXPECT_TRUE(fs::exists(out));
      }
    }
  }
}

TEST_F(MpiTraining, RanksThatGoOnFromDifferentStatesAreRefused) {
  write_mixed(500);
  const Words begun = train({"mixed.safetensors", "--checkpoint", "c0.st", "--iterations", "9"});
  succeed(begun);
  const std::string each = "exec \"$0\" \"$@\" --checkpoint c${OMPI_COMM_WORLD_RANK:-$PMI_RANK}.st";
  const Words go_on = with({"-c", each, KNOTWORK_MPI_PROGRAM},
                           train({"mixed.safetensors", "--resume", "--iterations", "9"}));
  const Outcome outcome = together(2, "/bin/sh", go_on);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(sentences(outcome),
              ElementsAre(AllOf(StartsWith("Rank 1: The checkpoint to resume from"),
                                HasSubstr("differs from that of rank 0"))));
}

TEST_F(MpiTraining, ARankThatIsKilledEndsAllAndOthersGoOn) {
  write_mixed(4000);
  for (const Words& optimizer : kOptimizers) {
    SCOPED_TRACE(optimizer[1]);
    Words options = {"mixed.safetensors", "--optimizer", optimizer[1], "--iterations",
                     optimizer[1] == "adam" ? (kSlow ? "40" : "100") : (kSlow ? "400" : "1500")};
    if (optimizer[1] == "adam") options = with(options, {"--batch", "64"});
    const std::string wanted = sha256_of(alone(KNOTWORK_PROGRAM, train(options)));
    const std::string out = (folder_.path() / "m.st").string();
    const fs::path checkpoint = folder_.path() / "c.st";
    fs::remove(checkpoint);
    const Words kept = train(with(options, {"--checkpoint", "c.st", "--every", "5"}));
    {
      RunningProgram program(launch(4, KNOTWORK_MPI_PROGRAM, with(kept, {"--out", out})));
      // In the middle, which is when a checkpoint was written.
      const auto first_kept = [&] {
        std::error_code none;
        return fs::exists(checkpoint, none) && fs::file_size(checkpoint, none) > 8000;
      };
      for (int k = 0; k < 6000 && !first_kept(); ++k) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      pid_t third = -1;
      for (const auto& [process, rank] : ranks_at_work(out)) {
        if (rank == 2) third = process;
      }
      ASSERT_GT(third, 0) << "it was over before it could be killed";
      ::kill(third, SIGKILL);
      const Outcome outcome = program.finish();
      EXPECT_NE(outcome.code, 0);
      EXPECT_NE(outcome.code, 124) << "the others waited for the one that was killed";
    }
    // The launcher may end a moment before the processes that it ended.
    for (int k = 0; k < 600 && !ranks_at_work(out).empty(); ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_TRUE(ranks_at_work(out).empty());
    EXPECT_FALSE(fs::exists(out));
    for (const int ranks : {1, 3}) {
      fs::copy_file(checkpoint, folder_.path() / "again.st", fs::copy_options::overwrite_existing);
      const Words resumed =
          train(with(options, {"--checkpoint", "again.st", "--resume", "--out", out}));
      EXPECT_EQ(sha256_of(ranks == 1 ? alone(KNOTWORK_PROGRAM, resumed) : knotwork(ranks, resumed)),
                wanted);
      fs::remove(out);
    }
  }
}

}  // namespace
}  // namespace knotwork::testing
